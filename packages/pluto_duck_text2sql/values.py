"""An index of the values stored in text columns, so that `germany` in a question finds `Germany` in customers.country.

Exact matches (any case, any plural) come from one dictionary; only when there is none are misspellings looked for,
by shared trigrams and then edit distance (at most one edit for every five letters).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from pluto_duck_text2sql.words import stem

_WORD = re.compile(r"[^\W_]+")
_LONGEST = 120
Item = tuple[str, str, str, str]


@dataclass(frozen=True)
class ValueHit:
    """A stored value that words of the question name; `value` is spelt as stored, `score` is 1 for exact."""

    schema: str
    table: str
    column: str
    value: str
    score: float


class ValueIndex:
    """`(schema, table, column, value)` items, found by what people call them. Bounded by what is put in."""

    def __init__(self) -> None:
        self._items: dict[tuple[str, str], list[Item]] = {}
        self._exact: dict[str, list[Item]] = defaultdict(list)
        self._stale = False
        self._trigrams: dict[str, set[str]] | None = None

    @classmethod
    def build(cls, items: Iterable[Item]) -> ValueIndex:
        """An index of all `items`."""
        index = cls()
        grouped: dict[tuple[str, str], list[Item]] = defaultdict(list)
        for item in items:
            grouped[item[0], item[1]].append(item)
        index._items = dict(grouped)
        index._stale = True
        return index

    def replace(self, schema: str, table: str, items: Iterable[Item]) -> None:
        """Put one table's values in place of those it had."""
        self._items[schema, table] = list(items)
        self._stale = True

    def __len__(self) -> int:
        return sum(len(items) for items in self._items.values())

    def lookup(self, phrase: str, limit: int = 10) -> list[ValueHit]:
        """The values that `phrase` names, exactly or in another case or number."""
        exact = self._find()
        by_case = [ValueHit(*item, 1.0) for item in exact.get(phrase.casefold().strip(), ())]
        by_stem = [ValueHit(*item, 0.9) for item in exact.get(_normal(phrase), ())]
        return list({(hit.schema, hit.table, hit.column, hit.value): hit for hit in [*by_stem, *by_case]}.values())[
            :limit
        ]

    def lookup_fuzzy(self, phrase: str, limit: int = 5) -> list[ValueHit]:
        """The values that `phrase` misspells."""
        wanted = phrase.casefold().strip()
        edits = len(wanted) // 5
        if not edits or len(wanted) < 6:
            return []
        near = [(_distance(wanted, name, edits), name) for name in self._near(wanted) if _alike(wanted, name)]
        near = [pair for pair in near if pair[0] <= edits]
        hits = [
            ValueHit(*item, 0.8 - 0.1 * distance)
            for distance, name in sorted(near)[:limit]
            for item in self._exact[name]
        ]
        return hits[:limit]

    def _find(self) -> dict[str, list[Item]]:
        if self._stale:
            self._exact = defaultdict(list)
            for items in self._items.values():
                for item in items:
                    for name in {item[3].casefold().strip(), _normal(item[3])}:
                        self._exact[name].append(item)
            self._trigrams, self._stale = None, False
        return self._exact

    def _near(self, wanted: str) -> list[str]:
        names = self._find()
        if self._trigrams is None:
            self._trigrams = defaultdict(set)
            for name in (each for each in names if 4 <= len(each) <= 40):
                for gram in _grams(name):
                    self._trigrams[gram].add(name)
        shared = Counter(name for gram in _grams(wanted) for name in self._trigrams.get(gram, ()))
        return [name for name, count in shared.most_common(50) if abs(len(name) - len(wanted)) <= 2]


def _alike(wanted: str, name: str) -> bool:
    """A misspelling keeps the first letter, and is more than a word with something appended."""
    return name[:1] == wanted[:1] and not name.startswith(wanted)


def _normal(text: str) -> str:
    return " ".join(stem(word) for word in _WORD.findall(text[:_LONGEST].casefold()))


def _grams(text: str) -> set[str]:
    padded = f"  {text} "
    return {padded[start : start + 3] for start in range(len(padded) - 2)}


def _distance(left: str, right: str, most: int) -> int:
    """Damerau-Levenshtein distance (adjacent swaps count one), or more than `most`."""
    before: list[int] = []
    previous = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        current = [i]
        for j, b in enumerate(right, 1):
            cost = min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            current.append(cost)
        if min(current) > most:
            return most + 1
        before, previous = previous, current
    return previous[-1]
