"""Grains where every reading looks for them: `by month and category` as by category and month, `by signup month`."""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem

_GRAIN = r"(?P<grain>(?:calendar )?(?:hour|day|week|month|quarter|year|weekday|day of the week))"
_AFTER_GRAIN = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?P<by>by|per|each|every|for each|in each) {_GRAIN}(?:,? and(?: (?:by|per|each))?|,)"
        r" (?P<key>[a-z]+(?: [a-z]+)?)"
        r"(?=$|[,.;:?]| (?:in|for|during|from|since|between|with|where|over|as|until|before|after)\b)",
        rf"(?<=^)(?P<by>for each|for every|per|by) {_GRAIN} and (?P<key>[a-z]+(?: [a-z]+)?)(?=[,:])",
    )
)
_DATED = Pattern(
    r"\b(?P<by>(?:(?:by|per|each|every) [a-z]+,? and)|by|per|each|every|for each|for every) (?P<date>[a-z]+)"
    r" (?P<grain>year|quarter|month|week)\b(?: and (?P<key>[a-z]+)(?=$|[,.;:?]))?",
    re.IGNORECASE,
)


_NAMED, _ROWS = 0.9, 0.6


def keys_first(text: str, names: NameIndex) -> str:
    """Of what is told apart by, each grain behind what the data has a name for."""
    for pattern in _AFTER_GRAIN:
        text = pattern.sub(lambda match: _grain_last(match, names), text)
    return text


def of_dates(text: str, names: NameIndex) -> str:
    """Each grain that a date's own name stands before as one of that date."""
    return _DATED.sub(lambda match: _grain_of_date(match, names), text)


def _grain_last(match: re.Match[str], names: NameIndex) -> str:
    """`by month and category` as `by category and month`, where the second names something."""
    stems = tuple(stem(each) for each in match["key"].lower().split())
    named = re.fullmatch(_GRAIN, match["key"], re.IGNORECASE) is None and any(
        each.score >= _NAMED for each in names.find(stems)
    )
    return f"{match['by']} {match['key']} and {match['grain']}" if named else match[0]


def _grain_of_date(match: re.Match[str], names: NameIndex) -> str:
    """`by signup month` as `by month of signup`, where the word names nothing but dates."""
    found = [each for each in names.called((stem(match["date"].lower()),)) if each.score >= _ROWS]
    is_date = bool(found) and all(each.column and each.column.is_time for each in found)
    key = f" {match['key']} and" if match["key"] else ""
    return f"{match['by']}{key} {match['grain']} of {match['date']}" if is_date else match[0]
