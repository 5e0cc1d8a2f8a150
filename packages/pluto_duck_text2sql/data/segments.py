"""Sorted arrays of 64-bit hashes that stand for stored values, in files that are mapped into memory.

Made and asked by the value index (values.py) alone. A `Segment` never changes once it is made; a table that is looked
at again gets a new owner number, and entries of an owner that is gone count for nothing until they are left out.
Pages that lookups touched are given back from time to time, so that an index of any size keeps little memory.
"""

from __future__ import annotations

import contextlib
import io
import mmap
import shutil
import tempfile
import threading
import weakref
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from pluto_duck_text2sql.data.hashing import Batch, Hashes, distinct, mixed

_IN_FILES_FROM = 10_000
_MOST_LONG_WORDS = 200_000
_PROBES_KEPT = 100_000
_HEAD = np.dtype([("column", "<u4"), ("length", "<u4")])
_OFFSET_BITS = 40
_NONE = np.zeros(0, dtype=np.uint64)


class Store:
    """Where one index keeps its texts and arrays: files of one folder, or memory where there is none. Thread-safe."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._numbers = count()
        self._lock = threading.Lock()
        self._maps: weakref.WeakSet[mmap.mmap] = weakref.WeakSet()
        self._probes = 0
        self._size = 0
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            self._folder = Path(tempfile.mkdtemp(prefix="values-", dir=folder))
        self._texts = self._new_texts()

    def _new_texts(self) -> BinaryIO:
        if self._folder is None:
            return io.BytesIO()
        file = (self._folder / f"{next(self._numbers)}.texts").open("w+b")
        _unlink(Path(file.name))
        return file

    @property
    def size(self) -> int:
        """Bytes of texts, those of owners that are gone included."""
        return self._size

    def append(self, data: bytes) -> int:
        """Keep `data`; returns where it is."""
        with self._lock:
            self._texts.seek(self._size)
            self._texts.write(data)
            self._size += len(data)
            return self._size - len(data)

    def read(self, place: int) -> tuple[int, str]:
        """The number of the column, and the text, of the record at `place`."""
        with self._lock:
            self._texts.seek(place)
            column, length = np.frombuffer(self._texts.read(_HEAD.itemsize), dtype=_HEAD)[0].tolist()
            return column, self._texts.read(length).decode("utf-8", "surrogatepass")

    def compact(self, extents: Mapping[int, tuple[int, int]]) -> dict[int, tuple[int, int]]:
        """Keep only these `(place, size)`; returns where they are then."""
        with self._lock:
            old, moved, place = self._texts, dict[int, tuple[int, int]](), 0
            new = self._new_texts()
            for owner, (start, size) in extents.items():
                old.seek(start)
                new.write(old.read(size))
                moved[owner] = (place, size)
                place += size
            self._texts, self._size = new, place
            self._drop(old)
            return moved

    def _drop(self, texts: BinaryIO) -> None:
        texts.close()
        if self._folder:
            _unlink(Path(texts.name))

    def keep(self, values: Hashes) -> Hashes:
        """`values` as they are, or mapped from a file where they are many."""
        if self._folder is None or len(values) < _IN_FILES_FROM:
            return values
        path = self._folder / f"{next(self._numbers)}.u64"
        values.tofile(path)
        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        _unlink(path)
        with self._lock:
            self._maps.add(mapped)
        return np.frombuffer(mapped, dtype="<u8")

    def touched(self, probes: int) -> None:
        """Give the mapped pages back after so many probes; they are still in the system's cache."""
        with self._lock:
            self._probes += probes
            if self._probes < _PROBES_KEPT or not hasattr(mmap, "MADV_DONTNEED"):
                return
            self._probes = 0
            for each in self._maps:
                each.madvise(mmap.MADV_DONTNEED)

    def close(self) -> None:
        """Let the files go."""
        with self._lock:
            self._drop(self._texts)
            if self._folder:
                shutil.rmtree(self._folder, ignore_errors=True)


def _unlink(path: Path) -> None:
    """At once, so that nothing is left by a process that is killed; Windows keeps a file that is in use."""
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)


