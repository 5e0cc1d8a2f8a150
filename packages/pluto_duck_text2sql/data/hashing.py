"""64-bit numbers for many texts at once, with numpy: equal for texts that normal.py makes the same.

`keys` gives one for each text, `word_hashes` one for each word as it is. Called by the value index for what is stored
and for what is asked, so both always agree. Two texts may share a number by chance, which does no harm: what is found
is compared as text before it is believed. Loaded only where there are values, since numpy takes a while.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pluto_duck_text2sql.language.normal import LONGEST
from pluto_duck_text2sql.language.words import IRREGULAR, STEM_ENDS, stem

Hashes: TypeAlias = NDArray[np.uint64]
_END = "\n"
_LONG = range(9, 25)
_FACTOR, _VALUE_FACTOR = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F
_FIRST_MIX, _SECOND_MIX = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_WIDE = 1 << 64
_FEW = 40
"""So many texts are made numbers of one by one."""
_WORD = re.compile(r"[^\W_]+")
_INVERSE = np.uint64(pow(_FACTOR, -1, _WIDE))
_ASCII = np.array([chr(code).isalnum() for code in range(128)])
_ENDS = np.array([chr(code) in STEM_ENDS for code in range(128)])


def keys(texts: Sequence[str]) -> Hashes:
    """A number for each text, the same for texts that `normal` makes the same."""
    if len(texts) <= _FEW:  # numpy takes longer to begin than these do one by one
        return np.array([_key(each) for each in texts], dtype=np.uint64)
    return Batch.of(texts).keys()


def _key(text: str) -> int:
    """`Batch.keys` of one text."""
    text = text[:LONGEST].casefold()
    words = _WORD.findall(text)
    if not words:
        return _of_characters(text.replace(_END, " ").strip())
    total = sum(_of_word(word) * pow(_VALUE_FACTOR, place, _WIDE) for place, word in enumerate(words, 1))
    return _mixed(total % _WIDE)


@lru_cache(maxsize=20_000)
def _of_word(word: str) -> int:
    """What a word of lower case adds to the key of its text."""
    word = stem(word) if word[-1] in STEM_ENDS or word in IRREGULAR else word
    total = sum((ord(each) + 1) * pow(_FACTOR, place, _WIDE) for place, each in enumerate(word, 1))
    return _mixed(total % _WIDE)


def _mixed(value: int) -> int:
    """`mixed` of one number."""
    value = (value ^ (value >> 30)) * _FIRST_MIX % _WIDE
    value = (value ^ (value >> 27)) * _SECOND_MIX % _WIDE
    return value ^ (value >> 31)


def word_hashes(words: Sequence[str]) -> Hashes:
    """A number for each word, which must be letters and digits in lower case only."""
    batch = Batch.of(words)
    if len(batch.starts) != len(words):
        raise ValueError("Not every text is one word.")
    return mixed(batch.polynomials())


def distinct_keys(texts: Sequence[str]) -> Hashes:
    """The different `keys` of the texts."""
    return distinct(keys(texts))


@dataclass(frozen=True, eq=False)
class Batch:
    """Many texts as one array of code points, and where their words are."""

    text: str
    codes: NDArray[np.uint32]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    owners: NDArray[np.int64]
    count: int

    @classmethod
    def of(cls, texts: Sequence[str]) -> Batch:
        text = _joined(texts)
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        inside = np.concatenate(([False], _letters(codes), [False]))
        edges = np.flatnonzero(inside[1:] != inside[:-1])
        starts, ends = edges[::2], edges[1::2]
        owners = np.searchsorted(np.flatnonzero(codes == ord(_END)), starts)
        return cls(text, codes, starts, ends - starts, owners, len(texts))

    def keys(self) -> Hashes:
        """One for each text; a text without any word goes by its characters."""
        found = _gathered(mixed(self._stems()), self.owners, self.count)
        wordless = np.flatnonzero(np.bincount(self.owners, minlength=self.count) == 0).tolist()
        lines = self.text.split(_END) if wordless else []
        for place in wordless:
            found[place] = _of_characters(lines[place].strip())
        return found

    def polynomials(self) -> Hashes:
        """For each word the sum of its characters, each times a power of its place."""
        return _sums(self._terms(self.starts, self.lengths), self.lengths)

    def near(self, most: int) -> Hashes:
        """The hashes of the long words, each with one letter left out; of `most` different words."""
        long = (self.lengths >= _LONG.start) & (self.lengths < _LONG.stop)
        starts, lengths = self.starts[long], self.lengths[long]
        terms = self._terms(starts, lengths)
        totals = _sums(terms, lengths)
        _, first = np.unique(totals, return_index=True)
        starts, lengths = starts[first[:most]], lengths[first[:most]]
        terms = self._terms(starts, lengths)
        sums = np.cumsum(terms)
        begun = np.repeat((sums - terms)[np.cumsum(lengths) - lengths], lengths) if len(lengths) else sums
        before = sums - terms - begun
        after = np.repeat(_sums(terms, lengths), lengths) - before - terms
        return distinct(mixed(before + after * _INVERSE))

    def letters(self) -> Counter[str]:
        """How often each letter or digit is there."""
        codes, counts = np.unique(self.codes, return_counts=True)
        found = {chr(code): number for code, number in zip(codes.tolist(), counts.tolist(), strict=True)}
        return Counter({letter: number for letter, number in found.items() if letter.isalnum()})

    def _terms(self, starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> Hashes:
        """The terms of `polynomials`, one for each character of the words."""
        places = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        characters = self.codes[np.repeat(starts, lengths) + places].astype(np.uint64) + np.uint64(1)
        return characters * _powers(_FACTOR, int(lengths.max(initial=0)))[places]

    def _stems(self) -> Hashes:
        """`polynomials` of the words' stems. Only words that end like one with an ending are looked at as text."""
        found = self.polynomials()
        last = self.codes[self.starts + self.lengths - 1]
        chosen = np.flatnonzero((_ENDS[np.minimum(last, 127)] & (last < 128)) | _among(found, _irregular()))
        _, first, inverse = np.unique(found[chosen], return_index=True, return_inverse=True)
        spans = zip(self.starts[chosen[first]].tolist(), self.lengths[chosen[first]].tolist(), strict=True)
        stems = [stem(self.text[start : start + length]) for start, length in spans]
        found[chosen] = Batch.of(stems).polynomials()[inverse] if stems else found[chosen]
        return found


