"""Columns of levels, which nobody adds up: temperatures, concentrations, speeds, shares; told by word or unit.

Asked by what puts the rows of a group together: `pm25 by city` is its mean.
"""

from __future__ import annotations

from pluto_duck_text2sql.language.words import name_stems, stem

_LEVELS = frozenset(
    map(
        stem,
        """temperature humidity pressure concentration density level ozone dioxide monoxide pm10 pm25 particulate
        visibility voltage frequency depth altitude elevation longitude latitude""".split(),
    )
)
_UNITS = frozenset("celsius fahrenheit ugm3 mgm3 ppm ppb hpa mbar kmh mph bpm rpm dbm".split())
_ONE_LETTER = frozenset("cf")
_TEMPERATURE = stem("temperature")


def is_level(name: str) -> bool:
    """Whether a column of that name holds levels."""
    stems = name_stems(name)
    if not stems:
        return False
    is_measured = stems[-1] in _UNITS or (stems[-1] in _ONE_LETTER and _TEMPERATURE in stems)
    return is_measured or not _LEVELS.isdisjoint(stems)
