"""Which option a reply names: by its number, by its text or the name in its brackets, by words that it alone has, or by
its place."""

from __future__ import annotations

from collections.abc import Sequence

from pluto_duck_text2sql.asking_back.in_words import means
from pluto_duck_text2sql.language.words import name_stems, stem

_FRAMING = frozenset(map(stem, "a the one option number choice please i mean".split()))
_PLACES = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5}
_STEMS = {stem(word): place for word, place in _PLACES.items()}


def named(reply: str, options: Sequence[str]) -> str | None:
    """The option that `reply` names: `2`, `option 2`, its text, enough of its words, `the second one`; or None."""
    exact = [option for option in options if means(reply.strip().rstrip("."), option)]
    words = _words(reply)
    holding = [option for option in options if words and set(words) <= set(name_stems(option))]
    by_text = exact[0] if exact else holding[0] if len(holding) == 1 else None
    counted = _STEMS.get(words[0]) if len(words) == 1 else None
    return _at(_number(words), options) or by_text or _at(counted, options)


def is_number(reply: str) -> bool:
    """Whether a reply is nothing but a number, as in `7` and `option 7`."""
    return _number(_words(reply)) is not None


def _words(reply: str) -> list[str]:
    """The stems of a reply's words, without those that only frame it where there are others."""
    said = name_stems(reply)
    return [word for word in said if word not in _FRAMING] or list(said)


def _number(words: Sequence[str]) -> int | None:
    return int(words[0]) if len(words) == 1 and words[0].isdecimal() else None


def _at(place: int | None, options: Sequence[str]) -> str | None:
    return options[place - 1] if place and place <= len(options) else None
