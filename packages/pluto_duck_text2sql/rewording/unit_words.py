"""Units of time as the data keeps them: `hours of delay` of delay minutes, `rate per hour` of hourly rates, nights."""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, name_words, stem

_UNITS = frozenset(map(stem, "second minute min mins hour hr day sec ms millisecond".split()))
_SPENT_ON = Pattern(
    r"^how many (?P<unit>seconds|minutes|hours|days|weeks) of (?P<what>[a-z]+)"
    r"(?= (?:did|do|does|were|was|are|is|have|has)\b)(?: (?:were|was|are|is|have|has) (?:there|been)(?: been)?)?"
    r"(?P<rest>[^?.;]*)",
    re.IGNORECASE,
)
_PER = Pattern(r"\b(?P<what>[a-z]+) (?:per|an?) (?P<unit>hour|day|week|month|quarter|year)\b", re.IGNORECASE)
_NIGHTS = Pattern(
    r"(?<=\bhow many )nights\b(?=.*\b(?:stay|stays|stayed|spend|spent)\b)|(?<=\bin )nights\b", re.IGNORECASE
)
"""Nights are the days between the two dates of a stay, where nothing counts them."""
_BOUND = r"(?:(?:longer|shorter|more|less|fewer|older|younger|later|earlier|sooner) than|within|at least|at most|up to)"
_BOUND_BY_ONE = Pattern(
    rf"\b(?P<bound>{_BOUND}) an? (?P<unit>minute|hour|day|week|month|quarter|year)\b", re.IGNORECASE
)

_NAMED = 0.9


def bound_by_one(text: str) -> str:
    """`longer than a week` as longer than one week: no row for each week is asked for."""
    return _BOUND_BY_ONE.sub(r"\g<bound> one \g<unit>", text)


def nights_as_days(text: str, names: NameIndex) -> str:
    """`how many nights` as days, where nothing here is called a night."""
    return text if names.find((stem("night"),)) else _NIGHTS.sub("days", text)


def in_kept_units(text: str, names: NameIndex) -> str:
    """`how many hours of delay` of the unit in which that is kept."""
    return _SPENT_ON.sub(lambda match: _in_unit(match, names), text)


def at_kept_rates(text: str, names: NameIndex) -> str:
    """`rate per hour` by the name that a column of such rates has."""
    return _PER.sub(lambda match: _in_its_unit(match, names), text)


def _in_its_unit(match: re.Match[str], names: NameIndex) -> str:
    """`the rate per hour` as `the hourly rate`, where a column is called so: the hour is what its amounts are for, and
    no hour of the day."""
    what, often, unit = stem(match["what"].lower()), _often(match["unit"]), match["unit"].lower()
    forms = ((stem(often), what), (what, "per", stem(unit)))
    named = any(each.column and each.score >= _NAMED for form in forms for each in names.called(form))
    return f"{often} {match['what']}" if named else match[0]


def _in_unit(match: re.Match[str], names: NameIndex) -> str:
    """`how many hours of delay` as `total delay minutes, in hours`, where that is kept in another unit."""
    tables = [each.table for each in names.called((stem(match["what"].lower()),))]
    numbers = [column for table in tables for column in table.columns if column.kind == "number"]
    timed = next((each for each in numbers if not _UNITS.isdisjoint(name_stems(each.name))), None)
    if timed is None or names.called((stem(match["unit"].lower()),)):
        return match[0]
    return f"total {' '.join(name_words(timed.name))}{match['rest'].rstrip()}, in {match['unit']}"


def _often(unit: str) -> str:
    return "daily" if unit.lower() == "day" else f"{unit.lower()}ly"
