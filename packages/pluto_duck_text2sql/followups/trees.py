"""What edits of a query tree need the catalog for: which rows it shows, what restricts them, what joins repeat.

Pure; a tree comes back whole or as it was.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Compare,
    Cond,
    During,
    First,
    Inside,
    Order,
    Query,
    Related,
    Rows,
    TableKey,
    columns_in,
    is_total,
    nodes_in,
)
from pluto_duck_text2sql.trees.parts import conditions, is_aggregate, keys, subject
from pluto_duck_text2sql.trees.row_order import with_ties_told


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


_PLACES = {
    "second": 2,
    "2nd": 2,
    "two": 2,
    "2": 2,
    "third": 3,
    "3rd": 3,
    "three": 3,
    "3": 3,
    "4": 4,
    "5": 5,
    "fourth": 4,
    "4th": 4,
    "fifth": 5,
    "5th": 5,
}
RANKS = {
    "best": True,
    "highest": True,
    "biggest": True,
    "largest": True,
    "worst": False,
    "lowest": False,
    "smallest": False,
}
"""Which of those shown is told by their figure, and whether it has the most of it."""
_FIRST = ("top", "one")
_FROM_THE_END = ("last", "lowest", "smallest")


def place_of(which: str) -> int:
    """How many rows down the one is that `second` says."""
    return _PLACES.get(which, 1)


def is_ranked(query: Query, which: str) -> bool:
    """Whether a row is told by its figure, not by its place: the top one of rows in no order has the most."""
    return which in RANKS or (which in _FIRST and not query.order)


def nth_row(query: Query, which: str, reader: Reader) -> Inside | None:
    """That a row is `the first one`, `the second one` or `the last one` of those that the query shows."""
    place = place_of(which)
    figures = [each for each in query.select if is_total(each)]
    if is_ranked(query, which) and query.group and len(figures) == 1:
        query = replace(query, order=(Order(figures[0], RANKS.get(which, True)),))
    elif which in RANKS and not query.order:
        return None  # nothing tells which shop of a list is the biggest
    elif which in _FROM_THE_END:
        shown = query.order or tuple(map(Order, query.select))
        query = replace(query, order=tuple(replace(each, descending=not each.descending) for each in shown))
    return shown_rows(query, reader, limit=place, nth=place > 1)


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