class Sorted:
    """Hashes in order. A bit for each stretch of numbers tells most that are not there without looking further."""

    def __init__(self, store: Store, values: Hashes) -> None:
        self.values = store.keep(values)
        self._shift = np.uint64(61 - max(len(values).bit_length(), 3))
        present = np.zeros(1 << int(64 - self._shift), dtype=np.bool_)
        present[values >> self._shift] = True
        self._bits = np.packbits(present)

    def __len__(self) -> int:
        return len(self.values)

    def find(self, wanted: Hashes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Which of `wanted`, by their places, are there; and where the first such one is."""
        stretches = wanted >> self._shift
        maybe = np.flatnonzero(self._bits[stretches >> np.uint64(3)] & (np.uint8(128) >> (stretches & np.uint64(7))))
        starts = np.searchsorted(self.values, wanted[maybe])
        found = self.values[np.minimum(starts, len(self.values) - 1)] == wanted[maybe]
        return maybe[found], starts[found]


@dataclass(frozen=True, eq=False)
class Segment:
    """`keys` of values, and for each a `ref` to its owner and text; the words in them; long words' neighbours."""

    keys: Sorted
    refs: Hashes
    words: Sorted
    near: Sorted
    owners: Counter[int]

    def find(self, wanted: Hashes) -> list[tuple[int, int]]:
        """`(place in wanted, ref)` of every entry whose key is wanted."""
        places, starts = self.keys.find(wanted)
        ends = np.searchsorted(self.keys.values, wanted[places], side="right")
        spans = zip(places.tolist(), starts.tolist(), ends.tolist(), strict=True)
        return [(place, ref) for place, start, end in spans for ref in self.refs[start:end].tolist()]


def owner_of(ref: int) -> int:
    """The number of the filling that an entry belongs to."""
    return ref >> _OFFSET_BITS


def offset_of(ref: int) -> int:
    """Where the record is within its owner's texts."""
    return ref & ((1 << _OFFSET_BITS) - 1)


class Draft:
    """The values of one column of one owner, or of several, on their way to a segment."""

    def __init__(self, owner: int) -> None:
        self._owner = owner
        self._keys: list[Hashes] = []
        self._refs: list[Hashes] = []
        self._words = _NONE
        self._near = _NONE
        self.letters: Counter[str] = Counter()
        self.size = 0

    def add(self, columns: NDArray[np.int64], texts: Sequence[str], begin: int) -> bytes:
        """Take in `texts`, whose records begin at `begin` of the owner's texts; returns the records."""
        batch = Batch.of(texts)
        records, offsets = _records(columns, texts)
        self._keys.append(batch.keys())
        self._refs.append(offsets + np.uint64((self._owner << _OFFSET_BITS) + begin))
        self._words = distinct(np.concatenate([self._words, distinct(mixed(batch.polynomials()))]))
        room = _MOST_LONG_WORDS - len(self._near) // 10  # beyond that many they are identifiers rather than words
        self._near = distinct(np.concatenate([self._near, batch.near(room)])) if room > 0 else self._near
        self.letters += batch.letters()
        self.size += len(texts)
        return records

    def segment(self, store: Store) -> Segment:
        """What was taken in, sorted and kept."""
        keys, refs = np.concatenate([_NONE, *self._keys]), np.concatenate([_NONE, *self._refs])
        return _sorted(store, keys, refs, self._words, self._near)


def merged(store: Store, segments: Iterable[Segment], owners: Collection[int]) -> Segment:
    """One segment of several, only with what belongs to `owners`. Words of others may be left in: they do no harm."""
    parts = list(segments)
    keys = np.concatenate([_NONE, *(each.keys.values for each in parts)])
    refs = np.concatenate([_NONE, *(each.refs for each in parts)])
    kept = np.isin(refs >> np.uint64(_OFFSET_BITS), np.fromiter(owners, dtype=np.uint64, count=len(owners)))
    words = distinct(np.concatenate([_NONE, *(each.words.values for each in parts)]))
    near = distinct(np.concatenate([_NONE, *(each.near.values for each in parts)]))
    return _sorted(store, keys[kept], refs[kept], words, near)


def _sorted(store: Store, keys: Hashes, refs: Hashes, words: Hashes, near: Hashes) -> Segment:
    order = np.argsort(keys, kind="stable")
    counted, counts = np.unique(refs >> np.uint64(_OFFSET_BITS), return_counts=True)
    owners = Counter(dict(zip(counted.tolist(), counts.tolist(), strict=True)))
    places = store.keep(refs[order])
    return Segment(Sorted(store, keys[order]), places, Sorted(store, words), Sorted(store, near), owners)


def _records(columns: NDArray[np.int64], texts: Sequence[str]) -> tuple[bytes, Hashes]:
    """For each text its column, its length and itself, one after the other; and where each begins."""
    coded = [text.encode("utf-8", "surrogatepass") for text in texts]
    heads = np.zeros(len(coded), dtype=_HEAD)
    heads["column"] = columns
    heads["length"] = np.fromiter(map(len, coded), dtype=np.uint32, count=len(coded))
    sizes = heads["length"].astype(np.int64) + _HEAD.itemsize
    starts = np.cumsum(sizes) - sizes
    whole = np.empty(int(sizes.sum()), dtype=np.uint8)
    headed = np.zeros(len(whole), dtype=np.bool_)
    headed[(starts[:, None] + np.arange(_HEAD.itemsize)).ravel()] = True
    whole[headed] = heads.view(np.uint8)
    whole[~headed] = np.frombuffer(b"".join(coded), dtype=np.uint8)
    return whole.tobytes(), starts.astype(np.uint64)
