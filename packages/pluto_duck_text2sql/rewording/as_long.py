"""How long rows took, by what they are: `rides longer than half an hour`, `calls that took less than 5 minutes`, as
rides that lasted so.

Called by `rewordings`, for rows that say when they begin and end and keep no duration: spans.py computes that. Where
something is said to be done within the time (`took longer than a week to arrive`) it is no length of the rows.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import NUMBER_WORDS, stem, table_stems
from pluto_duck_text2sql.terms.lasting import says_how_long

_N = rf"(?:\d[\d.,]*|an?|half an|{'|'.join(NUMBER_WORDS)})"
_UNIT = r"(?:minute|hour|day|week|month|year)s?"
_SAID = Pattern(
    rf"\b(?P<rows>[a-z]+)(?P<that> that| which)?(?: (?P<did>took|takes?|taking)| (?:is|are|was|were))?"
    rf" (?P<how>longer|shorter|more|less) than (?P<time>{_N} {_UNIT})\b(?! (?:to|until|till|after|before|of|old)\b)",
    re.IGNORECASE,
)
_HALF = Pattern(r"half an hour", re.IGNORECASE)
_MORE = ("longer", "more")
_ENDS = 2


def as_lasting(question: str, catalog: Catalog) -> str:
    """The question with such rows as those that lasted so; itself where there are none."""
    return _SAID.sub(lambda said: _lasting(said, catalog), question)


def _lasting(said: re.Match[str], catalog: Catalog) -> str:
    is_length = said["did"] or said["how"].lower() in ("longer", "shorter")
    if not is_length or not _have_ends(said["rows"], catalog):
        return said[0]
    how = "more" if said["how"].lower() in _MORE else "less"
    that = "" if said["did"] and not said["that"] else " that"
    time = _HALF.sub("30 minutes", said["time"])
    return f"{said['rows']}{that} lasted {how} than {time}"


def _have_ends(rows: str, catalog: Catalog) -> bool:
    """Whether one table is called so, and its rows have two times but keep no length."""
    found = [each for each in catalog.tables if table_stems(each.name)[-1:] == (stem(rows.lower()),)]
    return len(found) == 1 and sum(each.is_time for each in found[0].columns) >= _ENDS and not says_how_long(found[0])
