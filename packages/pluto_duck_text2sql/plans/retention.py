"""Who stays: `retention by signup month`, `weekly retention of players`, `cohort analysis`, `month 1 retention`.

Everybody belongs to the period of the beginning: of the sign-up where that is said, else of the first thing done. For
each such cohort, how many of it did anything so many periods later, and what part of the cohort that is.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import Literal, cast

from pluto_duck_text2sql.analysis import Candidate, Part
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.starting import started
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.plans.composing import with_columns
from pluto_duck_text2sql.plans.readings import Readings, planned
from pluto_duck_text2sql.reading.frames import UNIT, Deeds
from pluto_duck_text2sql.tree import Agg, Bucket, Col, Compare, Cond, Days, First, Grain, Order, Passed, Query, Rows
from pluto_duck_text2sql.trees.titles import words

_LEAD = r"^(?:(?:show(?: me)?|give me|what(?:['’]s| is| are| was)|how is) )?(?:the |our )?"
_GRAINS = {"daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter", "yearly": "year"}
PATTERNS = tuple(
    Pattern(_LEAD + pattern + r"(?P<by>,? (?:by|per|of|for|in|since|from|after) .+)?$", re.IGNORECASE)
    for pattern in (
        rf"(?:(?P<ly>{'|'.join(_GRAINS)}) )?(?:(?P<unit>{UNIT}|d|w|m)[ -]?(?P<n>\d+) )?(?:cohort )?"
        r"(?:(?P<who>(?!cohort)[a-z]+) )?(?:cohort )?retention(?: rates?| analysis| table| curves?| cohorts?| matrix)?",
        rf"(?:(?P<ly>{'|'.join(_GRAINS)}) )?(?P<unit>(?!))?(?P<n>(?!))?(?:(?P<who>[a-z]+) )?"
        r"cohort (?:analysis|table|matrix)",
    )
)
_MOST_PERIODS = 500
_UNITS = {"d": "day", "w": "week", "m": "month"}
_OF = Pattern(r"^,? (?:of|for) (?:the |our |all )?(?P<who>[a-z]+)\b", re.IGNORECASE)
_SIGNED_UP = Pattern(r"\b(?:sign(?:ed|ing)?[- ]?ups?|registration|registered|joined|joining|created)\b", re.IGNORECASE)
_FIRST = Pattern(r"\bfirst (?P<deed>[a-z]+)", re.IGNORECASE)
_PERIOD = Pattern(r"\b(?P<when>(?:in|since|from|after) (?:[a-z]+ )?\d{4})\b", re.IGNORECASE)
_ASKED = Pattern(r"\bretention\b", re.IGNORECASE)
_UNTOLD = (
    "Retention is told of cohorts: those who began in one period, by how many periods later they did something. Ask for"
    " monthly retention, for retention by signup month, or for month 1 retention."
)
_KNOWN = Pattern(
    rf"\b(?:by|per|of|for|in|the|our|all|each|every|their|month|cohorts?|date|{UNIT}|when|they|who|those)s?\b",
    re.IGNORECASE,
)


def plan(found: re.Match[str], readings: Readings) -> Candidate | None:
    """How many of each cohort did anything so many periods later; None where words are left, or nobody does any."""
    by = found["by"] or ""
    period = _PERIOD.search(by)
    by = f"{by[: period.start()]} {by[period.end() :]}" if period else by
    owner, left = _whose(found["who"], by, readings)
    first = _FIRST.search(left)
    deeds = _deeds(owner, first["deed"] if first else "", readings) if owner else None
    left = _KNOWN.sub(" ", _SIGNED_UP.sub(" ", _FIRST.sub(" ", left)))
    if owner is None or deeds is None or left.strip(" ,"):
        return None
    begun = (started(owner) if _SIGNED_UP.search(by) else None) or First(deeds.date, deeds.owner)
    within = readings.parts.during(period["when"], begun) if period else None
    if period and (within is None or within[1]):
        return None
    spans = _spans(found, by)
    is_long = spans.n is not None and spans.n > _MOST_PERIODS
    return None if is_long else _planned(owner, deeds, begun, (within[0],) if within else (), spans, readings)


def _spans(found: re.Match[str], by: str) -> _Spans:
    """The spans that are said; months where none is."""
    unit = found["unit"].lower() if found["unit"] else ""
    unit = _UNITS.get(unit, unit)
    grain = _unit_in(by) or _GRAINS.get((found["ly"] or "").lower(), "") or unit or "month"
    return _Spans(cast(Grain, grain), cast(Passed, unit or grain), int(found["n"]) if found["n"] else None)


def untold(text: str, readings: Readings) -> str:
    """Why there is no answer, where retention is asked in another way and nothing here is called so; else nothing."""
    is_asked = _ASKED.search(text) is not None and not readings.parts.reader.names.find((stem("retention"),))
    return _UNTOLD if is_asked and readings.whom else ""


def _whose(said: str | None, by: str, readings: Readings) -> tuple[Table | None, str]:
    """Whose retention, and what is said beside that."""
    of = _OF.match(by)
    named = readings.parts.table(of["who"]) if of else None
    if named:
        return named, by[of.end() :] if of else by
    return (readings.parts.table(said) if said else readings.whom), by


def _deeds(owner: Table, words_said: str, readings: Readings) -> Deeds | None:
    """What they do: what is said, else being there, else anything."""
    parts = readings.parts
    return parts.deeds(owner, words_said) if words_said else parts.activity(owner)


def _unit_in(by: str) -> str:
    units = re.findall(rf"\b(?:{UNIT})\b", by.lower())
    return units[0] if units else ""


@dataclass(frozen=True)
class _Spans:
    """By what the cohorts are, in what it is counted since then, and after how many where one number alone is asked."""

    cohort: Grain
    since: Passed | Literal["day"]
    n: int | None


def _planned(
    owner: Table, deeds: Deeds, begun: Col | First, where: tuple[Cond, ...], spans: _Spans, readings: Readings
) -> Candidate | None:
    """The size of each cohort, those of it that did something each period later, and both together."""
    cohort = Bucket(spans.cohort, begun)
    sizes = readings.sql(_sizes(owner, deeds, cohort, where))
    stayed = readings.sql(_active(deeds, cohort, where, spans))
    base = readings.of(f"number of {deeds.table[1].replace('_', ' ')}")
    if sizes is None or stayed is None or base is None:
        return None
    active = with_columns(stayed, "cohort", "since", "active")
    parts = [
        Part("cohorts", f"{owner.name} by {words(cohort)}", with_columns(sizes, "cohort", "size")),
        Part("stayed", f"those of them that were active {spans.since}s later", active),
    ]
    told = [f"{owner.name} begin with {words(begun)}; active is who has a row in {'.'.join(deeds.table)}."]
    day = readings.catalog.last_day(*deeds.date.table, deeds.date.name, readings.parts.reader.today)
    last = _last(spans.since) if spans.n is None else _after(spans.since, spans.n, day)
    return planned([base], f"Retention of {owner.name} by {spans.cohort}", parts, last, told)


def _sizes(owner: Table, deeds: Deeds, cohort: Bucket, where: tuple[Cond, ...]) -> Query:
    """How many are of each cohort."""
    of_rows = isinstance(cohort.of, Col)
    everybody = Agg("count", Rows(owner.key)) if of_rows else Agg("count", deeds.owner, distinct=True)
    anchor = owner.key if of_rows else deeds.table
    return Query(anchor, (cohort, everybody), where, (cohort,), order=(Order(cohort),))


def _active(deeds: Deeds, cohort: Bucket, where: tuple[Cond, ...], spans: _Spans) -> Query:
    """How many of each cohort did something each period later, or after so many."""
    since = Days(cast(Col | First, cohort.of), deeds.date, spans.since)
    later = Compare(since, ">=", 0) if spans.n is None else Compare(since, "=", spans.n)
    shown = (cohort, since, Agg("count", deeds.owner, distinct=True))
    order = (Order(cohort), Order(since))
    return Query(deeds.table, shown, (*where, later), (cohort, since), order=order, flat=True)


def _after(unit: str, n: int, day: dt.date) -> str:
    """Every cohort that began so long ago, also one of which nobody is left."""
    return (
        f"SELECT cohorts.cohort, cohorts.size AS cohort_size, {n} AS {unit}s_since,"
        " coalesce(stayed.active, 0) AS active, 100.0 * coalesce(stayed.active, 0) / cohorts.size AS percent"
        " FROM cohorts LEFT JOIN stayed"
        f" ON stayed.cohort = cohorts.cohort WHERE cohorts.cohort + INTERVAL {n} {unit} <= DATE '{day.isoformat()}'"
        " ORDER BY cohorts.cohort"
    )


def _last(grain: str) -> str:
    return (
        f"SELECT stayed.cohort, cohorts.size AS cohort_size, stayed.since AS {grain}s_since, stayed.active,"
        " 100.0 * stayed.active / cohorts.size AS percent FROM stayed JOIN cohorts ON stayed.cohort = cohorts.cohort"
        " ORDER BY stayed.cohort, stayed.since"
    )
