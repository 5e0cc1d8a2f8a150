"""Quarters of a fiscal year as days: with a year that starts in July `fiscal Q2 2023` is October to December 2022.

Called by `asides`, which knows when the year begins and after which of its two calendar years it is named.
"""

from __future__ import annotations

import datetime as dt
import re

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.times.calendar_days import YEAR, shift

_PLACES = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": 4}
_FISCAL = r"(?:fiscal|financial)"
_NTH = rf"(?:q(?P<q>[1-4])|(?P<nth>{'|'.join(_PLACES)}) (?:{_FISCAL} )?quarter)"
_SAID = Pattern(
    rf"\b(?:in |during |for )?(?:the )?(?:{_FISCAL} )?{_NTH}(?: of)?(?: the)?(?: {_FISCAL})?(?: year)?(?: FY)?"
    rf" ?(?P<year>{YEAR})\b|\bFY ?(?P<year2>{YEAR})[ -]?q(?P<q2>[1-4])\b",
    re.IGNORECASE,
)

_TWO_YEARS = Pattern(
    r"(?P<before>\b(?:year|FY) ?)(?P<first>(?:19|20)\d\d) ?[/-] ?(?P<last>(?:19|20)\d\d|\d\d)\b", re.IGNORECASE
)


def by_one_year(text: str, by_end: bool) -> str:
    """The text with `fiscal year 2025/26` called after the one of its two years that it is named by."""

    def named(found: re.Match[str]) -> str:
        last = int(found["first"]) + 1
        is_next = last % 100 == int(found["last"]) % 100
        return f"{found['before']}{last if by_end else last - 1}" if is_next else found[0]

    return _TWO_YEARS.sub(named, text)


def with_days(text: str, months: int) -> tuple[str, str]:
    """The text with its fiscal quarter said in days, and what is told of that; `months` the year begins earlier."""
    found = _SAID.search(text)
    if found is None:
        return text, ""
    year, number = found["year"] or found["year2"], found["q"] or found["q2"]
    place = int(number) if number else _PLACES[found["nth"].lower()]
    start = shift(shift(dt.date(int(year), 1, 1), "month", -months), "quarter", place - 1)
    end = shift(start, "quarter", 1)
    last = shift(end, "day", -1)
    told = f"Quarter {place} of the fiscal year {year} is {start.isoformat()} to {last.isoformat()}."
    days = f" from {start:%d %B %Y} to {last:%d %B %Y}"
    return f"{text[: found.start()].rstrip()}{days}{text[found.end() :]}", told
