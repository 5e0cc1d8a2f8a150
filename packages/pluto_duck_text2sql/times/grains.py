"""Grains in a question: rows by month, each weekday, which year; the last of a list that `by` begins too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.tree import Grain


@dataclass(frozen=True)
class GrainMention:
    """Words that ask for rows by a grain; `asked` for "which month", where only the best bucket is wanted."""

    start: int
    end: int
    grain: Grain
    asked: bool = False


def find_grains(words: Words) -> list[GrainMention]:
    """The grains asked for."""
    found = [GrainMention(start, end, *_GRAINS[place][1:]) for place, (start, end, _) in words.find_each(_GRAIN_WORDS)]
    return sorted([*found, *_listed_grains(words)], key=lambda mention: mention.start)


def _listed_grains(words: Words) -> list[GrainMention]:
    """`by channel and month`: the last of a list that `by` begins."""
    found = []
    for match in words.peek(_LISTED):
        start, end = words.span(match, "grain")
        words.take(start, end)
        found.append(GrainMention(start, end, cast(Grain, match["unit"] or "weekday")))
    return found


_EACH = r"(?:by|per|each|every|for each|for every|(?:in |for )?each of|in each|in every|(?:(?:by|as of|at|until|up to) the end )?of (?:each|every)|a|across|grouped by|broken down by|split by|and by)(?: the)?"
_WEEKDAY = r"(?:days? of (?:the )?week|weekdays?|week days?)"
_UNITS = rf"(?P<weekday>{_WEEKDAY})|(?P<unit>hour|day|week|month|quarter|year)(?! of (?:the |an? )?(?:day|week|month|quarter|year|birth)\b)"
_LISTED = rf"(?:by|per|each|every)(?: [^\s•,]+){{1,4}} (?:and|by|per) (?:the )?(?P<grain>{_UNITS})"
_GRAINS: tuple[tuple[str, Grain, bool], ...] = (
    (rf"{_EACH} {_WEEKDAY}", "weekday", False),
    (rf"{_EACH} (?:month of (?:the )?year|calendar month)", "month_of_year", False),
    (rf"{_EACH} (?:hours?|time) of (?:the |a )?day|by (?:the )?(?:hour|time) of day", "hour_of_day", False),
    (rf"{_EACH} (?:half[ -]?years?|half of (?:the |a )?year|semesters?)|half[ -]yearly", "half", False),
    *(
        ((rf"{_EACH} {'' if unit == 'month' else '(?:calendar )?'}{unit}s?", cast(Grain, unit), False))
        for unit in ("hour", "day", "week", "month", "quarter", "year")
    ),
    *(
        (
            rf"{unit}[ -](?:over|on|to)[ -]{unit}|from (?:one )?{unit} to (?:the next|the following|{unit}|another)",
            cast(Grain, unit),
            False,
        )
        for unit in ("day", "week", "month", "quarter", "year")
    ),
    (r"daily", "day", False),
    (r"weekly", "week", False),
    (r"monthly|mom", "month", False),
    (r"quarterly|qoq", "quarter", False),
    (r"yearly|annually|annual|yoy", "year", False),
    (r"over time|trend|trends|over the months", "month", False),
    (r"over the years", "year", False),
    (rf"(?:on |in |during )?(?:which|what) {_WEEKDAY}", "weekday", True),
    (r"(?:at |in |during )?(?:which|what) (?:hour|time)(?: of (?:the )?day)?", "hour_of_day", True),
    (r"(?:in |during )?(?:which|what) half(?:[ -]?year| of the year)", "half", True),
    *(
        ((rf"(?:on |in |during )?(?:which|what) {unit}s?", cast(Grain, unit), True))
        for unit in ("day", "week", "month", "quarter", "year")
    ),
)
_GRAIN_WORDS = tuple(each[0] for each in _GRAINS)
