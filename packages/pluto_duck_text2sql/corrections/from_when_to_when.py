"""Both ends of a time: `from when to when was it held` shows the first day and the last, not one of the two.

Called by `corrections` for every tree. The ends are two times of one table that differ in which end their names tell,
dates and years alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.tree import Agg, Col, Expr, Query, is_total

_SAID = Pattern(
    r"\b(?:from|since) (?:when|what (?:date|day|year)),? (?:and )?(?:to|till|un?til|through) "
    r"(?:when|what (?:date|day|year))\b"
    r"|\b(?:first|start|begin(?:ning)?) and (?:the )?(?:last|end|finish) (?:date|day|year)s?\b"
    r"|\bwhen (?:did|does|do) [^.?!]+ (?:begin|start|open|join)(?:s|ed)? and (?:end|finish|stop|close|leave)\b",
    re.IGNORECASE,
)
_BEGINS = frozenset(map(stem, "start started begin began first from opened open joined arrival checkin since".split()))
_ENDS = frozenset(map(stem, "end ended finish finished last to until closed close left departure checkout".split()))
_YEAR = stem("year")


def from_when_to_when(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree with both ends of the time of which it shows one."""
    plain = not (query.group or query.then or query.nth)
    if not plain or not _SAID.search(question):
        return query
    query = replace(query, select=tuple(map(_itself, query.select)))
    for shown in () if any(map(is_total, query.select)) else query.select:
        ends = _ends(shown, catalog) if isinstance(shown, Col) else None
        if ends and not set(ends) <= set(query.select):
            select = [each for one in query.select for each in (ends if one == shown else (one,))]
            return _of_all(replace(query, select=tuple(dict.fromkeys(select))), ends)
    return query


def _itself(shown: Expr) -> Expr:
    """A time in place of the first of all, which nobody asked for."""
    is_end = isinstance(shown, Agg) and shown.function in ("min", "max") and not shown.where
    return shown.of if isinstance(shown, Agg) and is_end and isinstance(shown.of, Col) else shown


def _of_all(query: Query, ends: tuple[Col, Col]) -> Query:
    """No row is chosen by one of the two."""
    is_chosen = (query.per or query.limit) and all(each.by in ends for each in query.order)
    return replace(query, per=(), limit=None, order=()) if is_chosen else query


def _ends(shown: Col, catalog: Catalog) -> tuple[Col, Col] | None:
    """The first and the last time of the rows of which one is shown."""
    table = catalog.table(*shown.table)
    begins, ends = (list(_times(table, own)) if table else [] for own in (_BEGINS, _ENDS))
    if len(begins) != 1 or len(ends) != 1 or begins == ends or shown.name not in (*begins, *ends):
        return None
    return Col(shown.table, begins[0]), Col(shown.table, ends[0])


def _times(table: Table, said: frozenset[str]) -> Iterator[str]:
    """The times of a table whose names tell such an end."""
    for column in table.columns:
        if _is_time(column, table) and not said.isdisjoint(table.stems(column.name)):
            yield column.name


def _is_time(column: Column, table: Table) -> bool:
    return column.is_time or _YEAR in table.stems(column.name)
