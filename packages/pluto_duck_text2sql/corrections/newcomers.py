"""By when each did something first: `how many members bought their first ticket in each quarter of 2025`.

Called by `corrections`. A tree whose groups are periods of first times has its period of these times, too, not of what
was done again; and it counts those whose first times they are where the question asks how many. Where these are counted
by rows of some kind alone (`their first completed visit`), it is the first of that kind.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Cond,
    During,
    First,
    Inside,
    Query,
    Related,
    TableKey,
    columns_in,
    is_total,
    mapped,
    nodes_in,
)

_HOW_MANY = Pattern(r"\b(?:how many|number of|count of)\b", re.IGNORECASE)


def by_first_times(query: Query, question: str) -> Query:
    """The tree with its period, and its count, of the first times that it groups by."""
    query = _once(query)
    firsts = [each.of for each in query.group if isinstance(each, Bucket) and isinstance(each.of, First)]
    return _of_its_kind(_by_first(query, firsts[0], question)) if len(firsts) == 1 else query


def _once(query: Query) -> Query:
    """The tree by the period of first times alone, where it is by the same period of all times as well."""
    firsts = [each for each in query.group if isinstance(each, Bucket) and isinstance(each.of, First)]
    again = [replace(each, of=each.of.of) for each in firsts if isinstance(each.of, First)]
    if not again or set(again).isdisjoint(query.group):
        return query
    order = tuple(each for each in query.order if each.by not in again)
    select, group = (tuple(each for each in part if each not in again) for part in (query.select, query.group))
    return replace(query, select=select, group=group, order=order)


def _by_first(query: Query, first: First, question: str) -> Query:

    def of_first(node: Any) -> Any:
        return replace(node, left=first) if isinstance(node, During) and node.left == first.of else node

    query = replace(query, where=tuple(mapped(each, of_first) for each in query.where))
    if not _HOW_MANY.search(question) or any(map(is_total, query.select)):
        return query
    return replace(query, select=(*query.select, Agg("count", first.by, distinct=True)))


def _of_its_kind(query: Query) -> Query:
    """The tree with the first of the rows that it looks at alone, where it counts whose they are."""
    first = next(each for each in nodes_in(query) if isinstance(each, First))
    counts = Agg("count", first.by, distinct=True)
    kind = tuple(each for each in query.where if _is_of(each, first.of.table))
    if not kind or first.where or [each for each in query.select if is_total(each)] != [counts]:
        return query
    of_kind: Query = mapped(query, lambda each: replace(first, where=kind) if each == first else each)
    return of_kind


def _is_of(condition: Cond, table: TableKey) -> bool:
    """Whether it is met by rows of a table whatever happened to others, and tells no time."""
    parts = list(nodes_in(condition))
    if any(isinstance(each, During | First | Related | Inside) for each in parts):
        return False
    return {each.table for each in columns_in(condition)} == {table}
