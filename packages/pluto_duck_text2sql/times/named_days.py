"""Days told by a name, and what is told by a day.

`on 10 March`, `last Friday`, `the first Saturday of May 2025`, `on New Year's Eve`, `the week of 10 March 2025`, `the
two weeks before Christmas`, `week 12 of 2025`, `last summer`, `early 2025`: rows of the table that `periods.py` tries.
A day without a year is the latest one that the anchor day has seen. Weeks are those of ISO 8601; seasons the
meteorological ones of the north: spring begins on 1 March. Early is the first quarter of a year, late the last, mid
what is between.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from typing import cast

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import NUMBER_WORDS
from pluto_duck_text2sql.times.calendar_days import (
    MONTH,
    TOLD_YEAR,
    YEAR,
    Made,
    fixed,
    floor,
    iso_day,
    month_number,
    real_date,
    shift,
    units_said,
)
from pluto_duck_text2sql.tree import Grain

_NTH = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3, "last": -1}
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_FEASTS: dict[str, tuple[int, int]] = {
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "christmas": (12, 25),
    "boxing day": (12, 26),
    "new year eve": (12, 31),
    "new years eve": (12, 31),
    "new year day": (1, 1),
    "new years day": (1, 1),
    "valentine day": (2, 14),
    "valentines day": (2, 14),
    "halloween": (10, 31),
}
"""Month and day; a word's possessive is not among its tokens."""
_AFTER_THANKS = {"thanksgiving day": 0, "thanksgiving": 0, "black friday": 1, "cyber monday": 4}
"""How many days after the fourth Thursday of November."""
_BY_EASTER = {
    "ash wednesday": -46,
    "good friday": -2,
    "easter sunday": 0,
    "easter monday": 1,
    "easter": 0,
    "ascension day": 39,
    "whit sunday": 49,
    "pentecost": 49,
    "whit monday": 50,
}
"""How many days after Easter Sunday, as western churches keep it."""
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_PARTS = {"early": (1, 1), "mid": (4, 2), "late": (10, 1)}
"""Which month a part of a year begins with, and how many quarters it has."""
_WEEK, _SATURDAY = 7, 5

_WEEKDAY, _FEAST = "|".join(WEEKDAYS), "|".join(sorted((*_FEASTS, *_AFTER_THANKS, *_BY_EASTER), key=len, reverse=True))
_SUFFIX = r"(?:st|nd|rd|th)?"
_NTH_WEEKDAY = rf"(?:{'|'.join(_NTH)}) (?:{_WEEKDAY}) (?:of|in) (?:{MONTH})"
_NTH_WEEK = rf"(?P<nth>{'|'.join(_NTH)}) week"
_SEASON = "|".join(_SEASONS)
_NAMED = (
    rf"(?:the )?\d\d?{_SUFFIX} (?:of )?(?:{MONTH})|(?:{MONTH}) (?:the )?\d\d?{_SUFFIX}"
    rf"|(?:the )?{_NTH_WEEKDAY}|(?:last |this past )?(?:{_FEAST})"
)
_DAY = rf"(?:{_NAMED})(?: (?:of )?{YEAR})|\d{{4}}-\d\d-\d\d"
_YEARLESS = rf"(?:{_NAMED})(?! (?:of )?(?:{YEAR}|{TOLD_YEAR}))|(?:last|this past) (?:{_WEEKDAY})(?! of)"
_IN = r"(?:in |during |for |over |on |of )?(?:the )?"
_ANY_N = r"\d+|" + "|".join(NUMBER_WORDS)
_UNIT = r"(?P<unit>day|week|month|year)s?"
_NOT_SPENT = r"(?<!spend )(?<!spent )(?<!spending )"
"""Money is spent on what is called after a day, not on that day."""
_NO_NAME = r"(?! (?:campaign|sale|promotion|promo|deal|offer|ad|advert|collection|special)s?\b)"
_NO_BOUND = r"(?<!than )(?<!over )(?<!least )(?<!most )"
_BEFORE = r"before|leading up to|up to|prior to|preceding|running up to"
_WAY = rf"(?P<way>{_BEFORE}|after|following)(?: the)?"
_END = rf"(?P<which>first|last) (?:(?P<n>{_ANY_N}) )?(?P<unit>day|week|month|quarter)s?"
_OPEN = r"(?P<way>since|before|after|until|till|prior to|up to)"