def distinct(values: Hashes) -> Hashes:
    """The different ones, sorted; for many of them faster than numpy's own."""
    values = np.sort(values, kind="stable")
    return values[np.concatenate([[True], values[1:] != values[:-1]])] if len(values) else values


def _joined(texts: Sequence[str]) -> str:
    """The texts in lower case, one a line, none longer than is looked at."""
    if max(map(len, texts), default=0) > LONGEST:
        texts = [text[:LONGEST] for text in texts]
    text = _END.join(texts)
    if text.count(_END) >= max(len(texts), 1):
        text = _END.join(each.replace(_END, " ") for each in texts)
    return text.casefold()


def _letters(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Where a letter or digit is."""
    found = _ASCII[np.minimum(codes, 127)]
    beyond = codes > 127
    if beyond.any():
        different, inverse = np.unique(codes[beyond], return_inverse=True)
        found[beyond] = np.array([chr(code).isalnum() for code in different.tolist()])[inverse]
    return found


def _gathered(words: Hashes, owners: NDArray[np.int64], count: int) -> Hashes:
    """One number for each owner from those of its words, which come in order; 0 where it has none."""
    found = np.zeros(count, dtype=np.uint64)
    counts = np.bincount(owners, minlength=count)
    some = counts[counts > 0]
    places = np.arange(len(words)) - np.repeat(np.cumsum(some) - some, some)
    found[counts > 0] = _sums(words * _powers(_VALUE_FACTOR, int(some.max(initial=0)))[places], some)
    return mixed(found)


def _sums(terms: Hashes, lengths: NDArray[np.int64]) -> Hashes:
    """The sum of each stretch of `terms`, modulo 2^64."""
    if not len(lengths):
        return np.zeros(0, dtype=np.uint64)
    return np.add.reduceat(terms, np.cumsum(lengths) - lengths)


def _powers(factor: int, count: int) -> Hashes:
    return np.cumprod(np.full(count, factor, dtype=np.uint64), dtype=np.uint64)


def mixed(values: Hashes) -> Hashes:
    """Each number spread over all 64 bits (splitmix64), so that sums of them don't meet."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(_FIRST_MIX)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(_SECOND_MIX)
    return values ^ (values >> np.uint64(31))


def _among(values: Hashes, some: Hashes) -> NDArray[np.bool_]:
    """Which values are among some, which are sorted; for few values faster than numpy's own."""
    return some[np.minimum(np.searchsorted(some, values), len(some) - 1)] == values


def _of_characters(text: str) -> int:
    total = sum((ord(each) + 1) * pow(_FACTOR, place + 2, _WIDE) for place, each in enumerate(text))
    return total % _WIDE


def _irregular() -> Hashes:
    global _IRREGULAR
    if _IRREGULAR is None:
        _IRREGULAR = np.sort(Batch.of(sorted(IRREGULAR)).polynomials())
    return _IRREGULAR


_IRREGULAR: Hashes | None = None
