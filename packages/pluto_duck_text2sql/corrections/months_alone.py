"""A month, or another part of a year, is the latest there was where no year is said: `players registered in October`,
`what did we sell in the third quarter`.

Rules read it so (yearless.py); the network may take it for that month of every year, which is meant only where words
tell of several years, or of birthdays. Called by `corrections` for every tree.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.date_names import stems_of
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems
from pluto_duck_text2sql.times.calendar_days import month_seen, shift
from pluto_duck_text2sql.times.periods import Period, periods_said
from pluto_duck_text2sql.tree import (
    Bucket,
    Col,
    Compare,
    Cond,
    During,
    Either,
    Every,
    Grain,
    Query,
    mapped,
    nodes_in,
)

_MONTHS_OF_A_YEAR = 12
_OF_SEVERAL_YEARS = Pattern(
    r"\b(?:any|every|each|all|per|by|across|over the|which|what) (?:of the )?years?\b|\byears\b"
    r"|\b(?:ever|overall|so far|all[- ]time|in total|to date)\b"
    r"|\b(?:any|every|each) (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b"
    r"|\b(?:usual|typical|general|historic)[a-z]*\b|\bseason(?:al[a-z]*)?\b|\bbirthdays?\b|\bborn\b",
    re.IGNORECASE,
)
_GRAINS: tuple[Grain, ...] = ("month_of_year", "quarter_of_year")
_BORN = stems_of("birth born birthday")


def of_latest_month(query: Query, question: str, catalog: Catalog, today: dt.date) -> Query:
    """The tree with the latest of a month, or with that month of every year where the question tells of several."""
    dated = any(map(_date_of, (each for each in nodes_in(query) if isinstance(each, Compare | During))))
    said = periods_said(question) if dated else []
    if not said or not all(each.name for each in said):
        return query
    parts = _Parts(said, catalog, today, of_every=_OF_SEVERAL_YEARS.search(question) is not None)
    put: Query = mapped(query, parts.put, (Compare, During))
    return query if put == query else _once(put)


@dataclass(frozen=True)
class _Parts:
    """Parts of a year that are said without one: the latest of each, or those of every year."""

    periods: Sequence[Period]
    catalog: Catalog
    today: dt.date
    of_every: bool

    def put(self, condition: Any) -> Any:
        """The condition over the latest such part of its date, or over that of every year."""
        column = _date_of(condition)
        latest = list(self._latest(column)) if column else []
        if isinstance(condition, During):
            return _of_every(condition) if self.of_every and condition in latest else condition
        within = [each for each in latest if not self.of_every and _is_within(condition, each)]
        return within[0] if within else self._other_month(condition, column) if latest else condition

    def _other_month(self, condition: Compare, column: Col | None) -> Cond:
        """The latest of another month, said without what leads to a period: `October compared with September`."""
        month = condition.right if isinstance(condition.left, Bucket) and condition.left.grain == _GRAINS[0] else None
        if self.of_every or column is None or condition.operator != "=" or not isinstance(month, int | float):
            return condition
        day = self.catalog.last_day(*column.table, column.name, self.today)
        return During(column, *month_seen(int(month), day), None, day)

    def _latest(self, column: Col) -> Iterator[During]:
        if _BORN.intersection(name_stems(column.name)):
            return
        day = self.catalog.last_day(*column.table, column.name, self.today)
        for each in self.periods:
            start, end = each.resolve(day)
            if start and end:
                yield During(column, start, end, each, day)


def _once(query: Query) -> Query:
    """The tree with each part said once: both its ends were compared."""
    where = tuple(dict.fromkeys(query.where))
    return replace(query, where=where) if len(where) < len(query.where) else query


def _is_within(condition: Compare, latest: During) -> bool:
    """Whether a part of every year that a condition tells is one of those, or an end of them."""
    grain = condition.left.grain if isinstance(condition.left, Bucket) else "month_of_year"
    return condition.right in _parts(latest, grain)


def _parts(latest: During, grain: Grain) -> list[float]:
    """The months or quarters of the period, as numbers, in order."""
    months = [shift(latest.start, "month", n) for n in range(_MONTHS_OF_A_YEAR)]
    within = [each.month for each in months if each < latest.end]
    numbers = within if grain == _GRAINS[0] else dict.fromkeys((each + 2) // 3 for each in within)
    return [float(each) for each in numbers]


def _of_every(latest: During) -> Cond:
    """The months of the period in any year; as it is where it begins or ends within one."""
    months, column = _parts(latest, _GRAINS[0]), latest.left
    if not isinstance(column, Col) or latest.start.day != 1 or latest.end.day != 1:
        return latest
    of_any = Bucket(_GRAINS[0], column)
    if len(months) == 1:
        return Compare(of_any, "=", months[0])
    ends: tuple[Cond, ...] = (Compare(of_any, ">=", months[0]), Compare(of_any, "<=", months[-1]))
    return Every(ends) if months[0] < months[-1] else Either(ends)


def _date_of(condition: Cond) -> Col | None:
    """The date of which a condition holds a part of every year, or a period."""
    if isinstance(condition, During):
        return condition.left if isinstance(condition.left, Col) else None
    left = condition.left if isinstance(condition, Compare) and condition.operator in ("=", ">=", "<=") else None
    of = left.of if isinstance(left, Bucket) and left.grain in _GRAINS else None
    return of if isinstance(of, Col) else None
