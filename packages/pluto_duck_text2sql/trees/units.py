"""Amounts in other units than a column keeps: `longer than half an hour` of milliseconds, `5 percent` of fractions.

A column's unit is in its name or its comment; of a duration that names none the range tells the likeliest.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Column
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, stem

_SECONDS = {"millisecond": 0.001, "second": 1.0, "minute": 60.0, "hour": 3600.0, "day": 86400.0, "week": 604800.0}
_SAID = {
    **{word: unit for unit in _SECONDS for word in (unit, f"{unit}s")},
    **dict.fromkeys(("min", "mins"), "minute"),
    **dict.fromkeys(("sec", "secs"), "second"),
    **dict.fromkeys(("ms", "msec"), "millisecond"),
    **dict.fromkeys(("hr", "hrs"), "hour"),
    **dict.fromkeys(("percent", "per cent", "percentage"), "percent"),
}
_NAMED = Pattern(
    r"(?i:milli_?seconds?|(?<![a-z])(?:ms|msec)(?![a-z])|(?P<s>seconds?|(?<![a-z])secs?(?![a-z]))"
    r"|(?P<m>minutes?|(?<![a-z])mins?(?![a-z]))|(?P<h>hours?(?!ly)|(?<![a-z])hrs?(?![a-z])))"
)
_PER = Pattern(r"(?:(?<=[a-z])P|(?<![a-z])p)er(?![a-z])")
"""`HoursPerWeek`, `minutes_per_game`: a rate, which no span is."""
_SPANS = Pattern(r"duration|length|runtime|elapsed|latency|time", re.IGNORECASE)
_LASTS = Pattern(r"duration|length|runtime|elapsed", re.IGNORECASE)
_SCALES = {
    stem("million"): 1e6,
    stem("millions"): 1e6,
    "mio": 1e6,
    stem("thousand"): 1e3,
    stem("billion"): 1e9,
    "bn": 1e9,
}
_SHORT_SCALE = Pattern(r"(?:^|[\W_])(?P<of>k|m|mm|bn)(?:usd|eur|gbp|chf|dollars?|euros?|pounds?)?$", re.IGNORECASE)
_OF_SHORT = {"k": 1e3, "m": 1e6, "mm": 1e6, "bn": 1e9}
_CURRENCY = Pattern(r"(?:usd|eur|gbp|chf|dollars?|euros?|pounds?)$", re.IGNORECASE)
_MANY = 100_000
_MOST_MINUTES = 1_440
DURATIONS = ("duration", "millisecond", "length", "runtime", "second", "minute", "hour")
"""What columns that hold spans of time are called."""


DAYS_OF = {"weeks": 7, "months": 30.4375, "years": 365.25}
"""How many days longer units have, on average."""


def unit_said(word: str) -> str:
    """The unit that a word is, `hour` for `hrs`; nothing where it is none."""
    return _SAID.get(word, "")


def is_span(unit: str) -> bool:
    """Whether it is a unit of time."""
    return unit in _SECONDS


def as_stored(number: float, unit: str, column: Column) -> float:
    """The amount in the column's own unit; itself where either says none."""
    if unit == "percent":
        return round(number / 100, 12) if _is_fraction(column) else number
    own = unit_of(column)
    if unit not in _SECONDS or not own:
        return number
    made = number * _SECONDS[unit] / _SECONDS[own]
    return number if is_guessed(column) and _holds(column, number) and not _holds(column, made) else made


def in_named_scale(number: float, column: Column) -> float:
    """40 where 40,000,000 is said of `budget_million`: the name says so, and nothing in the column is so large."""
    scale = scale_of(column)
    if column.kind != "number" or column.maximum is None or abs(number) < scale:
        return number
    return number / scale if float(column.maximum) < abs(number) else number


def scale_of(column: Column) -> float:
    """How much one of the column's stands for, by its name: 1,000 of `budget_kusd`, a million of `damage_millions`."""
    short = _SHORT_SCALE.search(column.name) if _CURRENCY.search(column.name) else None
    spelt = next((_SCALES[each] for each in name_stems(column.name) if each in _SCALES), 1.0)
    return _OF_SHORT[short["of"].lower()] if short else spelt


def per_unit(unit: str, column: Column) -> float | None:
    """How many of the column's own unit are one of `unit`; None where the column's is not known."""
    own = unit_of(column)
    return _SECONDS[unit] / _SECONDS[own] if unit in _SECONDS and own else None


def _is_fraction(column: Column) -> bool:
    """Whether the values are parts of 1."""
    named = re.search(r"percent|pct", column.name, re.IGNORECASE)
    low, high = column.minimum, column.maximum
    return not named and low is not None and high is not None and float(low) >= 0 and float(high) <= 1


def unit_of(column: Column) -> str:
    """The unit of time that a column's name or comment says, else the likeliest by its range; nothing for none."""
    found = _NAMED.search(column.name) or _NAMED.search(column.comment)
    if found and not _PER.search(column.name):
        return "second" if found["s"] else "minute" if found["m"] else "hour" if found["h"] else "millisecond"
    low, high = column.minimum, column.maximum
    if column.kind != "number" or low is None or high is None or not _SPANS.search(column.name):
        return ""
    if float(high) >= _MANY:
        return "second" if 0 < float(low) < 1 / _SECONDS["millisecond"] else "millisecond"
    if not _LASTS.search(column.name) or float(high) <= _SECONDS["minute"]:
        return ""
    return "minute" if float(high) <= _MOST_MINUTES else "second"


def is_guessed(column: Column) -> bool:
    """Whether nothing but the range tells a column's unit."""
    return not (_NAMED.search(column.name) or _NAMED.search(column.comment)) and bool(unit_of(column))


def _holds(column: Column, number: float) -> bool:
    """Whether a number lies in a column's range."""
    return float(column.minimum) <= number <= float(column.maximum)
