"""Times as results hold them: dates, timestamps, years as numbers, months and quarters as text.

`fields.py` asks for a column's grain, `labels.py` how a time of that grain is written.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import Any, Literal

Grain = Literal["none", "year", "quarter", "month", "day", "time"]

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}$")
_STAMP = re.compile(r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)")
_MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])$")
_QUARTER = re.compile(r"(\d{4})[- ]?Q([1-4])$")
_YEARS = range(1000, 3000)
_MONTHS_OF_QUARTER = 3
_DAYS_OF_YEAR = 366
_FORMATS: dict[Grain, str] = {"year": "%Y", "month": "%b %Y", "day": "%-d %b %Y", "time": "%-d %b %Y %H:%M"}


def is_iso(text: str) -> bool:
    """Whether `to_iso` wrote it."""
    return bool(_STAMP.match(text))


def grain_of(name: str, kind: str, known: Sequence[Any]) -> Grain:
    """How finely a column tells time; `none`: it is no time."""
    if re.search(r"INT", kind):
        is_year = re.search(r"(^|_)year$", name.casefold()) and all(_is_year(value) for value in known)
        return "year" if is_year else "none"
    if kind.startswith(("DATE", "TIMESTAMP")) and all(_STAMP.match(text) or _DATE.match(text) for text in known):
        return _finest([to_iso(text) for text in known])
    if kind != "VARCHAR":
        return "none"
    if all(map(_MONTH.match, known)):
        return "month"
    if all(map(_QUARTER.match, known)):
        return "quarter"
    return _finest([to_iso(text) for text in known]) if all(map(_DATE.match, known)) else "none"


def _is_year(value: Any) -> bool:
    return isinstance(value, int) and value in _YEARS


def _finest(stamps: Sequence[str]) -> Grain:
    if not all(stamp.endswith("T00:00:00") for stamp in stamps):
        return "time"
    if not all(stamp[8:10] == "01" for stamp in stamps):
        return "day"
    return "year" if all(stamp[5:7] == "01" for stamp in stamps) and len(stamps) > 1 else "month"


def to_iso(value: Any) -> Any:
    """A time as `2025-03-01T00:00:00`, the wall clock that the table shows: a browser reads it in its own zone."""
    text = str(value)
    stamp = _STAMP.match(text)
    if value is None:
        return None
    if stamp:
        return f"{stamp[1]}T{stamp[2]}" + (":00" if len(stamp[2]) == len("10:00") else "")
    quarter = _QUARTER.match(text)
    if quarter:
        return f"{quarter[1]}-{(int(quarter[2]) - 1) * _MONTHS_OF_QUARTER + 1:02}-01T00:00:00"
    if _DATE.match(text):
        return f"{text}T00:00:00"
    return f"{text}-01T00:00:00" if _MONTH.match(text) else f"{int(text):04}-01-01T00:00:00"


def shown(stamp: str | None, grain: Grain) -> str:
    """A time for people, as fine as its column is."""
    if stamp is None:
        return "(none)"
    moment = dt.datetime.fromisoformat(stamp)
    if grain == "quarter":
        return f"{moment.year} Q{(moment.month - 1) // _MONTHS_OF_QUARTER + 1}"
    return moment.strftime(_FORMATS[grain])


def axis_format(grain: Grain, stamps: Sequence[str | None]) -> str | None:
    """The d3 format of an axis from the first to the last of `stamps`; None where the axis itself chooses."""
    if grain != "day":
        return {"year": "%Y", "month": "%b %Y"}.get(grain)
    known = [stamp for stamp in stamps if stamp]
    span = dt.datetime.fromisoformat(known[-1]) - dt.datetime.fromisoformat(known[0])
    return "%-d %b" if span.days < _DAYS_OF_YEAR and known[0][:4] == known[-1][:4] else "%b %Y"


def tooltip_format(grain: Grain) -> str:
    """The d3 format of one time."""
    return _FORMATS[grain if grain in _FORMATS else "day"]
