"""Spans of what happened: `how long does an order take` is from its start to its end, not from when that was planned.

Called by `corrections` for every tree. Where a table keeps the same day twice, as planned and as it came, only a
question that speaks of a plan, or of what is late by it, counts from the planned one.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.date_names import is_meant
from pluto_duck_text2sql.data.event_dates import as_it_came
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Col, Days, Query, mapped
from pluto_duck_text2sql.trees.durations import Durations

_OF_PLANS = Pattern(
    r"\b(?:plan(?:s|ned)?|schedul\w*|promis\w*|expect\w*|estimat\w*|target\w*|due|requir\w*|deadlines?|late(?:r|ness)?"
    r"|delay\w*|behind|ahead|early|earlier|on time|overdue|slip\w*|over-?r[ua]ns?|punctual\w*|wait\w*)\b",
    re.IGNORECASE,
)


def as_it_went(query: Query, question: str, catalog: Catalog, durations: Durations) -> Query:
    """The tree with each span from a planned day as that of what came about."""
    if _OF_PLANS.search(question):
        return query
    made: Query = mapped(query, partial(_as_it_went, catalog=catalog, durations=durations), (Days,))
    return made


def _as_it_went(node: Any, catalog: Catalog, durations: Durations) -> Any:
    if not isinstance(node, Days) or not isinstance(node.start, Col) or not isinstance(node.end, Col):
        return node
    table = catalog.table(*node.start.table)
    if table is None or node.end.table != table.key or not is_meant(table.stems(node.start.name)):
        return node
    came, length = as_it_came(table, node.start.name), durations.length(table)
    if len(came) != 1 or length is None:
        return node
    is_of_start = node.end.name in came or is_meant(table.stems(node.end.name))
    start, end = (length.start, length.end) if is_of_start else (Col(table.key, came[0]), node.end)
    return Days(start, end, node.unit)
