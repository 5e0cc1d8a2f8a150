"""An earlier query on its way to what a follow-up means, and what the follow-up is read from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pluto_duck_text2sql.followups.fragment import Fragment
from pluto_duck_text2sql.followups.frames import Frame
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.tree import Query


@dataclass(frozen=True)
class Turn:
    """A follow-up: its framing words, what the rest names, and the trees of the answers before it, oldest first; and
    what was asked last."""

    frame: Frame
    fragment: Fragment
    reader: Reader
    trees: tuple[Query, ...]
    said_before: str = ""

    @property
    def earlier(self) -> Query:
        return self.trees[-1]


@dataclass(frozen=True)
class Draft:
    """The query so far, the fragment's words explained, the changes in words, and how likely each step was meant."""

    query: Query
    used: frozenset[int] = frozenset()
    changes: tuple[str, ...] = ()
    weight: float = 1.0

    def changed(self, query: Query, line: str, used: Iterable[int] = (), weight: float = 1.0) -> Draft:
        """One more change: `line` says it, `used` are the words that it explains."""
        return Draft(query, self.used | set(used), (*self.changes, line), self.weight * weight)

    def using(self, used: Iterable[int]) -> Draft:
        return replace(self, used=self.used | set(used))
