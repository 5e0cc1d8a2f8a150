"""Names of several words, each said by another: `job title` of position_name, `start station` of from_point_name.

Called by `name_words`. A name is found where each word, or one that stands for it, is a word of it, in this order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.lexicon import others_for
from pluto_duck_text2sql.language.words import STOP, SYNONYMS, name_words, stem, table_words

_KEPT = 512
_MOST_WORDS = 3
_CALLED = 0.8
"""How well the words must name something."""
_NAME = "name"


class ComposedNames:
    """The names of one catalog, by other words for their parts."""

    def __init__(self, catalog: Catalog, names: NameIndex) -> None:
        self._names = names
        self._words = {stem(word): word for word in words_of(catalog)}
        self.of = lru_cache(maxsize=_KEPT)(self._of)

    def _of(self, text: str) -> str:
        """What several words name here once some of them are put by others; nothing where they name nothing."""
        said = text.casefold().split()
        if not 1 < len(said) <= _MOST_WORDS or not STOP.isdisjoint(said):
            return ""
        choices = [self._instead(word) for word in said]
        found = (each for each in self._made(choices) if self._is_called(each))
        return " ".join(map(self._word, next(found, ())))

    def _instead(self, word: str) -> Sequence[str]:
        """The stems that names here have of a word: its own first, else of those that stand for it."""
        own = stem(word)
        others = [each[0] for each in others_for(word) if len(each) == 1]
        known = [each for each in dict.fromkeys((*others, *sorted(SYNONYMS.get(own, ())))) if each in self._words]
        return [own, *known]

    def _made(self, choices: Sequence[Sequence[str]]) -> Iterator[tuple[str, ...]]:
        """The combinations but for the words themselves, then each as the beginning of a name."""
        made = list(product(*choices))[1:]
        yield from made
        yield from ((*each, _NAME) for each in made)

    def _is_called(self, stems: tuple[str, ...]) -> bool:
        return any(each.column is not None and each.score >= _CALLED for each in self._names.called(stems))

    def _word(self, of: str) -> str:
        return self._words.get(of, of)


def words_of(catalog: Catalog) -> Iterator[str]:
    """The words of all names, spelt out."""
    for table in catalog.tables:
        yield from table_words(table.name)
        for column in table.columns:
            yield from name_words(column.name)
