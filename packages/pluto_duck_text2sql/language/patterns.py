"""Patterns of words: compiled when first asked, and what they find in a text remembered.

A question is looked at by more than a thousand patterns, most of them several times: for each reading of it, by each
rule, in the question and again in its parts. So a text once looked at costs no more than looking up a name, and a
pattern that has looked at many looks only at those that hold what it needs (needed.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property

from pluto_duck_text2sql.language.needed import lacks, needed

_Match = re.Match[str] | None
_Instead = str | Callable[[re.Match[str]], str]
_MOST = 64
"""How many texts a pattern remembers: some questions, their parts and other wordings."""


class Pattern:
    """A regular expression, asked as those of `re` are; from within a text by its `compiled`."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern, self.flags = pattern, flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self.flags)

    @cached_property
    def search(self) -> Callable[[str], re.Match[str] | None]:
        """The first place in a text that it matches."""
        return self._remembered(self.compiled.search)

    @cached_property
    def match(self) -> Callable[[str], re.Match[str] | None]:
        """The match that a text begins with."""
        return self._remembered(self.compiled.match)

    @cached_property
    def fullmatch(self) -> Callable[[str], re.Match[str] | None]:
        """The match of a whole text."""
        return self._remembered(self.compiled.fullmatch)

    @cached_property
    def needed(self) -> tuple[str, ...]:
        """Texts of which one is in every text that it matches; none where that is not known."""
        return needed(self.pattern, self.flags)

    def _remembered(self, find: Callable[[str], _Match]) -> Callable[[str], _Match]:
        return _Remembered(find, lambda: self.needed).__getitem__

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Every match in a text."""
        return self.compiled.finditer(text) if self.search(text) else iter(())

    def findall(self, text: str) -> list[str]:
        """What is found at every match in a text."""
        return self.compiled.findall(text) if self.search(text) else []

    def sub(self, instead: _Instead, text: str, count: int = 0) -> str:
        """A text with something else in place of what matches."""
        return self.compiled.sub(instead, text, count) if self.search(text) else text

    def split(self, text: str, maxsplit: int = 0) -> list[str]:
        """The parts of a text between what matches."""
        return self.compiled.split(text, maxsplit) if self.search(text) else [text]


class _Remembered(dict[str, _Match]):
    """What was found in the last texts."""

    def __init__(self, find: Callable[[str], _Match], needs: Callable[[], tuple[str, ...]]) -> None:
        self._find, self._needs = find, needs
        self._needed: tuple[str, ...] = ()

    def __missing__(self, text: str) -> _Match:
        if len(self) >= _MOST:
            self.clear()
            self._needed = self._needs()
        found = self[text] = None if lacks(text, self._needed) else self._find(text)
        return found
