"""By month over the last three months: those that are over, and no part of a fourth.

A span that counts back from the day that periods count from begins within a unit; groups by that unit would begin and
end with a part of one. Called by `corrections` for every tree.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.times.calendar_days import floor, shift
from pluto_duck_text2sql.times.periods import Period, periods_said
from pluto_duck_text2sql.tree import Bucket, Col, Cond, During, Query

_UNITS = ("week", "month", "quarter", "year")
_MOST = 60
_TO_DATE = Pattern(
    r"\b(?:includ(?:e|ing)|so far|to date|current|up to|until|this (?:week|month|quarter|year))\b", re.IGNORECASE
)


def of_whole_units(query: Query, question: str, catalog: Catalog, today: dt.date) -> Query:
    """The tree with its rolling span cut to the units of it that were over, where it is grouped by such."""
    grains = {each.grain for each in query.group if isinstance(each, Bucket)}
    if (
        _TO_DATE.search(question)
        or not grains.intersection(_UNITS)
        or not any(isinstance(each, During) for each in query.where)
    ):
        return query
    spans = [each for each in periods_said(question) if each.relative and each.grain in grains]
    where = tuple(_whole(each, spans, catalog, today) for each in query.where)
    return query if where == query.where else replace(query, where=where)


def _whole(condition: Cond, spans: Sequence[Period], catalog: Catalog, today: dt.date) -> Cond:
    if not isinstance(condition, During) or not isinstance(condition.left, Col):
        return condition
    day = catalog.last_day(*condition.left.table, condition.left.name, today)
    own, counted_from = (condition.start, condition.end), condition.end - dt.timedelta(days=1)
    for each in spans:
        is_it = _is_rolling(each, counted_from) and own == each.resolve(counted_from)
        count = _count(*own, each.grain) if is_it else 0
        if count > 1:
            end = floor(day, each.grain)
            return During(condition.left, shift(end, each.grain, -count), end, each, day)
    return condition


def _is_rolling(period: Period, day: dt.date) -> bool:
    """Whether it ends with a day that is within one of its units."""
    start, end = period.resolve(day)
    is_cut = start is not None and floor(start, period.grain) != start
    return period.grain in _UNITS and is_cut and end == day + dt.timedelta(days=1)


def _count(start: dt.date, end: dt.date, unit: str) -> int:
    """How many units lie between two days; 0 where that is no whole number."""
    return next((n for n in range(1, _MOST) if shift(start, unit, n) == end), 0)
