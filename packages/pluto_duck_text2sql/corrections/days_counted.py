"""Days are counted once each: `on how many days was it below zero`, of rows of which a day may have several.

Called by `corrections` for every tree. Pure.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Agg, Bucket, Col, Compare, Query, Rows, mapped

_DAYS = Pattern(
    r"\b(?:how many|number of) (?:[a-z]+ )?(?:days|dates)\b(?! (?:between|from|passed|does|do|did it take))",
    re.IGNORECASE,
)


def days_once_each(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree with the different days where it counts those of rows, or the rows themselves by a bound of theirs."""
    if not _DAYS.search(question):
        return query
    is_bounded = any(isinstance(each, Compare) and isinstance(each.right, int | float) for each in query.where)
    return mapped(query, partial(_once, catalog=catalog, is_bounded=is_bounded), (Agg,))


def _once(node: Any, catalog: Catalog, is_bounded: bool) -> Any:
    if not isinstance(node, Agg) or node.function != "count" or node.distinct:
        return node
    of = _only_day(node.of, catalog) if is_bounded and isinstance(node.of, Rows) else node.of
    stored = catalog.column(*of.table, of.name) if isinstance(of, Col) else None
    if not isinstance(of, Col) or stored is None or not stored.is_time:
        return node
    return replace(node, of=of if stored.is_day else Bucket("day", of), distinct=True)


def _only_day(rows: Rows, catalog: Catalog) -> Col | None:
    """The one time of rows, where it is a day that several of them share."""
    table = catalog.table(*rows.table)
    times = [each for each in table.columns if each.is_time] if table else []
    if table is None or len(times) != 1 or not times[0].is_day:
        return None
    return Col(rows.table, times[0].name) if (times[0].n_distinct or 0) < (table.row_count or 0) else None
