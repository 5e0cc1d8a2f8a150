"""Periods that lean on the day from which they are counted: the last two weeks, this year, more than a month ago."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from typing import cast

from pluto_duck_text2sql.language.words import NUMBER_WORDS
from pluto_duck_text2sql.times.calendar_days import Made, Range, floor, shift, units_said
from pluto_duck_text2sql.times.dated_periods import END_OF, SIDE, beside_end
from pluto_duck_text2sql.tree import Grain

_COUNT = r"\d+|" + "|".join(NUMBER_WORDS)
_UNIT = "day|week|month|quarter|year"


def _rolling(match: re.Match[str]) -> Made:
    count = units_said(match["n"], match["unit"])
    unit = match["unit"]

    def resolve(anchor: dt.date) -> Range:
        end = anchor + dt.timedelta(days=1)
        return shift(end, unit, -count), end

    return resolve, cast(Grain, unit)


def _past(match: re.Match[str]) -> Made:
    """More than n units ago: before the rolling n units that end on the anchor day."""
    resolve, unit = _rolling(match)

    def before(anchor: dt.date) -> Range:
        return None, resolve(anchor)[0]

    return before, unit


def _whole(match: re.Match[str]) -> Made:
    """The last n units that were complete on the anchor day, or before the one that holds it."""
    count = units_said(match["n"], match["unit"])
    unit, day = match["unit"], dt.timedelta(days="this" not in match.groupdict())

    def resolve(anchor: dt.date) -> Range:
        end = floor(anchor + day, unit)
        return shift(end, unit, -count), end

    return resolve, cast(Grain, unit)


def _before_the_last(match: re.Match[str]) -> Made:
    """The n units before the last one."""
    count = units_said(match["n"], match["unit"])
    unit = match["unit"]

    def resolve(anchor: dt.date) -> Range:
        end = shift(floor(anchor, unit), unit, -1)
        return shift(end, unit, -count), end

    return resolve, cast(Grain, unit)


def _ending_now(match: re.Match[str]) -> Made:
    """The n units of which the one that holds the anchor day is the last."""
    count = units_said(match["n"], match["unit"])
    unit = match["unit"]

    def resolve(anchor: dt.date) -> Range:
        end = shift(floor(anchor, unit), unit, 1)
        return shift(end, unit, -count), end

    return resolve, cast(Grain, unit)


def last_full(match: re.Match[str]) -> Made:
    unit = match["unit"]

    def resolve(anchor: dt.date) -> Range:
        end = floor(anchor + dt.timedelta(days=1), unit)
        return shift(end, unit, -1), end

    return resolve, cast(Grain, unit)


def _before_this(match: re.Match[str]) -> Made:
    unit = match["unit"]
    return (lambda anchor: (shift(floor(anchor, unit), unit, -1), floor(anchor, unit))), cast(Grain, unit)


def _open_end(match: re.Match[str]) -> Made:
    """Since the end of last month: what comes after it."""
    return beside_end(match["side"], _before_this(match)[0]), "day"


def _this(match: re.Match[str]) -> Made:
    unit = match["unit"]
    return (lambda anchor: (floor(anchor, unit), shift(floor(anchor, unit), unit, 1))), cast(Grain, unit)


def _to_date(match: re.Match[str]) -> Made:
    unit = {"y": "year", "m": "month", "q": "quarter", "w": "week"}[next(filter(None, match.groups()))[0]]
    return (lambda anchor: (floor(anchor, unit), anchor + dt.timedelta(days=1))), cast(Grain, unit)


def _day(match: re.Match[str]) -> Made:
    back = 1 if match["before"] else -1 if match["after"] else 0
    return (lambda anchor: (anchor - dt.timedelta(days=back), anchor - dt.timedelta(days=back - 1))), "day"


_UNDER_WAY = "week|month|quarter|year"
_FULL = r"(?:full|complete|completed|whole|entire|finished|calendar)"
_IN_DATA = r"(?: (?:in|of|on|from) (?:the |our |this )?(?:data|dataset|database|records?))?"
LEANING: tuple[tuple[str, Callable[[re.Match[str]], Made], bool], ...] = (
    (
        rf"(?:in |over |during |for |within )?(?:the )?(?P<n>{_COUNT}) (?:{_FULL} )?(?P<unit>{_UNIT})s (?:before|prior to|preceding) (?P<this>this|today|the current)(?: (?P=unit))?",
        _whole,
        True,
    ),
    (
        rf"(?:in |over |during |for |within )?(?:the )?(?P<n>{_COUNT}) (?P<unit>{_UNIT})s (?:before|prior to|preceding) last (?P=unit)",
        _before_the_last,
        True,
    ),
    (
        rf"(?:in |over |during |for |within )?(?:the )?(?:last )?(?P<n>{_COUNT}) (?P<unit>{_UNIT})s (?:ending|up to|through|until|to)(?: (?:with|in))?(?: and including)? (?:this|the current) (?P=unit)",
        _ending_now,
        True,
    ),
    (
        rf"(?:in |over |during |for |within )?(?:the )?(?:last|past|previous|latest|most recent) (?P<n>{_COUNT}) {_FULL} (?P<unit>{_UNIT})s?{_IN_DATA}",
        _whole,
        True,
    ),
    (
        rf"(?:in |over |during |for |within )?(?:the )?(?:last|past|previous|recent) (?P<n>{_COUNT}) (?P<unit>{_UNIT})s?",
        _rolling,
        True,
    ),
    (
        rf"(?:in |over |during |for )?(?:the )?(?:last|past|previous|latest|most recent) {_FULL} (?P<unit>{_UNIT}){_IN_DATA}",
        last_full,
        True,
    ),
    (rf"(?:from )?(?:more than|over|at least) (?P<n>{_COUNT}) (?P<unit>{_UNIT})s? ago", _past, True),
    (rf"older than (?P<n>{_COUNT}) (?P<unit>day|week|month)s?", _past, True),
    (r"(?:in |over |during |for |within )?the past (?P<n>)(?P<unit>week|month|quarter|year)", _rolling, True),
    (rf"{SIDE} {END_OF}(?:the )?(?:last|past|previous) (?P<unit>{_UNIT})", _open_end, True),
    (rf"(?:in |over |during |for )?(?:the )?(?:last|past|previous) (?P<unit>{_UNIT})", _before_this, True),
    (
        rf"(?:in |for |of |over )?(?:the |this |current |the current )?(?P<u>{_UNDER_WAY})[ -]to[ -]date|(?P<short>ytd|mtd|qtd|wtd)"
        rf"|so far this (?P<far>{_UNDER_WAY})|this (?P<far2>{_UNDER_WAY}) so far",
        _to_date,
        True,
    ),
    (rf"(?:in |during |for )?(?:this|the current|current) (?P<unit>{_UNIT})", _this, True),
    (r"today|(?P<before>yesterday)|(?P<after>tomorrow)", _day, True),
)
"""Those that count from a day, whatever year it is in."""
