"""Words as the pieces the pretrained encoder knows: the longest first (WordPiece, Schuster & Nakajima 2012)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from pluto_duck_text2sql.language.words import name_words

_PART = re.compile(r"[^\W_]+|[^\w\s]")
_LONGEST = 40
_MOST_PIECES = 8
MOST_PLACES = 128
"""How many pieces the network has a place for: a question's with its two end marks."""


class Pieces:
    """Splits words by a vocabulary, `{piece: number}`; pieces within a word begin with ##."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._numbers = {piece: number for number, piece in enumerate(vocabulary)}
        self.unknown = self._numbers["[UNK]"]
        self.first = self._numbers["[CLS]"]
        self.last = self._numbers["[SEP]"]
        self.of = lru_cache(maxsize=20_000)(self._of)

    def _of(self, word: str) -> tuple[int, ...]:
        """The pieces of a word or of a quoted text, at most 8, at least one."""
        plain = unicodedata.normalize("NFD", word.casefold())
        plain = "".join(each for each in plain if unicodedata.category(each) != "Mn")
        pieces = [piece for part in _PART.findall(plain) for piece in self._split(part)]
        return tuple(pieces[:_MOST_PIECES]) or (self.unknown,)

    def knows(self, word: str) -> bool:
        """Whether a word is one piece: a common word of the language, in lower case."""
        return word in self._numbers

    def _split(self, part: str) -> list[int]:
        found, start = list[int](), 0
        while start < len(part) and len(part) <= _LONGEST:
            prefix = "##" if start else ""
            end = next((e for e in range(len(part), start, -1) if prefix + part[start:e] in self._numbers), None)
            if end is None:
                return [self.unknown]
            found.append(self._numbers[prefix + part[start:end]])
            start = end
        return found or [self.unknown]

    def of_words(self, words: Sequence[str]) -> tuple[list[int], list[int]]:
        """The pieces of a question with its two end marks, and for each the word it belongs to (-1: none).

        They are no more than the network has places for: each word of a long question begins with fewer of its own.
        """
        split = [self.of(word) for word in words]
        fitting = (n for n in range(_MOST_PIECES, 1, -1) if sum(len(each[:n]) for each in split) <= _MOST_OF_WORDS)
        most = next(fitting, 1)
        told = [(piece, place) for place, each in enumerate(split) for piece in each[:most]][:_MOST_OF_WORDS]
        return [self.first, *(piece for piece, _ in told), self.last], [-1, *(place for _, place in told), -1]

    def of_name(self, name: str, comment: str = "") -> list[int]:
        """The pieces of a table's or column's name, and the beginning of its comment."""
        found = [piece for word in [*name_words(name), *comment.split()[:_MOST_COMMENT]] for piece in self.of(word)]
        return [self.first, *found[:_MOST_NAME], self.last]


_MOST_OF_WORDS = MOST_PLACES - 2
_MOST_COMMENT = 12
_MOST_NAME = 24
