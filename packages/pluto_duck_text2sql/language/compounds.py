"""German words made of others: `fahrschueler` is a student, `stundenart` the kind of a lesson.

The last of them says what it is. Asked by abbreviations.py for words of names that no list has.
"""

from __future__ import annotations

from collections.abc import Mapping

_LEAST_HEAD, _LEAST_FIRST, _LEAST = 5, 3, 8
"""So many letters has the last word, the first one, and both."""
_SHORT_HEADS = frozenset("haus zeit wert kurs buch raum kauf fahrt ziel teil fach dienst".split())
"""Shorter words that end others, and no English ones."""
_NO_HEADS = frozenset("tages lager essen ablauf gesamt".split())
"""Words that end English ones, too (villager), or are no last word of another."""
_KINDS = {"art": "type", "nummer": "number", "name": "name", "datum": "date"}
"""What ends a word whose first one is listed alone."""
_FIRSTS = {"grund": "basic", "haupt": "main", "neben": "secondary", "gesamt": "total", "fahr": "driving"}
"""What begins others and means something else alone, or nothing."""
_PLURALS = ("n", "en", "e")
_LINKS = ("", "s", "es", "n", "en", "e")
"""What joins two words: `pruefung-s-ergebnis`."""


def of_parts(word: str, listed: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """What a German word in lower case means by its parts, then what its last one does alone; or as a plural of one
    that is listed. Nothing where none of the words that it may end with is."""
    if len(word) < _LEAST or not word.isalpha():
        return ()
    if one := _singular(word, listed):
        return listed[one][:1]
    for start in range(_LEAST_FIRST, len(word) - 2):
        head = _head(word[start:], listed)
        first = _first(word[:start], listed)
        if head and (first or word[start:] not in _KINDS):
            return (f"{first} {head}", head) if first else (head,)
    return ()


def _singular(word: str, listed: Mapping[str, tuple[str, ...]]) -> str:
    forms = (word.removesuffix(each) for each in _PLURALS if word.endswith(each))
    return next((each for each in forms if len(each) >= _LEAST_HEAD and each in listed), "")


def _head(word: str, listed: Mapping[str, tuple[str, ...]]) -> str:
    """What the last part means; nothing where it is no word."""
    if word in _KINDS:
        return _KINDS[word]
    if word in _NO_HEADS or (len(word) < _LEAST_HEAD and word not in _SHORT_HEADS):
        return ""
    one = word if word in listed else _singular(word, listed)
    return listed[one][0] if one else ""


def _first(word: str, listed: Mapping[str, tuple[str, ...]]) -> str:
    """What the first part means, with or without what joins it; nothing where it is no word."""
    forms = (word.removesuffix(each) for each in _LINKS if word.endswith(each))
    if word in _FIRSTS:
        return _FIRSTS[word]
    return next((listed[each][0] for each in forms if each in listed), "")
