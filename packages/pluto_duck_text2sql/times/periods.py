"""Times in a question: calendar, rolling and to-date periods, and open ranges.

A period is resolved against an anchor day (today, or the data's last day where the data ends earlier) into a half-open
range `[start, end)`; `None` is open. "Last quarter" is the one before that which holds the anchor day, "this quarter"
that one; "the last full quarter" is the last one complete on it.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import lru_cache

from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.words import tokenise
from pluto_duck_text2sql.times.calendar_days import Resolve
from pluto_duck_text2sql.times.dated_periods import BARE_YEAR, DATED, LEAST, month_alone
from pluto_duck_text2sql.times.leaning_periods import LEANING, last_full
from pluto_duck_text2sql.times.yearless import patterns as _yearless
from pluto_duck_text2sql.tree import Grain

_SOME_DAY = dt.date(2021, 5, 12)


@dataclass(frozen=True)
class Period:
    """Words `start` to before `end` of the question that name a time; `relative` ones depend on the anchor.

    `name` is the text of a month, or another part of a year, with which no year is said. `complete`: the last unit that
    is over on the anchor day.
    """

    start: int
    end: int
    resolve: Resolve
    grain: Grain
    relative: bool = False
    bare_year: bool = False
    name: str = ""
    complete: bool = False

    def __str__(self) -> str:
        """The same text for periods of the same meaning, however they are said."""
        start, end = self.resolve(_SOME_DAY)
        return f"{start or ''}..{end or ''}{' back from 2021-05-12' if self.relative else ''}"


def find_periods(words: Words) -> list[Period]:
    """The periods named in the question, each pattern tried from the most to the least specific."""
    found = []
    for place, (start, end, match) in words.find_each(_PERIOD_WORDS):
        pattern, make, relative = _PATTERNS[place]
        resolve, grain = make(match)
        name = match["month"] if make is month_alone else match.groupdict().get("leaning") or ""
        found.append(Period(start, end, resolve, grain, relative, pattern == BARE_YEAR, name, make is last_full))
    return sorted(found, key=lambda period: period.start)


@lru_cache(maxsize=64)
def periods_said(question: str) -> tuple[Period, ...]:
    """The periods named in a question's text; kept, since many rules look at the same one."""
    return tuple(find_periods(Words(tokenise(question))))


def period_of(text: str) -> Period | None:
    """The period that a text is, without other words."""
    tokens = tokenise(text)
    found = find_periods(Words(tokens))
    return found[0] if len(found) == 1 and (found[0].start, found[0].end) == (0, len(tokens)) else None


def _of_said_year(text: str) -> tuple[Resolve, Grain] | None:
    """A period that says its year, from what leans on today with a year put to it."""
    found = period_of(text)
    return (found.resolve, found.grain) if found else None


_PATTERNS = (*DATED, *_yearless(DATED, _of_said_year), *LEANING, *LEAST)
_PERIOD_WORDS = tuple(each[0] for each in _PATTERNS)
