"""The day that a question counts from, where it says one: "say today is the day of the last order", "as of 31 March 2013".

spec.py takes what only says so out of the question; what says a period by it is put in words that count from today
("the 90 days ending with the latest order date" is the last 90 days). The reader then counts from that day.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from functools import lru_cache

from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import NUMBER_WORDS, tokenise
from pluto_duck_text2sql.times.periods import find_periods, period_of


@dataclass(frozen=True)
class Today:
    """The day itself, or the words for what happened last on it; neither: the last day of the data."""

    day: dt.date | None = None
    of: str = ""


_STOP = r"(?:as|is|was|are|were|by|in|on|for|and|or|how|what|which|who|to|of|from|per|each|with|we|there|that|counted|show|today|week|month|quarter|year)"
_WORD = rf"(?!{_STOP}\b)[^\W\d_][\w-]*"
_LAST = r"(?:the |our )?(?:very )?(?:last|latest|newest|most recent|final)"
_DATA = r"(?: (?:in|of|on) (?:the |our |this )?(?:data|dataset|database|records?|file|tables?)| (?:that )?(?:we|there) (?:have|is))?"
_THING = rf"(?P<of>{_WORD}(?: {_WORD}){{0,2}}?)(?: (?:date|day|timestamp)s?)?{_DATA}(?= ?[,.:;?!)]| {_STOP}\b|$)"
_DAY = rf"(?:the )?(?:(?:day|date|moment) (?:of )?)?{_LAST} {_THING}"
_DATE = r"(?P<date>\d{4}-\d\d-\d\d|\d{1,2}(?:st|nd|rd|th)? (?:of )?[a-z]{3,9},? \d{4}|[a-z]{3,9} \d{1,2}(?:st|nd|rd|th)?,? \d{4})"
_UNIT = r"(?P<unit>day|week|month|quarter|year)"
_BUCKET = r"(?P<at>in|during|of|for|before|since|from|until|with|within) the (?P<unit>week|month|quarter|year)"
_COUNT = rf"(?P<n>\d+|{'|'.join(NUMBER_WORDS)})"
_SUPPOSE = (
    r"(?:(?:and |but )?(?:let us |let's |please )?(?:say|assume|assuming|suppose|supposing|pretend|pretending|imagine"
    r"|imagining|as if|as though|given|if|with|where|when)(?: that)? )?"
)
_TAKE = (
    r"(?:and |but )?(?:taking|take|treating|treat|using|use|with|considering|consider|regarding|counting|calling|call)"
)
_AS_TODAY = r"(?:as|for|to be|as if it were) (?:today|now|the current (?:day|date)|the reference (?:day|date))"
_FROM = r"(?:and |but )?(?:as of|as at|relative to|counting (?:back )?from|counted (?:back )?from|measured from|seen from|looking back from|going back from)"


def _whole(day: str) -> list[str]:
    """The ways to say that today is a day, and nothing else."""
    return [
        rf"{_SUPPOSE}today(?: date)? (?:is|was|were|be|being|as|falls on|set to) {day}",
        rf"{_TAKE} {day} {_AS_TODAY}",
        rf"{_FROM} {day}",
    ]


def _within(day: str) -> list[tuple[str, str]]:
    """Periods said by the day, and the same ones counted from today."""
    up_to = (
        r"(?:ending|ended|finishing|closing|up|through|until|leading up)(?: (?:with|on|at|in|to))?(?: and including)?"
    )
    return [
        (rf"{_BUCKET} (?:of|with|holding|containing) {day}", r"\g<at> this \g<unit>"),
        (rf"(?:the )?(?:last )?{_COUNT} {_UNIT}s {up_to} {day}", r"the last \g<n> \g<unit>s"),
    ]


def _before(day: str) -> tuple[str, str]:
    """Whole units before the day; before a date they are periods of their own (named_days.py)."""
    return (
        rf"(?:the )?(?:last )?{_COUNT} {_UNIT}s (?:before|prior to|preceding) {day}",
        r"the \g<n> \g<unit>s before today",
    )


_SAID = [Pattern(rf"\b{form}", re.IGNORECASE) for day in (_DAY, _DATE) for form in _whole(day)]
_PERIODS = [
    (Pattern(rf"\b{form}", re.IGNORECASE), put) for form, put in (*_within(_DAY), _before(_DAY), *_within(_DATE))
]


@lru_cache(maxsize=1_024)
def split_today(question: str) -> tuple[str, Today | None]:
    """`(the question without that, the day it counts from)`; itself and None where it says none. Kept for the last
    texts, which many rules look at."""
    for form in _SAID:
        found = form.search(question)
        today = _today(found) if found else None
        if found and today:
            rest = tidy(question[: found.start()] + " " + question[found.end() :])
            return (rest, today) if today.of or _is_relative(rest) else (question, None)
    for form, put in _PERIODS:
        found = form.search(question)
        today = _today(found) if found else None
        if found and today:
            return question[: found.start()] + found.expand(put) + question[found.end() :], today
    return question, None


def _is_relative(text: str) -> bool:
    """Whether it names a period that depends on the day: `customers as of 2013-03-31` does not."""
    return any(each.relative for each in find_periods(Words(tokenise(text))))


def _today(found: re.Match[str]) -> Today | None:
    """What the words found say; None where they are no date."""
    parts = found.groupdict()
    if parts.get("date"):
        period = period_of(parts["date"])
        return Today(day=period.resolve(dt.date.min)[0]) if period else None
    of = parts["of"].casefold()
    return Today(of="" if of in _NOTHING_ELSE else of)


_NOTHING_ELSE = frozenset(
    "data dataset database date day record records entry row point available recorded known".split()
)
