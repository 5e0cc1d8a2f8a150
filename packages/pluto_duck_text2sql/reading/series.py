"""Measures along time: the change against an earlier bucket, running totals, moving averages.

Roles asks for their cues before it looks for periods, so that "the previous month" in "growth against the previous
month" is not one; Measuring and Columns then wrap what is measured by the cues.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import NUMBER_WORDS, spoken
from pluto_duck_text2sql.reading.cues import Cue
from pluto_duck_text2sql.times.grains import GrainMention
from pluto_duck_text2sql.tree import Bucket, Expr, Grain, Growth, Running

_UNIT = "day|week|month|quarter|year"
_UNITS = rf"(?:(?:{_UNIT})s?|periods?|points?)"
_SIZED = rf"(?:(?P<unit>{_UNIT})s?|periods?|points?)"
_N = rf"(?P<n>\d+|{'|'.join(NUMBER_WORDS)})"
_BUCKETS = Pattern(
    rf"\b(?:(?:by|per|each|every|over) (?:the )?(?:{_UNIT})|daily|weekly|monthly|quarterly|yearly|annual"
    rf"|(?:{_UNIT})[ -](?:over|on|to)[ -](?:{_UNIT})|from (?:one )?(?:{_UNIT}) to)\b"
)
_CHANGES = Pattern(
    r"\b(?:chang\w*|gr[eo]w\w*|increas\w*|decreas\w*|ris\w*|rose|f[ea]ll\w*|drop\w*|percent\w*|declin\w*|differ\w*)\b"
)

_AGAINST = r"(?:(?:as )?(?:compared|relative|in relation) (?:to|with)|from|over|against|versus|vs|on|than|to) (?:(?:its|that of|the one of|their) )?(?:the )?"
_BEFORE = r"(?:before|earlier|prior|preceding)(?: it| that)?"
_GROWTH = (
    (
        rf"{_AGAINST}same (?:{_UNIT}) (?:of |in )?(?:the |a |one )?(?:last year|(?:previous|prior|preceding) year|year (?:before|earlier))",
        "year",
    ),
    (rf"{_AGAINST}(?:(?:previous|preceding|prior|last|earlier) (?:{_UNIT}|one)|(?:{_UNIT}|one) {_BEFORE})", ""),
)
_MOVING = (
    rf"(?:(?:the |a )?{_N}[ -]{_SIZED}[ -])?(?:moving|rolling|trailing|sliding) (?:average|mean|avg)(?: of)?",
    rf"(?:moving|rolling|trailing|sliding) {_N}[ -]{_SIZED}(?: (?:average|mean|avg))?(?: of)?",
    rf"{_N}[ -]{_SIZED}[ -](?:moving|rolling|trailing|sliding)(?: (?:total|sum))?(?: of)?",
)
_MEAN = Pattern(r"\b(?:average\w*|mean|avg|smooth\w*)\b")
_WINDOW = (
    (
        rf"(?:{_UNITS} )?(?:itself )?and (?:up to |at most )?(?:the |its )?{_N} (?:{_UNITS} )?(?:before|preceding|previous|prior|earlier)(?: (?:it|that|them|ones?|{_UNITS}))?",
        1,
    ),
    (rf"(?:over |of |across )?(?:the )?(?:last|past|previous|trailing|preceding|current) {_N} {_UNITS}", 0),
)
_FAR = r"(?:so far|up to then|until then|by then|to date|up to that point)"
_RUNNING = (
    (r"(?:running|cumulative|accumulated)(?: (?:total|sum|count|number|amount|value)s?)?(?: of)?|cumulatively", ""),
    (rf"{_FAR} (?:in )?(?:that|each|the same|the) year", "year"),
    (rf"{_FAR}(?! this)(?: that (?:month|quarter|week|day))?", ""),
    (r"year[ -]to[ -]date (?:total|sum|count)", "year"),
)
_A_YEAR: dict[Grain, int] = {"month": 12, "quarter": 4, "week": 52}
_RESTARTS = (
    r"(?:(?:counting|counted|starting) )?(?:since|from|in) (?:the (?:start|beginning) of (?:the|each|that|every) year|january)(?: on| onwards)?(?! (?:\d|to|through|until|•))",
    r"(?:re)?starting (?:over |again |anew |afresh )?(?:in |with )?(?:each|every) (?:new )?year",
    r"within (?:each|the|every) year",
)


def find_series(words: Words) -> list[Cue]:
    """The cues of a measure along time; running totals and growth only in questions that ask for rows by a grain."""
    moving = _found_moving(words)
    if moving or not _BUCKETS.search(words.text):
        return moving
    return [*_found_running(words), *(_found_growth(words) if _CHANGES.search(words.text) else [])]


def grains_along(cues: Sequence[Cue], grains: list[GrainMention]) -> list[GrainMention]:
    """The grains asked for: a three-month moving average goes by month; a growth's own year is what it compares."""
    finer = [each for each in grains if each.grain in _A_YEAR]
    if finer and any(cue.kind == "growth" for cue in cues):
        return finer
    sized = [GrainMention(cue.start, cue.end, cue.data["unit"]) for cue in cues if cue.data.get("unit")]
    return grains or sized[:1]


