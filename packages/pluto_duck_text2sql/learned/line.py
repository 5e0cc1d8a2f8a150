"""A line of words that is read from left to right, and the words it is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from pluto_duck_text2sql.tree import Col, Rows

AGGREGATES = ("count", "countd", "sum", "avg", "min", "max")
MORE_AGGREGATES = ("median", "stddev", "quantile")
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
PATTERNS = ("has", "hasnot", "starts", "ends")
SETS = ("union", "intersect", "except")
GRAINS = ("hour", "day", "week", "month", "quarter", "year", "weekday", "month_of_year")
COMPUTED = ("times", "net", "days")
FIRSTS = ("firstof", "lastof")
WINDOWS = ("share", "share%", "growth", "growth%", "yoy", "yoy%", "running", "moving")
ARITHMETIC = ("ratio", "ratio%", "minus", "change", "change%")


@dataclass(frozen=True)
class Val:
    """A value of the question: as stored where it is, a number where it is one, a Period (or its words) for a time."""

    value: Any


Word: TypeAlias = str | Col | Rows | Val


class Malformed(ValueError):
    """The line is no query."""


class Line:
    """The words, and how far they are read."""

    def __init__(self, words: list[Word]) -> None:
        self._words = words
        self._at = 0

    def peek(self) -> Word | None:
        """The next word, left where it is; None at the end."""
        return self._words[self._at] if self._at < len(self._words) else None

    def next(self) -> Word:
        """The next word. Raises Malformed."""
        word = self.peek()
        if word is None:
            raise Malformed("ends too early")
        self._at += 1
        return word

    def take(self, *words: str) -> str | None:
        """The next word where it is one of `words`."""
        word = self.peek()
        if isinstance(word, str) and word in words:
            self._at += 1
            return word
        return None

    def need(self, word: str) -> None:
        """Read `word`. Raises Malformed."""
        if not self.take(word):
            raise Malformed(f"{self.peek()!r} where {word} belongs")

    def column(self) -> Col:
        """A column. Raises Malformed."""
        word = self.next()
        if not isinstance(word, Col):
            raise Malformed(f"{word!r} where a column belongs")
        return word

    def rows(self) -> Rows:
        """A table. Raises Malformed."""
        word = self.next()
        if not isinstance(word, Rows):
            raise Malformed(f"{word!r} where a table belongs")
        return word

    def raw(self) -> Any:
        """A value as it is. Raises Malformed."""
        word = self.next()
        if not isinstance(word, Val):
            raise Malformed(f"{word!r} where a value belongs")
        return word.value

    def ahead(self, wanted: str, *ends: str) -> int | None:
        """Where `wanted` comes next, outside all brackets opened from here on, before any of `ends`."""
        depth = 0
        for place in range(self._at, len(self._words)):
            word = self._words[place]
            depth += (word == "(") - (word == ")")
            if depth < 0 or (depth == 0 and isinstance(word, str) and word in ends):
                return None
            if depth == 0 and word == wanted:
                return place
        return None


def number(value: Any) -> float:
    """The value as a number. Raises Malformed."""
    try:
        found = float(value)
    except (TypeError, ValueError) as error:
        raise Malformed(f"{value!r} is no number") from error
    if found != found or abs(found) == float("inf"):
        raise Malformed(f"{value!r} is no number")
    return found


def whole(value: Any) -> int:
    """The value as a number of rows, at least one. Raises Malformed."""
    found = number(value)
    if found < 1 or found > 1e9:
        raise Malformed(f"{value!r} is no number of rows")
    return int(found)
