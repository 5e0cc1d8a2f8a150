"""Other rows counted as those before: `and orders?` after sessions by week is orders by week, by their own date."""

from __future__ import annotations

from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.event_dates import event_date
from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.followups.telling import listed
from pluto_duck_text2sql.followups.trees import kind_of, settled
from pluto_duck_text2sql.language.words import FILLER, STOP, stem
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    Inside,
    Nested,
    Query,
    Related,
    Rows,
    all_nodes_in,
    columns_in,
    mapped,
)
from pluto_duck_text2sql.trees.parts import measures, subject

_TITLES = frozenset(map(stem, ("name", "title")))


def others_counted(turn: Turn) -> Draft | None:
    """The earlier figure told of how many rows of another table there are; None where it names no such rows alone."""
    query, table = turn.earlier, _named_alone(turn)
    figure = _only_figure(query)
    is_told = table is not None and figure is not None and _are_counted(table, figure, turn)
    if table is None or figure is None or not is_told or not _can_be_told(query, table, turn):
        return None
    count = Agg("count", Rows(table.key))
    dated = _by_own_date(query, table, turn)
    if dated is None:
        return None
    own = _own_alike(query, table, turn)
    dated = mapped(dated, lambda node: own.get(node, node) if isinstance(node, Col) else node)
    made: Query = mapped(dated, lambda node: count if node == figure else node)
    made = settled(replace(made, anchor=table.key, through=()), turn.reader)
    return Draft(query).changed(made, f"counted → {listed([count])}", range(len(turn.fragment.tokens)))


def _named_alone(turn: Turn) -> Table | None:
    """The table that all its words name, in the plural, after `and` or `what about`."""
    fragment = turn.fragment
    item = fragment.slots.entity
    if (
        item is None
        or fragment.table is None
        or not turn.frame.has("lead", "about", "same")
        or turn.frame.has("also", "each")
    ):
        return None
    others = [each for n, each in enumerate(fragment.tokens) if n not in fragment.span(item)]
    is_plural = fragment.tokens[item.end - 1].lower.endswith("s")
    is_alone = all(each.lower in STOP or each.stem in FILLER for each in others)
    return turn.reader.catalog.table(*fragment.table) if is_plural and is_alone else None


def _only_figure(query: Query) -> Agg | None:
    """The one figure of a plain tree."""
    found = measures(query)
    is_cut = query.limit is not None or query.having or query.then or query.beside
    is_deep = any(isinstance(each, Related | Inside | Nested) for each in all_nodes_in(query))
    only = found[0] if len(found) == 1 and not is_cut and not is_deep else None
    return only if isinstance(only, Agg) else None


def _are_counted(table: Table, figure: Agg, turn: Turn) -> bool:
    """Whether a number of the table's rows is meant, and no groups: rows that those before point at and that have a
    name are groups."""
    about = subject(turn.earlier)
    if about == table.key:
        return not isinstance(figure.of, Rows)
    label = turn.reader.resolver.label(table)
    has_name = any(_TITLES & set(table.stems(each.name)) for each in label)
    return not has_name or turn.reader.joins.pointer(about, table.key) is None


def _can_be_told(query: Query, table: Table, turn: Turn) -> bool:
    """Whether each of the table's rows has at most one of what the earlier query restricts and groups by: repairs of a
    scooter that was ridden in Porto are no repairs in Porto."""
    told = (each for each in columns_in((query.where, query.group)) if isinstance(each, Col))
    alike = _own_alike(query, table, turn)
    others = {each.table for each in told if kind_of(each, turn.reader) != "time" and each not in alike} - {table.key}
    return all(turn.reader.joins.pointer(table.key, each) for each in others)


def _own_alike(query: Query, table: Table, turn: Turn) -> dict[Col, Col]:
    """The columns of the rows before that rows of another table have by the same name, where no key joins the two:
    customers by country after suppliers by country."""
    told = (each for each in columns_in((query.where, query.group, query.select)) if isinstance(each, Col))
    own = (each for each in told if each.table == subject(query) and kind_of(each, turn.reader) == "text")
    is_apart = not turn.reader.joins.pointer(table.key, subject(query))
    return {each: Col(table.key, each.name) for each in own if is_apart and table.column(each.name)}


def _by_own_date(query: Query, table: Table, turn: Turn) -> Query | None:
    """The tree with its times told by the date of the table's rows, else by that of what they belong to."""
    dates = {each for each in columns_in(query) if isinstance(each, Col) and kind_of(each, turn.reader) == "time"}
    others = {each for each in dates if each.table != table.key}
    own = event_date(table)
    if own is None:
        belong = all(turn.reader.joins.pointer(table.key, each.table) for each in others)
        return query if belong else None
    made: Query = mapped(query, lambda node: Col(table.key, own) if node in others else node)
    return made
