"""Values of several words by one of these: `bad` for Bad Customer, `multiplayer` for Massively multiplayer online game.

Filled by `values.ValueIndex` with what columns of few values hold; asked by `paraphrases`. Each such column is kept
whole, at most `_MOST_KEPT` values in all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from pluto_duck_text2sql.language.normal import normal

_FEW, _MOST = 60, 300
"""A column with more different values tells no kinds apart; one with more is no list of what there is."""
_MOST_KEPT = 50_000
_LONGEST = 60
Item = tuple[str, str, str, str]


class ValueParts:
    """Values of columns that hold few, by the stems of their words."""

    def __init__(self) -> None:
        self._columns: dict[tuple[str, str], dict[str, list[str]]] = {}
        self._holding: dict[str, set[Item]] | None = None

    def watched(
        self, table: tuple[str, str], batches: Iterable[tuple[str, Sequence[str]]]
    ) -> Iterator[tuple[str, Sequence[str]]]:
        """The batches of a table's values as they come, noted where a column has few."""
        found = dict[str, list[str]]()
        many = set[str]()
        for column, values in batches:
            if column not in many:
                kept = found.setdefault(column, [])
                kept += values[: _MOST + 1 - len(kept)]
                many |= {column} if len(kept) > _MOST else set()
            yield column, values
        self._columns[table] = {column: some for column, some in found.items() if column not in many}
        self._holding = None

    def holding(self, words: Sequence[str]) -> list[Item]:
        """The `(schema, table, column, value)` of which all these stems are words, and not all words, in columns that
        hold few."""
        return [each for each in self.held(words) if len(self.values(*each[:3])) <= _FEW]

    def held(self, words: Sequence[str]) -> list[Item]:
        """The same, in columns that hold more as well."""
        index = self._holding
        if index is None:
            index = self._holding = self._indexed()
        found = set.intersection(*(index.get(each, set()) for each in words)) if words else set()
        return sorted(each for each in found if len(normal(each[3]).split()) > len(words))

    def values(self, schema: str, table: str, column: str) -> Sequence[str]:
        """All values of a column that is kept whole; nothing of others."""
        return self._columns.get((schema, table), {}).get(column, [])

    def _indexed(self) -> dict[str, set[Item]]:
        index = defaultdict[str, set[Item]](set)
        for item in islice(self._items(), _MOST_KEPT):
            for each in normal(item[3]).split() if len(item[3]) <= _LONGEST else ():
                index[each].add(item)
        return index

    def _items(self) -> Iterator[Item]:
        for table, columns in self._columns.items():
            for column, values in columns.items():
                yield from ((*table, column, value) for value in values)
