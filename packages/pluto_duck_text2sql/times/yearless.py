"""Periods that say no year, or one that today tells: `in Q3`, `from January to October`, `the first half of last year`.

Rows of the table that `periods.py` tries. Each is the same period with a year put after it, which `periods.py` knows:
the year that today tells, or of a period without any the latest one that has begun on the anchor day.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import cast

from pluto_duck_text2sql.times.calendar_days import (
    MONTH,
    MONTHS_IN_A_ROW,
    TOLD_YEAR,
    YEAR,
    Made,
    Range,
    Resolve,
    floor,
    month_number,
    shift,
)
from pluto_duck_text2sql.tree import Grain

Pattern = tuple[str, Callable[[re.Match[str]], Made], bool]
Read = Callable[[str], tuple[Resolve, Grain] | None]
"""What reads a period that says its year; None where a text is none."""

_SAID_YEAR = rf"(?P<year>{YEAR})"
_SAID_BY_TODAY = rf"(?P<year>{TOLD_YEAR})"
_ANY_YEAR = 2021
_YEARS_BACK = {"this": 0, "current": 0, "next": -1}
_IN = r"(?:in |during |for |over |within |of )(?:the )?"
_NTH = r"(?:first|second|third|fourth|final|1st|2nd|3rd|4th)"
_NO_YEAR = r"(?! (?:of |in )?(?:the )?(?:year )?(?:\d|this|last|next))"
_OF_EACH = r"(?: of the year)?(?! of (?!(?:each|every|any) year))"
_COMPARED = r"(?:(?<=compared with )|(?<=compared to )|(?<=versus )|(?<=vs )|(?<=against ))"
_LISTED = r"(?:(?<=and )|(?<=or )|(?<=q[1-4] ))"
_SIDE = r"(?P<side>since|before|after|until|till|up to|prior to)"
_STANDS_ALONE = r"(?=$| (?:vs|versus|against|compared))"
_TO = r"(?:to|through|until|till|up to)(?: and including)?(?: the end of)?"
_D = r"\d\d?(?:st|nd|rd|th)?"
_COUNT = r"(?:\d+|two|three|four|five|six|seven|ten|twelve) "
_UNIT = r"(?P<unit>week|month|quarter|year)"
_PARTS = (
    rf"(?:from )?(?P<leaning>q[1-4] {_TO} q[1-4]|between q[1-4] and q[1-4]){_NO_YEAR}",
    rf"{_LISTED}(?P<leaning>q[1-4]){_NO_YEAR}",
    rf"{_IN}(?P<leaning>{_NTH} (?:quarter|half)){_OF_EACH}{_NO_YEAR}",
    rf"(?:{_IN}|{_COMPARED})(?P<leaning>[qh][1-4]){_OF_EACH}{_NO_YEAR}",
    rf"(?<!fiscal )(?P<leaning>q[1-4]){_STANDS_ALONE}",
    rf"{_COMPARED}(?P<leaning>{MONTH})(?! \d)(?! {_TO} ){_NO_YEAR}",
    rf"(?P<leaning>{_IN}(?:the months? of )?{MONTHS_IN_A_ROW}){_NO_YEAR}",
    rf"(?P<leaning>between (?:{MONTH}) and (?:{MONTH}))(?! \d)",
    rf"(?:from )?(?P<leaning>(?:{MONTH}) {_TO} (?:{MONTH}))(?! \d)",
    rf"(?:between |from )(?P<leaning>(?:the )?{_D} (?:and|to|until|till|through) (?:the )?{_D} (?:of )?(?:{MONTH}))",
    rf"{_IN}(?P<leaning>(?:first|last) (?:{_COUNT})?(?:day|week)s? (?:of|in) (?:{MONTH}))(?! \d)",
)
"""Parts of a year that may be of any."""
_OPEN = rf"{_SIDE} (?:the )?(?P<leaning>q[1-4]|{_NTH} quarter){_OF_EACH}{_NO_YEAR}"
_ENDS = rf"(?P<side>by|until|till|up to|through)(?: and including)? (?P<leaning>the end of (?:{MONTH}))(?! \d)"
_FROM_THE_START = (
    rf"(?:from|since) the (?:start|beginning) of (?P<which>the|this|last) year {_TO} (?P<month>{MONTH})(?! \d)"
)
_SINCE = (
    rf"(?:since|from|starting)(?: (?:at|with))? the (?:start|beginning) of (?P<which>the|this|last) {_UNIT}"
    r"(?! (?:of|to|until|till|through|\d+)\b)"
)
_OF_TOLD_YEAR = rf"(?:in |during |for |of |{_SIDE} )?(?P<which>last|this past|this) (?P<month>{MONTH})(?! \d)"


def patterns(dated: Sequence[Pattern], read: Read) -> Iterator[Pattern]:
    """The table's rows for periods that lean on today, made of those that are `dated`."""
    for pattern, *_ in dated:
        if pattern.count(_SAID_YEAR) == 1:
            yield pattern.replace(_SAID_YEAR, _SAID_BY_TODAY), partial(_in_told_year, read), True
    yield _FROM_THE_START, partial(_from_the_start, read), True
    yield from ((pattern, partial(_latest, read), True) for pattern in (_OPEN, *_PARTS, _ENDS))
    yield _SINCE, _since, True
    yield rf"(?:{_IN}|the )?{_UNIT} before last", _before_last, True
    yield _OF_TOLD_YEAR, _of_told_year, True


