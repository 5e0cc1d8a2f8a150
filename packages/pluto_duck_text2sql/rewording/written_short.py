"""Values that are stored written short, with a mark for what is left out: `Comp. Sci.` of computer science.

Called by paraphrases.py with spans of several words.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.words import STOP

_FEWEST, _MOST = 2, 3
_SHORTEST, _LONGEST = 3, 5
"""How many letters are left of a word that is written short."""


def written_short(words: Sequence[str], catalog: Catalog) -> str:
    """The one stored value that these words are, some of them cut off with a mark; nothing where several are."""
    if not _FEWEST <= len(words) <= _MOST or not all(map(_is_whole_word, words)):
        return ""
    texts = [" ".join(each) for each in product(*map(_ways, words))]
    hits = [hit for some in catalog.values.lookup_all(texts[1:]) for hit in some]
    found = {hit.value for hit in hits if _is_short_for(hit.value, words)}
    return found.pop() if len(found) == 1 else ""


def _is_whole_word(word: str) -> bool:
    return word.isalpha() and len(word) > _SHORTEST and word.casefold() not in STOP


def _ways(word: str) -> list[str]:
    """A word as it is and cut off."""
    folded = word.casefold()
    return [folded, *(folded[:end] for end in range(_SHORTEST, min(_LONGEST, len(word) - 1) + 1))]


def _is_short_for(value: str, words: Sequence[str]) -> bool:
    """Whether a value has these words one by one, a mark after each that is cut off."""
    parts = value.split()
    pairs = zip(parts, words, strict=False)
    return len(parts) == len(words) and all(
        part.casefold() == word.casefold() or (part[-1] == "." and word.casefold().startswith(part[:-1].casefold()))
        for part, word in pairs
    )
