"""Words of a question that patterns find, each taken once.

A question is one lower-case text with a space before each word; what a pattern takes is hidden from those after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pluto_duck_text2sql.language.words import Token


@lru_cache(maxsize=4096)
def _whole_words(pattern: str) -> re.Pattern[str]:
    """Kept, since a question meets hundreds of them and `re` keeps fewer.

    It begins with the space before the words, which is found in half the time that the edge of a word takes.
    """
    return re.compile(rf" (?:{pattern})(?!\S)")


@lru_cache(maxsize=64)
def _all_whole_words(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(map(_whole_words, patterns))


Found = tuple[int, int, re.Match[str]]
"""`(start, end, match)`: where the words begin, and where they end."""


class Words:
    """The question as one lower-case text in which patterns are found and given back as token positions.

    In the text a space is before each word.
    """

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._words = [token.lower for token in tokens]
        self.text = "".join(f" {'‹›' if token.quoted else token.lower}" for token in tokens)
        self._starts = [1]
        for token in tokens:
            self._starts.append(self._starts[-1] + (2 if token.quoted else len(token.lower)) + 1)
        self._taken = [False] * len(tokens)

    def find(self, pattern: str) -> list[Found]:
        """Matches on words nobody has taken; they are taken from now on."""
        whole = _whole_words(pattern)
        return self._matches(whole) if whole.search(self.text) else []  # looking for the first alone is cheaper

    def find_each(self, patterns: tuple[str, ...]) -> Iterator[tuple[int, Found]]:
        """What `find` finds by one pattern after the other, with the place of the pattern."""
        for place, whole in enumerate(_all_whole_words(patterns)):
            if whole.search(self.text):
                yield from ((place, found) for found in self._matches(whole))

    def _matches(self, whole: re.Pattern[str]) -> list[Found]:
        found = []
        for match in whole.finditer(self.text):
            start, end = self._position(match.start()), self._position(match.end() + 1)
            if start < end:
                self._taken[start:end] = [True] * (end - start)
                found.append((start, end, match))
        for start, end, _ in found:
            self._hide(start, end)
        return found

    def peek(self, pattern: str) -> list[re.Match[str]]:
        """Matches on words nobody has taken, which stay free; each is of the space before it and the words."""
        return [match for match in _whole_words(pattern).finditer(self.text) if "•" not in match[0]]

    def span(self, match: re.Match[str], group: str | int = 0) -> tuple[int, int]:
        """The token positions of what a group of a match holds."""
        return self._position(match.start(group)), self._position(match.end(group) + 1)

    def take(self, start: int, end: int) -> None:
        """Let no pattern match on the words `start` to before `end`."""
        self._taken[start:end] = [True] * (end - start)
        self._hide(start, end)

    def _hide(self, start: int, end: int) -> None:
        """Put marks in the place of words that are taken, so that no pattern matches on them."""
        first, last = self._starts[start], self._starts[end] - 1
        hidden = "".join(" " if each == " " else "•" for each in self.text[first:last])
        self.text = self.text[:first] + hidden + self.text[last:]

    def words(self, start: int, end: int) -> list[str]:
        """The words from `start` to before `end`, taken or not."""
        return self._words[start:end]

    def taken(self, position: int) -> bool:
        return self._taken[position]

    def _position(self, offset: int) -> int:
        return next((n for n, start in enumerate(self._starts) if start >= offset), len(self._starts) - 1)
