"""A month without a year is the latest one there was: `how many players registered in October`.

Rules read it so (periods.py); the network may take it for that month of every year, which is meant only where words
tell of several years, or of birthdays. Called by `corrections` for every tree.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.date_names import stems_of
from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.words import name_stems, tokenise
from pluto_duck_text2sql.times.periods import Period, find_periods
from pluto_duck_text2sql.tree import Bucket, Col, Compare, Cond, During, Grain, Query, mapped, nodes_in

_OF_SEVERAL_YEARS = re.compile(
    r"\b(?:any|every|each|all|per|by|across|over the|which|what) (?:of the )?years?\b|\byears\b"
    r"|\b(?:ever|overall|so far|all[- ]time|in total|to date)\b"
    r"|\b(?:any|every|each) (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b"
    r"|\b(?:usual|typical|general|historic)[a-z]*\b|\bseason(?:al[a-z]*)?\b|\bbirthdays?\b|\bborn\b",
    re.IGNORECASE,
)
_MONTH: Grain = "month_of_year"
_Made = Callable[[Cond, During], Cond]
_BORN = stems_of("birth born birthday")


def of_latest_month(query: Query, question: str, catalog: Catalog, today: dt.date) -> Query:
    """The tree with the latest of a month, or with that month of every year where the question tells of several."""
    dated = any(map(_date_of, (each for each in nodes_in(query) if isinstance(each, Compare | During))))
    said = find_periods(Words(tokenise(question))) if dated else []
    if len(said) != 1 or not said[0].name:
        return query
    made = _of_every if _OF_SEVERAL_YEARS.search(question) else _latest
    put: Query = mapped(query, lambda each: _put(each, made, said[0], catalog, today), (Compare, During))
    return query if put == query else put


def _put(condition: Cond, made: _Made, period: Period, catalog: Catalog, today: dt.date) -> Cond:
    """The condition over the latest such month of its date, or over that month of every year."""
    column = _date_of(condition)
    if column is None or _BORN.intersection(name_stems(column.name)):
        return condition
    day = catalog.last_day(*column.table, column.name, today)
    start, end = period.resolve(day)
    return made(condition, During(column, start, end, period, day)) if start and end else condition


def _latest(condition: Cond, latest: During) -> Cond:
    return latest if isinstance(condition, Compare) and condition.right == latest.start.month else condition


def _of_every(condition: Cond, latest: During) -> Cond:
    is_latest = isinstance(condition, During) and condition == latest and isinstance(latest.left, Col)
    return Compare(Bucket(_MONTH, latest.left), "=", float(latest.start.month)) if is_latest else condition


def _date_of(condition: Cond) -> Col | None:
    """The date of which a condition holds one month of every year, or a period."""
    if isinstance(condition, During):
        return condition.left if isinstance(condition.left, Col) else None
    left = condition.left if isinstance(condition, Compare) and condition.operator == "=" else None
    of = left.of if isinstance(left, Bucket) and left.grain == _MONTH else None
    return of if isinstance(of, Col) else None