_SAID_DAY = Pattern(
    rf"(?:the )?(?:(?P<iso>\d{{4}}-\d\d-\d\d)|(?P<d>\d\d?){_SUFFIX} (?:of )?(?P<month>{MONTH})"
    rf"|(?P<other>{MONTH}) (?:the )?(?P<n>\d\d?){_SUFFIX}"
    rf"|(?P<nth>{'|'.join(_NTH)}) (?P<of>{_WEEKDAY}) (?:of|in) (?P<in>{MONTH})"
    rf"|(?:last |this past )?(?P<feast>{_FEAST})|(?:last|this past) (?P<weekday>{_WEEKDAY}))"
    rf"(?: (?:of )?(?P<year>{YEAR}))?"
)


def _day(text: str, anchor: dt.date) -> dt.date:
    """The day that a text names; without a year the latest that is not after the anchor."""
    said = _SAID_DAY.fullmatch(text)
    assert said is not None, text
    if said["iso"]:
        return iso_day(said["iso"])
    if said["weekday"]:
        return anchor - dt.timedelta(days=(anchor.weekday() - WEEKDAYS.index(said["weekday"]) - 1) % _WEEK + 1)
    if said["year"]:
        return _day_of(said, int(said["year"]))
    this = _day_of(said, anchor.year)
    return this if this <= anchor else _day_of(said, anchor.year - 1)


def _day_of(said: re.Match[str], year: int) -> dt.date:
    if said["feast"] in _AFTER_THANKS:
        thanksgiving = _nth_weekday(year, 11, WEEKDAYS.index("thursday"), _NTH["fourth"])
        return thanksgiving + dt.timedelta(days=_AFTER_THANKS[said["feast"]])
    if said["feast"] in _BY_EASTER:
        return _easter(year) + dt.timedelta(days=_BY_EASTER[said["feast"]])
    if said["feast"]:
        return dt.date(year, *_FEASTS[said["feast"]])
    if said["nth"]:
        return _nth_weekday(year, month_number(said["in"]), WEEKDAYS.index(said["of"]), _NTH[said["nth"]])
    return real_date(year, month_number(said["month"] or said["other"]), int(said["d"] or said["n"]))