def _found_moving(words: Words) -> list[Cue]:
    size: dict[str, Any] = {} if _MEAN.search(words.text) else {"adds": True}
    said = [Cue(*each[:2], "moving", _size(each[2], 0)) for pattern in _MOVING for each in words.find(pattern)]
    if not said:
        return []
    windows = [
        Cue(*each[:2], "moving", _size(each[2], own)) for pattern, own in _WINDOW for each in words.find(pattern)
    ]
    for cue in (*windows, *said):
        size |= cue.data
    return [Cue(each.start, each.end, "moving", size) for each in (*said, *windows)]


def _size(match: re.Match[str], own: int) -> dict[str, Any]:
    """How many buckets of what unit a window holds; its own is one more than those before it."""
    said = spoken(match["n"]) if match["n"] else None
    unit = match.groupdict().get("unit")
    return ({"n": int(said) + own} if said else {}) | ({"unit": unit} if unit else {})


def _found_running(words: Words) -> list[Cue]:
    said = [
        Cue(start, end, "running", {"within": within})
        for pattern, within in _RUNNING
        for start, end, _ in words.find(pattern)
    ]
    if not said and not re.search(r"\bthe end of (?:each|every)\b", words.text):
        return []
    return said + [
        Cue(start, end, "running", {"within": "year"}) for each in _RESTARTS for start, end, _ in words.find(each)
    ]


def _found_growth(words: Words) -> list[Cue]:
    return [
        Cue(start, end, "growth", {"lag": lag}) for pattern, lag in _GROWTH for start, end, _ in words.find(pattern)
    ]


def along(measure: Expr, keys: Sequence[Expr], cues: Sequence[Cue], lags_year: bool, text: str) -> Expr:
    """The measure as growth, running total or moving average where a cue asks; itself where none does."""
    time = next((key for key in keys if isinstance(key, Bucket)), None)
    if time is None:
        return measure
    by = tuple(key for key in keys if not isinstance(key, Bucket))
    said = {cue.kind: cue for cue in reversed(cues)}
    if "growth" in said:
        yearly = lags_year or any(cue.data.get("lag") == "year" for cue in cues)
        lag = _A_YEAR.get(time.grain, 1) if yearly else 1
        return Growth(measure, time, lag, scale_of(text), by)
    if "moving" in said:
        size = said["moving"].data
        return Running(measure, time, int(size.get("n", 3)), by, adds=bool(size.get("adds")))
    if "running" in said or re.search(r"\bthe end of (?:each|every)\b", text):
        within = any(cue.data.get("within") for cue in cues) and time.grain != "year"
        return Running(measure, time, None, (*by, Bucket("year", time.of)) if within else by)
    return measure


def scale_of(text: str) -> int:
    """100 where percentages are asked for."""
    return 100 if re.search(r"\b(?:percent|percentage|percentages|pct)\b", text) else 1
