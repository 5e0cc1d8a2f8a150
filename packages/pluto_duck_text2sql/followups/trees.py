"""What edits do to a query tree: find its conditions, keys and measures, put others in their place.

Pure; a tree comes back whole or as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.joins import JoinGraph
from pluto_duck_text2sql.reader import Reader
from pluto_duck_text2sql.render import with_ties_told
from pluto_duck_text2sql.tree import (
    Agg,
    Among,
    Bucket,
    Col,
    Compare,
    Cond,
    During,
    Either,
    Every,
    Expr,
    First,
    Inside,
    Missing,
    Nested,
    Query,
    Related,
    Rows,
    TableKey,
    all_nodes_in,
    columns_in,
    is_total,
    mapped,
    nodes_in,
)

_SAID = ("said", "anchored")


def swapped(query: Query, old: Any, new: Any) -> Query:
    """The query with `new` wherever `old` was."""
    found: Query = mapped(query, lambda node: new if node == old else node)
    return found


def conditions(node: Any) -> Iterator[Cond]:
    """Every single condition of a tree, those of queries and aggregates within it too."""
    for each in all_nodes_in(node, but=_SAID):
        if isinstance(each, Compare | Among | During | Missing | Related | Inside):
            yield each


def replaced(query: Query, olds: Sequence[Cond], new: Cond | None) -> Query:
    """The query with `new` (None: nothing) in the place of the first of the old conditions, and without the others.

    Where aggregates of it have conditions of their own, each keeps one.
    """

    def change(node: Any) -> Any:
        for name in ("where", "having", "any_of", "all_of"):
            kept = getattr(node, name, None)
            if isinstance(kept, tuple) and any(each in olds for each in kept):
                node = replace(node, **{name: _one_for_all(kept, olds, new)})
        return node

    found: Query = _simplified(mapped(query, change))
    return found


def _one_for_all(kept: tuple[Cond, ...], olds: Sequence[Cond], new: Cond | None) -> tuple[Cond, ...]:
    made: list[Cond] = []
    for each in kept:
        if each not in olds:
            made.append(each)
        elif new is not None and new not in made:
            made.append(new)
    return tuple(made)


def _simplified(query: Query) -> Query:
    """Without alternatives of nothing, or of one."""

    def change(node: Any) -> Any:
        where = getattr(node, "where", None)
        if not isinstance(where, tuple):
            return node
        return replace(node, where=tuple(one for each in where for one in _plain(each)))

    found: Query = mapped(query, change)
    return found


def _plain(condition: Cond) -> tuple[Cond, ...]:
    if isinstance(condition, Either | Every):
        inner = condition.any_of if isinstance(condition, Either) else condition.all_of
        return (condition,) if len(inner) > 1 else tuple(inner)
    return (condition,)


def with_where(query: Query, added: Sequence[Cond]) -> Query:
    """The query with further conditions on its rows: on those that are put together, or within which it looks."""
    inner = [each.of.query for each in query.select if isinstance(each, Agg) and isinstance(each.of, Nested)]
    within = inner[0] if inner else None
    if within is not None and not query.group:
        return swapped(query, within, with_where(within, added))
    then = query.then
    if then and then[0] == "union":
        then = (then[0], with_where(then[1], added))
    new = tuple(each for each in added if each not in query.where)
    return replace(query, where=(*query.where, *new), then=then)


def is_aggregate(query: Query) -> bool:
    """Whether it shows totals, not rows."""
    return bool(query.group) or any(isinstance(each, Agg) for shown in query.select for each in nodes_in(shown))


def measures(query: Query) -> list[Expr]:
    """What the query measures: shown, or sorted by."""
    shown = [each for each in query.select if is_total(each)]
    hidden = [each.by for each in query.order if is_total(each.by)]
    return list(dict.fromkeys([*shown, *hidden]))


def keys(query: Query) -> list[Expr]:
    """What each row is about: what is shown and not measured."""
    return [each for each in query.select if not is_total(each)]


def without_groups(query: Query, groups: Sequence[Expr]) -> Query:
    """The query put together over some of what it groups by."""
    select, group = (tuple(e for e in some if e not in groups) for some in (query.select, query.group))
    return replace(query, select=select, group=group, order=tuple(e for e in query.order if e.by not in groups))


def subject(query: Query) -> TableKey:
    """The table whose rows the query is about: counted, listed or measured."""
    counted = [each.of.table for each in nodes_in(query.select) if isinstance(each, Agg) and isinstance(each.of, Rows)]
    if counted:
        return counted[0]
    found = next(columns_in(tuple(each for each in query.select if is_total(each)) or query.select), None)
    return query.anchor if found is None or not is_aggregate(query) else found.table


def of_those_counted(query: Query, joins: JoinGraph) -> Query:
    """The query with different keys counted as the rows that they point at: so many buyers of orders are people."""
    totals = [each for each in query.select if is_total(each)]
    counted = totals[0] if len(totals) == 1 and isinstance(totals[0], Agg) else None
    of = counted.of if counted and counted.function == "count" and counted.distinct else None
    if counted is None or not isinstance(of, Col) or joins.pointed(of) == of:
        return query
    rows = replace(counted, of=Rows(joins.pointed(of).table), distinct=False)
    return replace(swapped(query, counted, rows), flat=False)


def tables(query: Query) -> list[TableKey]:
    """The tables of a query, what it is about first."""
    shown = [each.table for each in columns_in((query.select, query.group))]
    limited = [each.table for each in columns_in(query.where)]
    return list(dict.fromkeys([subject(query), query.anchor, *shown, *limited]))


def times(query: Query, reader: Reader) -> list[Cond]:
    """The conditions that say when."""
    return [each for each in conditions(query) if is_time(each, reader)]


def is_time(condition: Cond, reader: Reader) -> bool:
    """Whether a condition says when."""
    left = getattr(condition, "left", None)
    if isinstance(condition, During) or isinstance(left, Bucket | First):
        return True
    return isinstance(condition, Compare) and isinstance(left, Col) and kind_of(left, reader) == "time"


def kind_of(column: Any, reader: Reader) -> str:
    """The kind of a column's values; nothing where it is none."""
    if not isinstance(column, Col):
        return ""
    found = reader.catalog.column(*column.table, column.name)
    return found.kind if found else ""


