"""Stored values that words of a question misspell: `small busineses`, `San Fransisco Caltrain 2`, `Schumaker`.

Called by paraphrases.py with spans of which a word is none of the language, as far as the network's pieces tell: a
word that people know is meant as it stands, however near a value is.
"""

from __future__ import annotations

from collections.abc import Sequence

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.data.values import ValueHit
from pluto_duck_text2sql.language.slips import is_everyday
from pluto_duck_text2sql.language.sounds import sounds_like
from pluto_duck_text2sql.language.words import STOP, is_contrary, stem
from pluto_duck_text2sql.learned.model import load

_LEAST = 6
_LEAST_WORD = 4
_MOST = 50


class Misspelt:
    """Finds what is meant among one catalog's values."""

    def __init__(self, catalog: Catalog, names: NameIndex) -> None:
        self._catalog, self._names = catalog, names

    def value(self, words: Sequence[str], known: Sequence[bool]) -> str:
        """The one stored value that `words` may be meant for; nothing where none or several may be.

        `known` tells which of the words name something.
        """
        if not self._may_be(words, known):
            return ""
        text = " ".join(words)
        found = self._catalog.values.lookup_fuzzy(text, limit=_MOST) or self._sounding(words)
        hits = [hit for hit in found if not is_contrary(text, hit.value)]
        best = {hit.value.casefold(): hit.value for hit in hits if hit.score == hits[0].score}
        return next(iter(best.values())) if len(best) == 1 else ""

    def _may_be(self, words: Sequence[str], known: Sequence[bool]) -> bool:
        """Whether one of the words is strange, and they do not begin or end in one that only links others."""
        if sum(map(len, words)) < _LEAST or words[0].casefold() in STOP or words[-1].casefold() in STOP:
            return False
        strange = any(is_strange(each) for each, is_known in zip(words, known, strict=True) if not is_known)
        return strange and not (len(words) == 1 and self._names.find_misspelt(stem(words[0].casefold())))

    def _sounding(self, words: Sequence[str]) -> list[ValueHit]:
        """What sounds like a single word."""
        texts = sounds_like(words[0].casefold()) if len(words) == 1 else []
        return [hit for hits in self._catalog.values.lookup_all(texts, limit=_MOST) for hit in hits]


def is_strange(word: str) -> bool:
    """Whether a word is none of the language."""
    if len(word) < _LEAST_WORD or not word.isalpha() or is_everyday(folded := word.casefold()):
        return False
    knows = load().network.pieces.knows
    return not (knows(folded) or any(map(knows, (stem(folded), folded.removesuffix("s"), folded.removesuffix("es")))))
