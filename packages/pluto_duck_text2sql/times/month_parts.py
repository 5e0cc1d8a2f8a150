"""From one part of a month to another: `between mid-March and the end of May 2026`, `from 3 June to mid-August`.

Rows of the table that `periods.py` tries. A month begins with its 1st, is in its middle on the 15th and ends with its
last day; one without a part is whole. What says no year is of the latest that has begun, the first end before the last.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.times.calendar_days import MONTH, YEAR, Made, Range, month_number, month_seen, real_date, shift

_PART_DAYS = {"mid": 15, "middle": 15, "start": 1, "beginning": 1, "end": 31}
_MIDDLE = _PART_DAYS["mid"]
_PART = r"(?:mid|(?:the )?(?:very )?(?:middle|start|beginning|end) of)[ -](?:the month of )?"
_D = r"(?:the )?\d\d?(?:st|nd|rd|th)?"
_PARTLY = rf"{_PART}(?:{MONTH})(?! \d\d?(?!\d))(?: (?:of )?{YEAR})?"
_DAY = rf"(?:{_D} (?:of )?(?:{MONTH})|(?:{MONTH}) {_D})(?: (?:of )?{YEAR})?"
_WHOLE = rf"(?:{MONTH})(?! \d\d?(?!\d))(?: (?:of )?{YEAR})?"
_ANY = rf"(?:{_PARTLY}|{_DAY}|{_WHOLE})"
_TO = r"(?:and|to|until|till|through|up to)"
_END = Pattern(
    rf"(?:the )?(?:very )?(?:(?P<part>{'|'.join(_PART_DAYS)})\b)?[ -]?(?:of )?(?:the month of )?"
    rf"(?:(?:the )?(?P<d>\d\d?)(?:st|nd|rd|th)? (?:of )?)?(?P<month>{MONTH})"
    rf"(?: (?:the )?(?P<n>\d\d?)(?:st|nd|rd|th)?(?!\d))?"
    rf"(?: (?:of )?(?P<year>{YEAR}))?"
)
_SIDE = r"(?P<way>since|after|before|until|till|up to|prior to)"


def _days(text: str, anchor: dt.date) -> tuple[dt.date, dt.date]:
    """The first day and the one after the last that an end of a range may mean."""
    said = _END.fullmatch(text)
    assert said is not None, text
    month = month_number(said["month"])
    year = int(said["year"]) if said["year"] else month_seen(month, anchor)[0].year
    day = _PART_DAYS.get(said["part"] or "", 0) or int(said["d"] or said["n"] or 0)
    if not day:
        start = dt.date(year, month, 1)
        return start, shift(start, "month", 1)
    start = real_date(year, month, day)
    return start, shift(start, "day", 1)


def _between(match: re.Match[str]) -> Made:
    """From the first day of what is said first to the last of what is said last."""
    first, last = match["first"], match["last"]

    def resolve(anchor: dt.date) -> Range:
        end = _days(last, anchor)[1]
        return _days(first, shift(end, "day", -1))[0], end

    return resolve, "day"


def _open(match: re.Match[str]) -> Made:
    """Since mid-October: from its 15th on."""
    way, month = match["way"], match["month"]

    def resolve(anchor: dt.date) -> Range:
        start = month_seen(month_number(month), anchor)[0].replace(day=_MIDDLE)
        after = shift(start, "day", 1)
        if way in ("since", "after"):
            return (start if way == "since" else after), None
        return None, after if way in ("until", "till", "up to") else start

    return resolve, "day"


_RANGE = rf"(?:between |from )(?P<first>FIRST) {_TO} (?P<last>LAST)"
PATTERNS: tuple[tuple[str, Callable[[re.Match[str]], Made], bool], ...] = tuple(
    (_RANGE.replace("FIRST", first).replace("LAST", last), _between, not says_year)
    for says_year in (True, False)
    for first, last in (
        (_PARTLY, rf"{_ANY}(?<=\d\d\d\d)" if says_year else _ANY),
        (_ANY, rf"{_PARTLY}(?<=\d\d\d\d)" if says_year else _PARTLY),
    )
)
"""The ranges of which one end is a part of a month."""
SINCE_MIDDLE = (rf"{_SIDE} (?:the middle of |mid[- ])(?P<month>{MONTH})(?! \d)", _open, True)
