"""What a text must hold for a pattern to match: `\\bforecasts?\\b` matches nowhere that `forecast` is not.

Most patterns match few questions, and to look for a text in a text takes a part of the time that a pattern takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

_SHORTEST, _MOST = 2, 24
_TELLING = 4
"""From so many letters on a text is in few questions."""
_ZERO_WIDE = (_constants.AT, _constants.ASSERT, _constants.ASSERT_NOT)
_REPEATED = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)
Texts = frozenset[str]


def needed(pattern: str, flags: int) -> tuple[str, ...]:
    """Texts in lower case of which any text of ASCII, in lower case, that `pattern` matches holds one; none where they
    are too many or too short to tell much."""
    found = _of_parts(_parser.parse(pattern, flags))
    if not found or len(found) > _MOST or min(map(len, found)) < _SHORTEST:
        return ()
    return tuple(sorted(each for each in found if not any(other in each for other in found - {each})))


def lacks(text: str, texts: Sequence[str]) -> bool:
    """Whether a text holds none of those that are needed; where none are known, or for letters that have several forms
    of lower case, it may hold them."""
    return bool(texts) and not any(map(text.lower().__contains__, texts)) and text.isascii()


def _of_parts(parts: Iterable[tuple[Any, Any]]) -> Texts:
    """What one part after the other needs; the part that tells most."""
    best, letters = Texts(), ""
    for kind, value in parts:
        if kind is _constants.LITERAL and value < 128:
            letters += chr(value).lower()
        elif kind not in _ZERO_WIDE:
            best, letters = _better(_better(best, _one(letters)), _of_part(kind, value)), ""
    return _better(best, _one(letters))


def _of_part(kind: Any, value: Any) -> Texts:
    if kind is _constants.SUBPATTERN:
        return _of_parts(value[-1])
    if kind is _constants.ATOMIC_GROUP:
        return _of_parts(value)
    if kind in _REPEATED and value[0] > 0:
        return _of_parts(value[-1])
    ways = [_of_parts(each) for each in value[-1]] if kind is _constants.BRANCH else []
    return Texts().union(*ways) if all(ways) else Texts()


def _one(letters: str) -> Texts:
    return Texts((letters,)) if letters else Texts()


def _better(one: Texts, other: Texts) -> Texts:
    """Those that tell more: long ones, and few."""
    return min(one, other, key=_told_little)


def _told_little(texts: Texts) -> tuple[int, int, int]:
    shortest = min(map(len, texts), default=0)
    return -min(shortest, _TELLING), len(texts), -shortest
