"""Weather as people speak of it, by the figure that is kept: `the coldest day` is that with the lowest temperature,
`rainy days` those with rain above 0, `below freezing` a temperature below 0.

Called by `rewordings`; left where no column of numbers is called so.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_parts, stem
from pluto_duck_text2sql.reading.cues import ADJECTIVES

_RAIN = ("rain", "rainfall", "precipitation")
_WAYS = tuple(
    each
    for each, (words, _) in ADJECTIVES.items()
    if each.endswith("est") and not {"temperature", "rain", "wind", "sunshine"}.isdisjoint(words)
)
_EXTREME = Pattern(
    rf"\b(?:the )?(?P<way>{'|'.join(_WAYS)}) (?P<unit>days?|dates?|nights?|weeks?|months?|years?)\b", re.IGNORECASE
)
_RAINY = Pattern(r"\b(?P<way>rainy|wet|dry) (?P<unit>days?|dates?)\b", re.IGNORECASE)
_FREEZING = Pattern(r"\b(?:below|under) freezing(?: point)?\b|\bsub-?zero\b", re.IGNORECASE)
_NAMED = 0.9


def of_weather(text: str, names: NameIndex) -> str:
    """The question by those figures."""
    text = _EXTREME.sub(lambda said: _with_extreme(said, names), text)
    text = _RAINY.sub(lambda said: _with_rain(said, names), text)
    return _FREEZING.sub(lambda said: _below_freezing(said, names), text)


def _with_extreme(said: re.Match[str], names: NameIndex) -> str:
    words, descends = ADJECTIVES[said["way"].lower()]
    figure = _figure(words, names)
    return f"the {said['unit']} with the {'highest' if descends else 'lowest'} {figure}" if figure else said[0]


def _with_rain(said: re.Match[str], names: NameIndex) -> str:
    figure, is_dry = _figure(_RAIN, names), said["way"].lower() == "dry"
    return f"{said['unit']} with {figure} {'equal to' if is_dry else 'above'} 0" if figure else said[0]


def _below_freezing(said: re.Match[str], names: NameIndex) -> str:
    figure = _figure(("temperature",), names)
    columns = [each.column.name for each in names.called((stem("temperature"),)) if each.column]
    is_fahrenheit = any(name_parts(each)[-1] in ("f", "fahrenheit") for each in columns)
    return f"with {figure} below {32 if is_fahrenheit else 0}" if figure else said[0]


def _figure(words: tuple[str, ...], names: NameIndex) -> str:
    """The first of the words that a column of numbers is called by."""
    return next((each for each in words if _is_number(each, names)), "")


def _is_number(word: str, names: NameIndex) -> bool:
    found = names.called((stem(word),))
    return any(each.column and each.column.kind == "number" and each.score >= _NAMED for each in found)
