"""A deed told by the column of the value after it: `booked online`, where `booking_channel` is online.

Called by `rewordings`. The deed is said by the column then, and is no state of the rows, though one is called so too.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, stem, tokenise
from pluto_duck_text2sql.times.recurring import periods_in
from pluto_duck_text2sql.trees.durations import rooted

_DEED = Pattern(r"\b(?P<deed>[a-z]+ed) (?P<value>[a-z][\w-]*(?: [a-z][\w-]*)?)", re.IGNORECASE)


def without_told_deeds(question: str, catalog: Catalog) -> str:
    """The question without deeds that are stored as states, where the value after one tells it by its column; a
    question of a period keeps them, since they tell by which date it goes."""

    def kept(said: re.Match[str]) -> str:
        deed, text = said["deed"], said["value"]
        is_state = bool(catalog.values.lookup(deed, 1)) and not any(periods_in(Words(tokenise(question))))
        is_told = is_state and any(_tells(deed, value, catalog) for value in (text, text.split()[0]))
        return text if is_told else said[0]

    return _DEED.sub(kept, question)


def _tells(deed: str, value: str, catalog: Catalog) -> bool:
    """Whether every column that keeps the value is called by the deed."""
    hits = catalog.values.lookup(value)
    roots = rooted([stem(deed.lower())])
    return bool(hits) and all(roots & rooted(name_stems(hit.column)) for hit in hits)
