"""Hours: those of the day where all days are meant together, and of the moment that a row keeps, not the day beside it.

Called by `corrections` for every tree. A day has no hours; the one column of moments in the same table has.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Bucket, Col, Query, mapped

_HOUR_OF_DAY = Pattern(
    r"\bhours? of (?:the |a )?day\b|\btime of (?:the )?day\b|\b(?:which|what) hours?\b", re.IGNORECASE
)
_DAYS = Pattern(r"\b(?:days?|daily|dates?)\b", re.IGNORECASE)
_GRAINS = ("hour", "hour_of_day")


def of_moments(query: Query, catalog: Catalog) -> Query:
    """The tree with its hours taken of moments."""
    made: Query = mapped(query, lambda each: _of_moment(each, catalog), (Bucket,))
    return made


def _of_moment(node: Any, catalog: Catalog) -> Any:
    if not (isinstance(node, Bucket) and node.grain in _GRAINS and isinstance(node.of, Col)):
        return node
    table = catalog.table(*node.of.table)
    column = table.column(node.of.name) if table else None
    moments = [each for each in table.columns if each.is_moment] if table else []
    if column is None or not column.is_day or len(moments) != 1:
        return node
    return Bucket(node.grain, Col(node.of.table, moments[0].name))


def by_hour_of_day(query: Query, question: str) -> Query:
    """`by hour of the day`: all days together; `at what time of day` asks for no day."""
    if not _HOUR_OF_DAY.search(question):
        return query
    grains = ("hour",) if _DAYS.search(_HOUR_OF_DAY.sub(" ", question)) else ("hour", "day")
    return mapped(query, lambda each: replace(each, grain="hour_of_day") if _is_of(each, grains) else each)


def _is_of(node: Any, grains: tuple[str, ...]) -> bool:
    return isinstance(node, Bucket) and node.grain in grains