def row_key(query: Query, reader: Reader) -> Col | None:
    """The column that tells the query's rows apart, as far as one does."""
    options = [each for each in (query.group or query.select) if isinstance(each, Col)]
    if not query.group:
        table = reader.catalog.table(*query.anchor)
        own = reader.resolver.key(table) if table else []
        if len(own) == 1:
            return Col(query.anchor, own[0])
    identifying = [each for each in options if _is_key(each, reader)]
    return next(iter([*identifying, *options]), None)


def _is_key(column: Col, reader: Reader) -> bool:
    table = reader.catalog.table(*column.table)
    return bool(table and reader.resolver.is_key(table, column.name))


def shown_rows(query: Query, reader: Reader, limit: int | None = None, nth: bool = False) -> Inside | None:
    """That a row is among those that the query shows; of the first ones only, or of one of them."""
    key = row_key(query, reader)
    if key is None:
        return None
    limit = limit or query.limit
    order = with_ties_told(replace(query, limit=limit)).order if limit is not None or query.per else ()
    inner = replace(query, select=(key,), distinct=False, order=order, limit=limit, nth=nth or query.nth)
    return Inside(key, inner)


def restrictions(query: Query, table: TableKey, reader: Reader) -> tuple[Cond, ...]:
    """What restricts the query's rows, said of the rows of another table."""
    cut = query.limit is not None or query.having or query.then
    bound = any(isinstance(each, Related) for each in nodes_in(query.where)) and table != query.anchor
    if cut or bound or _may_be_split(query, table, reader):
        inside = shown_rows(query, reader)
        is_told = inside is None or table != query.anchor or not query.group or _is_key(inside.left, reader)
        return ((inside,) if inside else ()) if is_told else (*query.where, *((inside,) if inside else ()))
    parts = [each for shown in query.select for each in nodes_in(shown) if isinstance(each, Agg) and each.where]
    own = parts[0].where if parts else ()
    return (*query.where, *(each for each in own if each not in query.where))


def _may_be_split(query: Query, table: TableKey, reader: Reader) -> bool:
    """Whether several conditions on the same rows would each be met by another of those that belong to one of the
    table: guests with a booking in May and one by phone are not those who booked by phone in May."""
    steps = reader.joins.path(table, query.anchor) if len(query.where) > 1 and not query.group else None
    return any(step.multiplies for step in steps or ())


def settled(query: Query, reader: Reader) -> Query:
    """The query counted from the table that it measures, so that further tables never multiply what is counted."""
    found = next((each for each in query.select if is_total(each)), None)
    table = next((each.table for each in columns_in(found)), None) if found is not None else None
    repeated = any(isinstance(each, Agg) and _counts_others(each, query) for each in nodes_in(query.select))
    multiplied = repeated or _multiplies(query, query.anchor, reader)
    if query.outer or not multiplied or any(isinstance(each, Related) for each in nodes_in(query.where)):
        return query
    better = table is not None and not _multiplies(query, table, reader)
    grouped = tuple(dict.fromkeys([*query.group, *(each for each in keys(query) if query.group)]))
    return replace(query, anchor=table if better and table else query.anchor, flat=False, group=grouped)


def once_each(query: Query, reader: Reader) -> Query:
    """A figure of rows that counts each once, whatever its conditions say of several rows of another table."""
    rows = subject(query)
    if not is_aggregate(query) or query.outer:
        return query
    if query.anchor == rows and not _multiplies(query, rows, reader):
        return query
    if _multiplies(replace(query, where=(), having=()), rows, reader):
        return settled(query, reader) if query.flat else query
    group = tuple(dict.fromkeys([*query.group, *(each for each in keys(query) if query.group)]))
    return replace(query, anchor=rows, group=group, flat=not _multiplies(query, rows, reader))


def as_rows(query: Query, reader: Reader) -> Query:
    """A listing each row of which shows once, whatever its conditions say of several rows of another table."""
    if not query.flat or query.distinct or is_aggregate(query) or not query.where:
        return query
    shown = {each.table for each in columns_in((query.select, query.order))}
    steps = reader.joins.tree(query.anchor, shown, query.through)
    return query if steps is None or any(step.multiplies for step in steps) else replace(query, flat=False)


def repeats(query: Query, reader: Reader) -> bool:
    """Whether what is added up or averaged meets its rows more than once, as joins to others that are counted do."""
    found = [each for each in nodes_in(query.select) if isinstance(each, Agg) and each.function not in ("min", "max")]
    added = {
        each.table for agg in found if not isinstance(agg.of, Rows) and not agg.distinct for each in columns_in(agg.of)
    }
    return any(_multiplies(query, each, reader) for each in added)


def _counts_others(agg: Agg, query: Query) -> bool:
    """Whether it counts the rows of another table than the query begins at, which joins may repeat."""
    return isinstance(agg.of, Rows) and agg.of.table != query.anchor


def _multiplies(query: Query, anchor: TableKey, reader: Reader) -> bool:
    steps = reader.joins.tree(anchor, {each.table for each in columns_in(query)})
    return steps is None or any(step.multiplies for step in steps)


def amounts(expression: Expr) -> list[Agg]:
    """The aggregates in a measure."""
    return [each for each in nodes_in(expression) if isinstance(each, Agg)]