def _easter(year: int) -> dt.date:
    """The Sunday after the first full moon of spring, both as the church computes them."""
    century, golden = year // 100, year % 19
    moon = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    sunday = (32 + 2 * (century % 4) + 2 * (year % 100 // 4) - moon - year % 4) % 7
    late = (golden + 11 * moon + 22 * sunday) // 451
    month, day = divmod(moon + sunday - 7 * late + 114, 31)
    return dt.date(year, month, day + 1)


def _nth_weekday(year: int, month: int, weekday: int, nth: int) -> dt.date:
    """The nth such day of a month, from 0; -1 is the last."""
    first = dt.date(year, month, 1)
    start = first + dt.timedelta(days=(weekday - first.weekday()) % _WEEK)
    days = [start + dt.timedelta(weeks=n) for n in range(5)]
    return [each for each in days if each.month == month][nth]


def _on(match: re.Match[str]) -> Made:
    text = match["day"]
    return (lambda anchor: (_day(text, anchor), shift(_day(text, anchor), "day", 1))), "day"


def _days_ago(match: re.Match[str]) -> Made:
    back = units_said(match["n"] or "2", "day")
    return (lambda anchor: (shift(anchor, "day", -back), shift(anchor, "day", 1 - back))), "day"


def _coming(match: re.Match[str]) -> Made:
    """The next thirty days: those after the anchor day."""
    unit, count = match["unit"], units_said(match["n"], match["unit"])

    def resolve(anchor: dt.date) -> tuple[dt.date, dt.date]:
        after = shift(anchor, "day", 1)
        return after, shift(after, unit, count)

    return resolve, "day"


def _next(match: re.Match[str]) -> Made:
    """The unit of the calendar after that which holds the anchor day."""
    unit = match["unit"]
    return (lambda anchor: (shift(floor(anchor, unit), unit, 1), shift(floor(anchor, unit), unit, 2))), cast(
        Grain, unit
    )


def _open(match: re.Match[str]) -> Made:
    """Since last Monday, before 10 March, until Christmas."""
    text, way = match["day"], match["way"]

    def resolve(anchor: dt.date) -> tuple[dt.date | None, dt.date | None]:
        day = _day(text, anchor)
        after = shift(day, "day", 1)
        if way in ("since", "after"):
            return (day if way == "since" else after), None
        return None, after if way in ("until", "till", "up to") else day

    return resolve, "day"


def _from_to(match: re.Match[str]) -> Made:
    """Between 1 March and 15 March, from Christmas Eve to New Year's Day: to the latest such day."""
    first, last = match["day"], match["last"]

    def resolve(anchor: dt.date) -> tuple[dt.date, dt.date]:
        end = _day(last, anchor)
        return _day(first, end), shift(end, "day", 1)

    return resolve, "day"


def _week_of(match: re.Match[str]) -> Made:
    """The week, or its end, that holds a day."""
    text, is_end = match["day"], match["part"] == "weekend"

    def resolve(anchor: dt.date) -> tuple[dt.date, dt.date]:
        monday = floor(_day(text, anchor), "week")
        return shift(monday, "day", 5 if is_end else 0), shift(monday, "week", 1)

    return resolve, "week"


def _week_of_feast(match: re.Match[str]) -> Made:
    """Christmas week of 2024: the one that holds Christmas."""
    text = " ".join(filter(None, (match["feast"], match.groupdict().get("year"))))

    def resolve(anchor: dt.date) -> tuple[dt.date, dt.date]:
        monday = floor(_day(text, anchor), "week")
        return monday, shift(monday, "week", 1)

    return resolve, "week"


def _week_from(match: re.Match[str]) -> Made:
    """The seven days that begin or end with a day."""
    text, ends = match["day"], match["way"] == "ending"

    def resolve(anchor: dt.date) -> tuple[dt.date, dt.date]:
        day = _day(text, anchor)
        start = shift(day, "day", 1 - _WEEK) if ends else day
        return start, shift(start, "week", 1)

    return resolve, "week"


def _beside(match: re.Match[str]) -> Made:
    """The two weeks before a day, the month after it; the day itself is in neither."""
    text, unit = match["day"], match["unit"]
    count = units_said(match["n"], match["unit"])
    is_after = match["way"] in ("after", "following")

    def resolve(anchor: dt.date) -> tuple[dt.date, dt.date]:
        day = _day(text, anchor)
        after = shift(day, "day", 1)
        return (after, shift(after, unit, count)) if is_after else (shift(day, unit, -count), day)

    return resolve, "day"


def _from_a_day(match: re.Match[str]) -> Made:
    """The seven days starting with a day."""
    text, unit = match["day"], match["unit"]
    count = units_said(match["n"], unit)
    return (lambda anchor: (_day(text, anchor), shift(_day(text, anchor), unit, count))), "day"


def _numbered_week(match: re.Match[str]) -> Made:
    year, number = int(match["year"]), int(match["n"])
    last = dt.date(year, 12, 28).isocalendar().week
    return fixed(dt.date.fromisocalendar(year, min(max(number, 1), last), 1), "week")


def _season(match: re.Match[str]) -> Made:
    """Of a year; a winter ends in the year after."""
    return fixed(dt.date(int(match["year"]), _SEASONS[match["season"]], 1), "month", 3)


def _season_by_now(match: re.Match[str]) -> Made:
    """`this summer` and `last summer`: the latest that has begun, and for `last` that is over."""
    month, is_last = _SEASONS[match["season"]], match["which"] != "this"

    def resolve(anchor: dt.date) -> tuple[dt.date, dt.date]:
        starts = (dt.date(anchor.year - back, month, 1) for back in range(3))
        spans = ((start, shift(start, "month", 3)) for start in starts)
        return next(each for each in spans if (each[1] if is_last else each[0]) <= anchor)

    return resolve, "month"


def _weekend_by_now(match: re.Match[str]) -> Made:
    """`this weekend` and `last weekend`: the latest that has begun, and for `last` that is over."""
    is_last = match["which"] != "this"

    def resolve(anchor: dt.date) -> tuple[dt.date, dt.date]:
        saturday = shift(floor(anchor, "week"), "day", _SATURDAY)
        after = shift(saturday, "day", 2)
        is_to_come = (after if is_last else saturday) > anchor
        return (shift(saturday, "week", -1), shift(after, "week", -1)) if is_to_come else (saturday, after)

    return resolve, "day"


def _part_of_year(match: re.Match[str]) -> Made:
    month, quarters = _PARTS[match["part"]]
    return fixed(dt.date(int(match["year"]), month, 1), "quarter", quarters)


def _end_of(match: re.Match[str]) -> Made:
    """The last week of 2024, the first ten days of March 2025: the units at an end of a year or a month."""
    parts = match.groupdict()
    month = month_number(parts["month"]) if parts["month"] else None
    start = dt.date(int(parts["year"]), month or 1, 1)
    end, unit = shift(start, "month" if month else "year", 1), parts["unit"]
    count = units_said(parts["n"], unit)
    return fixed(start if parts["which"] == "first" else shift(end, unit, -count), unit, count)


def _week_of_month(match: re.Match[str]) -> Made:
    """The first seven days of a month, the next seven, …, or the last seven; of the latest where no year is said."""
    number, nth, said = month_number(match["month"]), _NTH[match["nth"]], match.groupdict().get("year")

    def resolve(anchor: dt.date) -> tuple[dt.date, dt.date]:
        first = dt.date(int(said) if said else anchor.year - (number > anchor.month), number, 1)
        after = shift(first, "month", 1)
        start = shift(after, "week", -1) if nth < 0 else shift(first, "week", nth)
        return start, min(shift(start, "week", 1), after)

    return resolve, "week"


DayPattern = tuple[str, Callable[[re.Match[str]], Made], bool]
_BY_A_DAY = (
    (rf"{_IN}(?P<part>week(?:end)?) of (?:the )?(?P<day>DAY)", _week_of),
    (rf"{_IN}week (?P<way>commencing|beginning|starting|ending)(?: on| with)? (?:the )?(?P<day>DAY)", _week_from),
    (rf"{_IN}(?:(?P<n>{_ANY_N}) )?{_UNIT} {_WAY} (?P<day>DAY)", _beside),
    (rf"{_IN}(?P<n>{_ANY_N}) {_UNIT} (?:starting|beginning|from)(?: on| with| from)? (?P<day>DAY)", _from_a_day),
    (r"(?:between|from) (?P<day>DAY) (?:and|to|until|till|through) (?P<last>DAY)", _from_to),
    (rf"{_OPEN} (?P<day>DAY)", _open),
)
PATTERNS: tuple[DayPattern, ...] = (
    *((pattern.replace("DAY", _DAY), make, False) for pattern, make in _BY_A_DAY),
    *((pattern.replace("DAY", _YEARLESS), make, True) for pattern, make in _BY_A_DAY),
    (rf"(?:on )?(?P<day>(?:the )?{_NTH_WEEKDAY} (?:of )?{YEAR})", _on, False),
    (rf"{_IN}(?P<feast>{_FEAST}) week (?:of |in )?(?P<year>{YEAR})", _week_of_feast, False),
    (rf"{_IN}(?P<feast>{_FEAST}) week(?! ?end)", _week_of_feast, True),
    (rf"{_NOT_SPENT}(?:on|at|for) (?P<day>(?:{_FEAST}) (?:of )?{YEAR}){_NO_NAME}", _on, False),
    (rf"{_NOT_SPENT}(?:on|at) (?P<day>{_YEARLESS}){_NO_NAME}", _on, True),
    (rf"(?P<day>(?:last|this past) (?:{_WEEKDAY}))(?! of)", _on, True),
    (r"(?:on |over |at |during )?(?:the )?(?P<which>last|this past|this) week ?end(?! of)", _weekend_by_now, True),
    (rf"(?:within |{_IN})(?:the )?(?:next|coming) (?P<n>{_ANY_N}) {_UNIT}", _coming, True),
    (rf"{_IN}(?:next|the coming) (?P<unit>day|week|month|quarter|year)", _next, True),
    (rf"(?:on )?the day before yesterday|{_NO_BOUND}(?P<n>{_ANY_N}) days ago", _days_ago, True),
    (rf"{_IN}(?:calendar |iso )?week (?:number )?(?P<n>[1-5]?\d) (?:of |in )?(?P<year>{YEAR})", _numbered_week, False),
    (rf"{_IN}(?P<season>{_SEASON}) (?:of )?(?P<year>{YEAR})", _season, False),
    (rf"{_IN}(?P<which>last|this past|this) (?P<season>{_SEASON})", _season_by_now, True),
    (rf"(?:in |during |for )(?P<part>{'|'.join(_PARTS)})(?: |-)(?P<year>{YEAR})", _part_of_year, False),
    (rf"{_IN}{_NTH_WEEK} (?:of|in) (?P<month>{MONTH}) (?:of )?(?P<year>{YEAR})", _week_of_month, False),
    (rf"{_IN}{_NTH_WEEK} (?:of|in) (?P<month>{MONTH})", _week_of_month, True),
    (rf"{_IN}{_END} (?:of|in) (?:(?P<month>{MONTH}) (?:of )?)?(?:the year )?(?P<year>{YEAR})", _end_of, False),
)
