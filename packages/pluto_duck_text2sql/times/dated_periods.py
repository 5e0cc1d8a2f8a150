"""Periods that say their year: years, quarters, months and days, what is between two of them, what is open on one side.

`DATED` are their patterns, from the most to the least specific.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable

from pluto_duck_text2sql.times.calendar_days import (
    MONTH,
    MONTHS_IN_A_ROW,
    YEAR,
    Made,
    Range,
    Resolve,
    fixed,
    floor,
    iso_day,
    month_number,
    month_seen,
    real_date,
    shift,
)
from pluto_duck_text2sql.times.month_parts import PATTERNS as _BY_PARTS_OF_MONTHS
from pluto_duck_text2sql.times.month_parts import SINCE_MIDDLE
from pluto_duck_text2sql.times.named_days import PATTERNS as _BY_NAMED_DAYS

_ORDINAL = {
    "first": 1,
    "1st": 1,
    "second": 2,
    "2nd": 2,
    "third": 3,
    "3rd": 3,
    "fourth": 4,
    "4th": 4,
    "last": 4,
    "final": 4,
}


def _year(match: re.Match[str]) -> Made:
    return fixed(dt.date(int(match["year"]), 1, 1), "year")


def _years(match: re.Match[str]) -> Made:
    first, last = int(match["from"]), int(match["to"])
    return fixed(dt.date(first, 1, 1), "year", max(last - first, 0) + 1)


def _decade(match: re.Match[str]) -> Made:
    year = int(match["decade"])
    return fixed(dt.date(year if year > 99 else 1900 + year, 1, 1), "year", 10)


def _quarter(match: re.Match[str]) -> Made:
    said = match["q"] or match["nth"]
    number = int(said) if said in "1234" else _ORDINAL[said]
    return fixed(dt.date(int(match["year"]), 3 * number - 2, 1), "quarter")


def _quarters(match: re.Match[str]) -> Made:
    """From Q1 to Q3 2025."""
    first, last = int(match["from"]), int(match["to"])
    start = dt.date(int(match["year"]) - (first > last), 3 * first - 2, 1)
    return fixed(start, "quarter", (last - first) % 4 + 1)


def _half(match: re.Match[str]) -> Made:
    first = match["h"] in ("first", "1st", "1")
    return fixed(dt.date(int(match["year"]), 1 if first else 7, 1), "quarter", 2)


def _to_the_end(match: re.Match[str]) -> Made:
    """By the end of 2013, until the end of March 2024, by the end of Q2 2024."""
    parts = match.groupdict()
    resolve, grain = (_month if parts["month"] else _quarter if parts["q"] else _year)(match)
    return (lambda anchor: (None, resolve(anchor)[1])), grain


def _month(match: re.Match[str]) -> Made:
    return fixed(dt.date(int(match["year"]), month_number(match["month"]), 1), "month")


def month_alone(match: re.Match[str]) -> Made:
    number = month_number(match["month"])
    return (lambda anchor: month_seen(number, anchor)), "month"


def _date(match: re.Match[str]) -> Made:
    parts = match.groupdict()
    month = parts.get("m") or month_number(parts["month"])
    return fixed(real_date(int(parts["year"]), int(month), int(parts["d"])), "day")


def _between_dates(match: re.Match[str]) -> Made:
    start, last = iso_day(match["from"]), iso_day(match["to"])
    return (lambda anchor: (start, last + dt.timedelta(days=1))), "day"


def _week_of(match: re.Match[str]) -> Made:
    """The week, from Monday on, that holds a day."""
    day = real_date(int(match["year"]), month_number(match["month"]), int(match["d"]))
    return fixed(floor(day, "week"), "week")


def _between_days(match: re.Match[str]) -> Made:
    """`from 1 January to 22 December 2013`, `1 to 30 December 2024`: the first day's month and year may be the last's."""
    parts = match.groupdict()
    month, year = month_number(match["last"]), int(match["year"])
    first_month = month_number(parts["month"]) if parts.get("month") else month
    last = real_date(year, month, int(match["to"]))
    first = real_date(int(parts.get("before") or year), first_month, int(match["d"]))
    first = first if first <= last else first.replace(year=first.year - 1, day=min(first.day, 28))
    return (lambda anchor: (first, last + dt.timedelta(days=1))), "day"


def _between_months(match: re.Match[str]) -> Made:
    last = dt.date(int(match["year"]), month_number(match["last"]), 1)
    first = dt.date(int(match["before"] or match["year"]), month_number(match["month"]), 1)
    first = first if first <= last else shift(first, "year", -1)
    return (lambda anchor: (first, shift(last, "month", 1))), "month"


def _months(match: re.Match[str]) -> Made:
    """In June, July and August 2026: months that follow each other, to the last of the year said."""
    first, *_, last = (each for each in match["months"].split() if each != "and")
    end = dt.date(int(match["year"]), month_number(last), 1)
    start = dt.date(end.year - (month_number(first) > end.month), month_number(first), 1)
    return (lambda anchor: (start, shift(end, "month", 1))), "month"


def _up_to_month(match: re.Match[str]) -> Made:
    """In 2026 up to and including October."""
    start = dt.date(int(match["year"]), 1, 1)
    return fixed(start, "month", month_number(match["month"]))


def _open(match: re.Match[str]) -> Made:
    start, after = _named(match["when"])
    return (lambda anchor: _side(match["side"], start, after)), "day"


def _named(when: str) -> tuple[dt.date, dt.date]:
    """The first day of a year or day named, and the one after its last."""
    start = dt.date(int(when), 1, 1) if len(when) == 4 else iso_day(when)
    return start, shift(start, "year" if len(when) == 4 else "day", 1)


def _or_side(match: re.Match[str]) -> Made:
    """2018 or later, 2018 and before: the year or day named, and all on one side of it."""
    start, after = _named(match["when"])
    is_later = match["end"] in ("later", "after", "newer")
    return (lambda anchor: (start, None) if is_later else (None, after)), "day"


def _open_month(match: re.Match[str]) -> Made:
    """Since March, before 5 March 2014: a month of the year named, or the last one there was."""
    parts = match.groupdict()
    if parts.get("d"):
        day = real_date(int(parts["year"]), month_number(parts["month"]), int(parts["d"]))
        return (lambda anchor: _side(match["side"], day, day + dt.timedelta(days=1))), "day"
    resolve = _month(match)[0] if parts["year"] else month_alone(match)[0]

    def side(anchor: dt.date) -> Range:
        start, after = resolve(anchor)
        assert start and after
        return _side(match["side"], start, after)

    return side, "month"


def _open_end(match: re.Match[str]) -> Made:
    """Since the end of June: what comes after it; before the end of March: all up to there."""
    parts = match.groupdict()
    if parts["month"]:
        resolve = _month(match)[0] if parts["year"] else month_alone(match)[0]
    else:
        resolve = _quarter(match)[0] if parts["q"] else _year(match)[0]
    return beside_end(match["side"], resolve), "day"


def beside_end(side: str, resolve: Resolve) -> Resolve:
    """What comes after a period's last day, or all up to it, as the `side` says."""

    def resolved(anchor: dt.date) -> Range:
        after = resolve(anchor)[1]
        return (after, None) if side in ("since", "after", "later than") else (None, after)

    return resolved


