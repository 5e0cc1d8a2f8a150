"""All segments of one value index: which are current, whose they are, and the way back to a stored text.

Held by `ValueIndex` (values.py), which decides what a text may mean. Many threads read; one at a time fills. What must
stay true: a table's values change all at once, when all of the new ones are in.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pluto_duck_text2sql.data.hashing import Hashes
from pluto_duck_text2sql.data.segments import Draft, Segment, Sorted, Store, merged, offset_of, owner_of

Item = tuple[str, str, str, str]
_ALONE_FROM = 250_000
_FULL = 1_000_000
_BATCH = 50_000
_SPARE_BYTES = 64_000_000


@dataclass(frozen=True)
class _Owner:
    """One filling of one table: the table's place among all, where its texts are, how many values."""

    place: int
    start: int
    size: int
    count: int


class Shelf:
    """Items `(schema, table, column, value)` by the keys of their values."""

    def __init__(self, folder: Path | None = None) -> None:
        self._store = Store(folder)
        self._lock = threading.RLock()
        self._filling = threading.Lock()
        self._numbers: dict[tuple[str, str], int] = {}
        self._owners: dict[int, _Owner] = {}
        self._next = 0
        self._columns: dict[tuple[str, str, str], int] = {}
        self._named: list[tuple[str, str, str]] = []
        self._segments: tuple[Segment, ...] = ()
        self._fresh: list[Segment] = []
        self._unsettled = 0
        self.letters: Counter[str] = Counter()

    def __len__(self) -> int:
        with self._lock:
            return sum(owner.count for owner in self._owners.values())

    def count(self, table: tuple[str, str]) -> int:
        """How many values there are of one table."""
        with self._lock:
            owner = self._owners.get(self._numbers.get(table, -1))
            return owner.count if owner else 0

    def fill(self, table: tuple[str, str], batches: Iterable[tuple[str, Sequence[str]]]) -> None:
        """Put these `(column, values)` in place of what the table had."""
        with self._filling:
            self._next += 1
            filling = _Filling(self._store, self._next)
            for column, values in batches:
                for start in range(0, len(values), _BATCH):
                    filling.add(self._column((*table, column)), values[start : start + _BATCH])
            self._publish(table, filling)

    def _column(self, name: tuple[str, str, str]) -> int:
        if name not in self._columns:
            self._named.append(name)
            self._columns[name] = len(self._named) - 1
        return self._columns[name]

    def _publish(self, table: tuple[str, str], filling: _Filling) -> None:
        segments = filling.segments()
        with self._lock:
            before = self._owners.pop(self._numbers.get(table, -1), None)
            place = before.place if before else len(self._numbers)
            self._numbers[table] = filling.owner
            self._owners[filling.owner] = _Owner(place, filling.start, filling.size, filling.count)
            self.letters += filling.letters
            self._fresh += segments
            self._unsettled += filling.count
            if self._unsettled >= _FULL:
                self._settle()

    def _settle(self) -> tuple[Segment, ...]:
        """Many small segments become one, and what is gone is left out."""
        with self._lock:
            if self._fresh:
                every = [*self._segments, *self._fresh]
                stay = [each for each in every if len(each.keys) >= _ALONE_FROM and self._alive(each) > 0.5]
                others = [each for each in every if each not in stay and self._alive(each)]
                self._segments = (*stay, *([merged(self._store, others, self._owners)] if others else []))
                self._fresh, self._unsettled = [], 0
                self._save_room()
            return self._segments

    def _alive(self, segment: Segment) -> float:
        alive = sum(count for owner, count in segment.owners.items() if owner in self._owners)
        return alive / max(len(segment.keys), 1)

    def _save_room(self) -> None:
        if self._store.size > _SPARE_BYTES + 2 * sum(owner.size for owner in self._owners.values()):
            moved = self._store.compact({number: (each.start, each.size) for number, each in self._owners.items()})
            for number, (start, _) in moved.items():
                each = self._owners[number]
                self._owners[number] = _Owner(each.place, start, each.size, each.count)

    def find(self, wanted: Hashes) -> dict[int, list[int]]:
        """By its place in `wanted`, for each key that is there the refs of its values: by tables, columns, values."""
        found: dict[int, list[int]] = {}
        for segment in self._settle():
            for place, ref in segment.find(wanted):
                found.setdefault(place, []).append(ref)
            self._store.touched(len(wanted))
        return {place: sorted(filter(self._is_current, refs), key=self._rank) for place, refs in found.items()}

    def _is_current(self, ref: int) -> bool:
        return owner_of(ref) in self._owners

    def _rank(self, ref: int) -> tuple[int, int]:
        owner = self._owners.get(owner_of(ref))
        return (owner.place if owner else -1, offset_of(ref))

    def items(self, refs: Iterable[int]) -> Iterator[Item]:
        """What they refer to, but for what has gone meanwhile."""
        for ref in refs:
            with self._lock:
                owner = self._owners.get(owner_of(ref))
                read = self._store.read(owner.start + offset_of(ref)) if owner else None
            if read:
                yield (*self._named[read[0]], read[1])

    def knows(self, words: Hashes) -> NDArray[np.bool_]:
        """Which of these words are in values."""
        return self._among(words, [each.words for each in self._settle()])

    def nears(self, words: Hashes) -> NDArray[np.bool_]:
        """Which of these are long words of values with one letter left out."""
        return self._among(words, [each.near for each in self._settle()])

    def _among(self, words: Hashes, among: Sequence[Sorted]) -> NDArray[np.bool_]:
        found = np.zeros(len(words), dtype=np.bool_)
        for each in among:
            found[each.find(words)[0]] = True
        self._store.touched(len(words) * len(among))
        return found

    def close(self) -> None:
        """Let the files go."""
        self._store.close()


class _Filling:
    """One owner's values on their way in: a draft for each large column, and one for all the small ones."""

    def __init__(self, store: Store, owner: int) -> None:
        self._store = store
        self.owner = owner
        self.start = store.size
        self.size = 0
        self.count = 0
        self.letters: Counter[str] = Counter()
        self._drafts = [Draft(owner)]
        self._waiting: list[tuple[int, Sequence[str]]] = []
        self._last = -1

    def add(self, column: int, values: Sequence[str]) -> None:
        """Take in some; few wait for more, since numpy takes as long for a hundred as for one."""
        if self._drafts[-1].size >= (_FULL if column == self._last else _ALONE_FROM):
            self._put()
            self._drafts.append(Draft(self.owner))
        self._last = column
        self._waiting.append((column, values))
        if sum(len(some) for _, some in self._waiting) >= _BATCH:
            self._put()

    def _put(self) -> None:
        texts = [text for _, values in self._waiting for text in values]
        columns = np.repeat([column for column, _ in self._waiting], [len(values) for _, values in self._waiting])
        self._waiting = []
        if texts:
            records = self._drafts[-1].add(columns, texts, self.size)
            self._store.append(records)
            self.size += len(records)
            self.count += len(texts)

    def segments(self) -> list[Segment]:
        """What was taken in, ready to be asked."""
        self._put()
        for each in self._drafts:
            self.letters += each.letters
        return [each.segment(self._store) for each in self._drafts if each.size]
