"""The time that `in that year`, `then` and `the same month` stand for: of the only row shown, or of the answer."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import Any

from pluto_duck_text2sql.followups.pronouns import SUCH
from pluto_duck_text2sql.followups.trees import times
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.times.calendar_days import floor, shift
from pluto_duck_text2sql.tree import Bucket, During, Query

_UNIT = "year|quarter|month|week|day"
_THEN = Pattern(
    rf"\b(?:(?:in|during|for|over) {SUCH}|that|the same) (?:(?P<unit>{_UNIT})|period|time)s?\b"
    r"|\b(?:back )?then(?=[?.!,]|$)",
    re.IGNORECASE,
)
_SHAPES = {"year": "in %Y", "month": "in %B %Y", "day": "on %Y-%m-%d"}


def asks_of_other_time(question: str, shown: Query, reader: Reader) -> bool:
    """Whether it asks of a time that the answer before is not held to as it is: `in that year` after a month of it."""
    said = next((each["unit"].lower() for each in _THEN.finditer(question) if each["unit"]), None)
    if said is None:
        return False
    held = _asked_for(shown, reader)
    is_held = held is not None and held == _whole(held[0], said)
    return not is_held or any(isinstance(each, Bucket) for each in shown.group)


def with_that_time(text: str, earlier: Query, reader: Reader, shown: Sequence[tuple[Any, ...]]) -> str:
    """The text with the time that it leans on told in its own words."""
    return _THEN.sub(lambda said: _meant(said, earlier, reader, shown), text)


def _meant(said: re.Match[str], earlier: Query, reader: Reader, shown: Sequence[tuple[Any, ...]]) -> str:
    """`in that year` as the time that the answer before speaks of: that of the only row shown, or of all of them."""
    meant = _told_by(earlier, shown) or _asked_for(earlier, reader)
    if meant is None:
        return said[0]
    first, end = meant
    wider = _whole(first, said["unit"].lower()) if said["unit"] else meant
    return _in_words(*(wider if wider[1] >= end else meant))


def _whole(day: dt.date, unit: str) -> tuple[dt.date, dt.date]:
    """The unit of time that holds a day, its end excluded."""
    start = floor(day, unit)
    return start, shift(start, unit, 1)


def _told_by(earlier: Query, shown: Sequence[tuple[Any, ...]]) -> tuple[dt.date, dt.date] | None:
    """The time that the only row shown tells, its end excluded; None where there are others."""
    buckets = [(n, each) for n, each in enumerate(earlier.select) if isinstance(each, Bucket)]
    day = shown[0][buckets[0][0]] if len(buckets) == 1 and len(shown) == 1 else None
    if not isinstance(day, dt.date) or buckets[0][1].grain not in _UNIT.split("|"):
        return None
    return _whole(dt.date(day.year, day.month, day.day), buckets[0][1].grain)


def _asked_for(earlier: Query, reader: Reader) -> tuple[dt.date, dt.date] | None:
    """The time that the answer before is held to, its end excluded."""
    found = next((each for each in times(earlier, reader) if isinstance(each, During)), None)
    return (found.start, found.end) if found else None


def _in_words(start: dt.date, end: dt.date) -> str:
    """The time from the one day to before the other, as a question says it."""
    for unit, shape in _SHAPES.items():
        if (start, end) == _whole(start, unit):
            return start.strftime(shape)
    return f"from {start.isoformat()} to {(end - dt.timedelta(days=1)).isoformat()}"
