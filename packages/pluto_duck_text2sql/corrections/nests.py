"""Figures of what a query finds of each of something, put right: `avg` of counts, `median` of sums.

What restricts the rows restricts those that are counted for each, or it restricts nothing; and `the median value of a
sale` is of the sales themselves, which are rows, whatever else the question names.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem, table_stems
from pluto_duck_text2sql.tree import Agg, Col, Nested, Query

_OF_ONE = Pattern(
    r"\b(?:average|mean|median|typical)\b[^,;.?]*? (?:of|per|in|for|on) (?:an?|one|a single) (?P<row>[a-z]+)\b"
    r"|\b(?:in|of|on|for|per) (?:an?|the) (?:average|typical|median|normal) (?P<mean>[a-z]+)\b",
    re.IGNORECASE,
)


def within(query: Query) -> Query:
    """The tree with what restricts its rows where these are counted, if all that it shows is of such queries."""
    inner = [_inner(each) for each in query.select]
    if not query.where or query.group or query.then or not inner or None in inner:
        return query
    shown = tuple(
        replace(each, of=Nested(replace(of, where=(*of.where, *query.where))))
        for each, of in zip(query.select, inner, strict=True)
        if isinstance(each, Agg) and of
    )
    return replace(query, select=shown, where=())


def of_rows(query: Query, question: str) -> Query:
    """The tree with a figure of the rows that are named as such, in place of one of sums of other groups of them."""
    inner = _inner(query.select[0]) if len(query.select) == 1 else None
    if inner is None or query.group or query.then or query.where or inner.having or inner.limit:
        return query
    figure, summed = query.select[0], inner.select[-1]
    column = summed.of if isinstance(summed, Agg) and summed.function in ("sum", "avg") and not summed.where else None
    if not isinstance(figure, Agg) or not isinstance(column, Col):
        return query
    rows = {stem(each.lower()) for found in _OF_ONE.finditer(question) for each in found.groups() if each}
    if not rows.intersection(table_stems(column.table[1])[-1:]):
        return query
    return Query(column.table, (replace(figure, of=column),), inner.where)


def _inner(shown: Any) -> Query | None:
    """The query whose values a figure is of."""
    is_plain = isinstance(shown, Agg) and not shown.where
    return shown.of.query if is_plain and isinstance(shown.of, Nested) else None