def _in_told_year(read: Read, match: re.Match[str]) -> Made:
    """A period whose year today tells: `the first half of last year`."""
    before, after = match[0][: _at(match)[0]], match[0][_at(match)[1] :]
    grain = _grain(read(f"{before}{_ANY_YEAR}{after}".strip()))
    back = _back(match["year"])
    return (lambda anchor: _range(read(f"{before}{anchor.year - back}{after}".strip()), anchor)), grain


def _latest(read: Read, match: re.Match[str]) -> Made:
    """The latest that has begun; what only ends with a part of a year is all until then."""
    said = f"{match.groupdict().get('side') or ''} {match['leaning']}".strip()

    def resolve(anchor: dt.date) -> Range:
        this = _range(read(f"{said} {anchor.year}"), anchor)
        begins = this[0] or this[1]
        return this if begins and begins <= anchor else _range(read(f"{said} {anchor.year - 1}"), anchor)

    return resolve, _grain(read(f"{said} {_ANY_YEAR}"))


def _from_the_start(read: Read, match: re.Match[str]) -> Made:
    """From the start of the year to the end of May."""

    def resolve(anchor: dt.date) -> Range:
        year = anchor.year - (match["which"] == "last")
        return _range(read(f"january to {match['month']} {year}"), anchor)

    return resolve, "month"


def _at(match: re.Match[str]) -> tuple[int, int]:
    """Where in the match its year is said."""
    return match.start("year") - match.start(), match.end("year") - match.start()


def _back(year: str) -> int:
    return next((back for word, back in _YEARS_BACK.items() if word in year.split()), 1)


def _range(found: tuple[Resolve, Grain] | None, anchor: dt.date) -> Range:
    return found[0](anchor) if found else (None, None)


def _grain(found: tuple[Resolve, Grain] | None) -> Grain:
    return found[1] if found else "day"


def _since(match: re.Match[str]) -> Made:
    unit, back = match["unit"], match["which"] == "last"
    return (lambda anchor: (shift(floor(anchor, unit), unit, -back), None)), cast(Grain, unit)


def _before_last(match: re.Match[str]) -> Made:
    unit = match["unit"]

    def resolve(anchor: dt.date) -> Range:
        end = shift(floor(anchor, unit), unit, -1)
        return shift(end, unit, -1), end

    return resolve, cast(Grain, unit)


def _of_told_year(match: re.Match[str]) -> Made:
    """Last May, the latest that was over before the anchor's own month; this May; and all on one side of it."""
    number, is_last, side = month_number(match["month"]), match["which"] != "this", match["side"]

    def resolve(anchor: dt.date) -> Range:
        start = dt.date(anchor.year - (is_last and number >= anchor.month), number, 1)
        end = shift(start, "month", 1)
        if side in ("since", "after"):
            return (start if side == "since" else end), None
        return (None, start if side in ("before", "prior to") else end) if side else (start, end)

    return resolve, "month"
