"""Which table a word of trade is said of: `late orders` of orders, `carriers that deliver late` of their deliveries.

A word such as `late` means something only of rows that have the columns for it. Asked by lateness.py and openness.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.words import STOP, Token
from pluto_duck_text2sql.tree import TableKey

_LONGEST_NAME = 3
_NAMED, _CLEARLY = 0.6, 0.9


class Homes:
    """Finds the tables over one catalog."""

    def __init__(self, joins: JoinGraph, names: NameIndex) -> None:
        self._joins, self._names = joins, names

    def named(self, tokens: Sequence[Token]) -> list[TableKey]:
        """The tables that words of the question name, in its order; of `purchase orders` not those of `orders`."""
        wholes = [(at, end) for at, end in _spans(tokens) if end - at > 1 and self.called(tokens[at:end], _CLEARLY)]
        some = ((at, end) for at, end in _spans(tokens) if not any(_is_within((at, end), whole) for whole in wholes))
        return list(dict.fromkeys(key for at, end in some for key in self.called(tokens[at:end])))

    def called(self, tokens: Sequence[Token], least: float = _NAMED) -> list[TableKey]:
        """The tables that these words, all of them together, are the name of."""
        if any(token.quoted or token.lower in STOP for token in tokens):
            return []
        found = self._names.find(tuple(token.stem for token in tokens))
        best = max((each.score for each in found), default=0.0)
        return [each.table.key for each in found if each.column is None and each.score >= max(best, least)]

    def of(self, tokens: Sequence[Token], able: Collection[TableKey]) -> list[TableKey]:
        """Those of the tables `able` that are meant: named themselves, else the one whose rows belong to what is
        named, else the one that these belong to; where nothing is named, the only one."""
        named = self.named(tokens) or self._with_columns(tokens)
        own = [key for key in named if key in able]
        below = self._nearest(pair for key in able for owner in named if self._joins.belongs(*(pair := (key, owner))))
        above = self._nearest(
            pair for key in able for each in named if self._joins.belongs(*reversed(pair := (key, each)))
        )
        some = next((each for each in (own, below, above) if each), [] if named else list(able))
        return some if some == own or len(some) == 1 else []

    def _with_columns(self, tokens: Sequence[Token]) -> list[TableKey]:
        """The tables of the columns that words of the question name."""
        found = list[TableKey]()
        for start, end in _spans(tokens):
            if not any(token.quoted or token.lower in STOP for token in tokens[start:end]):
                targets = self._names.find(tuple(token.stem for token in tokens[start:end]))
                found += [each.table.key for each in targets if each.column and each.score >= _CLEARLY]
        return list(dict.fromkeys(found))

    def _nearest(self, pairs: Iterable[tuple[TableKey, TableKey]]) -> list[TableKey]:
        """The first tables of those pairs whose two are joined most directly."""
        far = {pair: self._joins.distance(*pair) for pair in pairs}
        least = min(far.values(), default=0.0)
        return list(dict.fromkeys(key for (key, _), distance in far.items() if distance == least))


def _spans(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Where each run of words that may be a name begins and ends."""
    size = len(tokens)
    return [(at, end) for at in range(size) for end in range(at + 1, min(at + _LONGEST_NAME, size) + 1)]


def _is_within(span: tuple[int, int], whole: tuple[int, int]) -> bool:
    return span != whole and whole[0] <= span[0] and span[1] <= whole[1]