def _open_middle(match: re.Match[str]) -> Made:
    """Since mid October 2026: from its 15th on."""
    day = dt.date(int(match["year"]), month_number(match["month"]), 15)
    return (lambda anchor: _side(match["side"], day, day + dt.timedelta(days=1))), "day"


def _side(side: str, start: dt.date, after: dt.date) -> Range:
    if side in ("before", "until", "prior to", "earlier than", "till", "up to"):
        return None, after if side in ("until", "till", "up to") else start
    return start if side.split()[0] in ("since", "from", "starting", "beginning") else after, None


def _open_quarter(match: re.Match[str]) -> Made:
    """Since Q2 2024, before the third quarter of 2025."""
    resolve = _quarter(match)[0]

    def side(anchor: dt.date) -> Range:
        start, after = resolve(anchor)
        assert start and after
        return _side(match["side"], start, after)

    return side, "quarter"


_ISO = r"\d{4}-\d\d-\d\d"
SIDE = r"(?P<side>since|before|after|until|till|prior to|earlier than|later than|up to)"
END_OF = r"(?:the )?(?:very )?end of "
_START_OF = r"(?:the (?:start|beginning) of )?"
_FROM_DAY = r"(?:(?:counting|counted|starting|beginning) )?(?P<side>from)(?: the)?"
_STARTING = r"(?P<side>(?:starting|beginning) (?:from|with))"
_FROM = r"(?:(?:counting|counted|starting|beginning) )?(?P<side>from)"
_ON = r"(?:on|onwards?|forward)(?! (?:the|a|an|our|their|its|each|every)\b)"
_QUARTER = rf"(?:the )?(?:q(?P<q>[1-4])|(?P<nth>first|second|third|fourth|last|final|1st|2nd|3rd|4th) quarter)(?: of)? (?P<year>{YEAR})"
_DAY = r"(?:st|nd|rd|th)?"
_EXCEEDED = "more,less,fewer,greater,higher,lower,larger,smaller,bigger,cheaper,longer,shorter".split(",")
_NO_AMOUNT = "".join(rf"(?<!{each} )" for each in (*(f"{way} than" for way in _EXCEEDED), "at least", "at most"))
"""What `more than 2000` is of is an amount, not a time."""
BARE_YEAR = rf"(?:(?:in|during|of|for) (?:the year )?|the year |{_NO_AMOUNT})(?P<year>{YEAR})"
_WEEK = r"(?:in |during )?(?:the )?week of(?: monday)?(?: the)?"
DATED: tuple[tuple[str, Callable[[re.Match[str]], Made], bool], ...] = (
    (rf"{_WEEK} (?P<d>\d\d?){_DAY} (?:of )?(?P<month>{MONTH}) (?P<year>{YEAR})", _week_of, False),
    (rf"{_WEEK} (?P<month>{MONTH}) (?P<d>\d\d?){_DAY} (?P<year>{YEAR})", _week_of, False),
    *_BY_PARTS_OF_MONTHS,
    *_BY_NAMED_DAYS,
    (rf"(?:between|from) (?P<from>{_ISO}) (?:and|to|until) (?P<to>{_ISO})", _between_dates, False),
    (
        rf"(?:between |from )?(?:the )?(?P<d>\d\d?){_DAY}(?: (?:of )?(?P<month>{MONTH})(?: (?P<before>{YEAR}))?)? (?:to|through|until|till|and) (?:the )?(?P<to>\d\d?){_DAY} (?:of )?(?P<last>{MONTH}) (?P<year>{YEAR})",
        _between_days,
        False,
    ),
    (
        rf"(?:between |from )?(?P<month>{MONTH}) (?P<d>\d\d?){_DAY}(?: (?P<before>{YEAR}))? (?:to|through|until|till|and) (?P<last>{MONTH}) (?P<to>\d\d?){_DAY} (?P<year>{YEAR})",
        _between_days,
        False,
    ),
    (rf"(?P<side>since|before) the (?:beginning|start) of (?:the year )?(?P<when>{YEAR})", _open, False),
    (rf"(?:(?:between|from) )?(?P<from>{YEAR}) (?:to|through|until) (?P<to>{YEAR})", _years, False),
    (rf"between (?P<from>{YEAR}) and (?P<to>{YEAR})", _years, False),
    (
        rf"(?P<side>since|before|after|until|till|prior to|from|earlier than|later than|up to) (?:the year )?(?P<when>{_ISO})",
        _open,
        False,
    ),
    (rf"{SIDE} (?:the )?(?P<month>{MONTH}) (?P<d>\d\d?)(?:st|nd|rd|th)? (?P<year>{YEAR})", _open_month, False),
    (
        rf"{SIDE} (?:the )?(?P<d>\d\d?)(?:st|nd|rd|th)? (?:of )?(?P<month>{MONTH}) (?P<year>{YEAR})",
        _open_month,
        False,
    ),
    (rf"{_FROM_DAY} (?P<month>{MONTH}) (?P<d>\d\d?){_DAY} (?P<year>{YEAR})", _open_month, False),
    (rf"{_FROM_DAY} (?P<d>\d\d?){_DAY} (?:of )?(?P<month>{MONTH}) (?P<year>{YEAR})", _open_month, False),
    (
        rf"(?:from )?(?P<month>{MONTH})(?: (?P<before>{YEAR}))? (?:to|through|until|till|up to)(?: and including)?(?: the end of)? (?P<last>{MONTH}) (?:of )?(?P<year>{YEAR})",
        _between_months,
        False,
    ),
    (
        rf"between (?P<month>{MONTH})(?: (?P<before>{YEAR}))? and (?P<last>{MONTH}) (?:of )?(?P<year>{YEAR})",
        _between_months,
        False,
    ),
    (
        rf"(?:by|until|till|up to|through) the end of (?:(?P<month>{MONTH}) |q(?P<q>[1-4]) )?(?:of )?(?P<year>{YEAR})",
        _to_the_end,
        False,
    ),
    (
        rf"{SIDE} {END_OF}(?:(?P<month>{MONTH}) |q(?P<q>[1-4]) )?(?:of )?(?P<year>{YEAR})",
        _open_end,
        False,
    ),
    (rf"{SIDE} (?:the middle of |mid[- ])(?P<month>{MONTH}) (?:of )?(?P<year>{YEAR})", _open_middle, False),
    (
        rf"(?:in |during |for |over |within |of )(?:the )?(?:months? of )?(?P<months>{MONTHS_IN_A_ROW}) (?:of )?(?P<year>{YEAR})",
        _months,
        False,
    ),
    (
        rf"(?:in |of |during |for )?(?P<year>{YEAR}) (?:up to|until|till|through)(?: and including)?(?: the end of)? (?P<month>{MONTH})(?! \d)",
        _up_to_month,
        False,
    ),
    (rf"{SIDE} {_START_OF}(?P<month>{MONTH}) (?:of )?(?P<year>{YEAR})", _open_month, False),
    (rf"{_STARTING} (?P<month>{MONTH}) (?:of )?(?P<year>{YEAR})", _open_month, False),
    (rf"{_FROM} (?P<month>{MONTH}) (?:of )?(?P<year>{YEAR}) {_ON}", _open_month, False),
    (
        rf"(?:from )?q(?P<from>[1-4]) (?:to|through|until|till|up to)(?: the end of)? q(?P<to>[1-4]) (?:of )?(?P<year>{YEAR})",
        _quarters,
        False,
    ),
    (rf"between q(?P<from>[1-4]) and q(?P<to>[1-4]) (?:of )?(?P<year>{YEAR})", _quarters, False),
    (rf"{_FROM} {_QUARTER} {_ON}", _open_quarter, False),
    (rf"{SIDE} {_QUARTER}", _open_quarter, False),
    (rf"{_FROM} (?P<when>{YEAR}|{_ISO}) {_ON}", _open, False),
    (rf"{_STARTING} (?P<when>{YEAR}|{_ISO})", _open, False),
    (
        rf"(?:in |from |during )?(?P<when>{YEAR}|{_ISO}) (?:or|and) (?P<end>later|after|newer|earlier|before|older)",
        _or_side,
        False,
    ),
    (r"(?:on |in )?(?P<year>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)", _date, False),
    (rf"(?:on )?(?P<month>{MONTH}) (?P<d>\d\d?)(?:st|nd|rd|th)? (?P<year>{YEAR})", _date, False),
    (rf"(?:on )?(?:the )?(?P<d>\d\d?)(?:st|nd|rd|th)? (?:of )?(?P<month>{MONTH}) (?P<year>{YEAR})", _date, False),
    (rf"(?:in |during |for )?(?:the )?q(?P<q>[1-4]) (?:of )?(?P<year>{YEAR})", _quarter, False),
    (rf"(?:in |during |for )?(?P<year>{YEAR})[ -]?q(?P<q>[1-4])", _quarter, False),
    (
        rf"(?:in |during |for )?(?:the )?(?P<q>first|second|third|fourth|last|final|1st|2nd|3rd|4th) quarter(?: of)?(?: the year)? (?P<year>{YEAR})",
        _quarter,
        False,
    ),
    (
        rf"(?:in |during |for )?(?:the )?(?P<h>first|second|last|1st|2nd) half(?: of)?(?: the year)? (?P<year>{YEAR})",
        _half,
        False,
    ),
    (rf"(?:in |during |for )?(?:the )?h(?P<h>[12]) (?:of )?(?P<year>{YEAR})", _half, False),
    (rf"(?:in |during |for )?(?P<year>{YEAR}) h(?P<h>[12])", _half, False),
    (rf"(?:in |during |for |of )?(?P<month>{MONTH}) (?:of )?(?P<year>{YEAR})", _month, False),
)
"""Those that say their year."""
LEAST: tuple[tuple[str, Callable[[re.Match[str]], Made], bool], ...] = (
    (r"(?:in |during )?(?:the )?(?P<decade>\d\d(?:\d\d)?)s", _decade, False),
    (
        rf"(?P<side>since|before|after|until|till|prior to|earlier than|later than|up to) (?:the year )?(?P<when>{YEAR})",
        _open,
        False,
    ),
    (BARE_YEAR, _year, False),
    SINCE_MIDDLE,
    (rf"{SIDE} {END_OF}(?P<month>{MONTH})(?P<year>)", _open_end, True),
    (rf"{SIDE} {_START_OF}(?P<month>{MONTH})(?P<year>)", _open_month, True),
    (rf"(?:in|during|for) (?P<month>{MONTH})", month_alone, True),
)
"""Those that say least: a decade, a year or a month alone."""
