"""Which tables the patterns of a scope hold, for thousands of scopes over the same tables."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import translate

_ANY = re.compile(r"[*?\[]")


class Held:
    """Over `tables`, as `schema.table`. What a pattern and a scope hold is worked out once."""

    def __init__(self, tables: Iterable[str]) -> None:
        self._tables = sorted({each.casefold() for each in tables})
        self._known = frozenset(self._tables)
        self._by_pattern: dict[str, frozenset[str]] = {}
        self._by_scope: dict[tuple[str, ...], frozenset[str]] = {}

    def by(self, scope: tuple[str, ...]) -> frozenset[str]:
        """The tables that any of the patterns holds, which are in small letters with their schema."""
        if scope not in self._by_scope:
            self._by_scope[scope] = frozenset().union(*map(self._of, scope))
        return self._by_scope[scope]

    def _of(self, pattern: str) -> frozenset[str]:
        if pattern not in self._by_pattern:
            self._by_pattern[pattern] = self._matched(pattern)
        return self._by_pattern[pattern]

    def _matched(self, pattern: str) -> frozenset[str]:
        """Without `*`, `?` and `[` it is a name; else what begins like it is compared."""
        begins = _ANY.search(pattern)
        if begins is None:
            return self._known & {pattern}
        likely = [each for each in self._tables if each.startswith(pattern[: begins.start()])]
        matches = re.compile(translate(pattern)).match if likely else None
        return frozenset(each for each in likely if matches and matches(each))
