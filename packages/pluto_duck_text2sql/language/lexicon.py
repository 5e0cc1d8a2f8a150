"""A general lexicon of names: what people say of things that many databases hold, whatever these call them.

Weaker than own names and than words.py: looked up only where the data has nothing of the word's own name. The network
knows nothing of it; it has learned its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from functools import cache
from importlib.resources import files
from itertools import chain

from pluto_duck_text2sql.language.words import stem

Stems = tuple[str, ...]
COUNTED = {"headcount": ("employee", "staff", "personnel", "worker"), "customer base": ("customer", "client")}
"""Words that ask how many rows a table has, with the names such a table may have."""


@cache
def alike() -> dict[Stems, tuple[Stems, ...]]:
    """For each name, by its stems, the others of its groups."""
    return {name: tuple(dict.fromkeys(chain(*spelt.values()))) for name, spelt in _spelt().items()}


def others_for(word: str) -> tuple[Stems, ...]:
    """The other names of the groups that a word, in lower case, is in as it stands: `bookings` are reservations, as is
    what was booked, and `books` titles. Of all groups with its stem where it stands so in none."""
    stems = tuple(map(stem, word.split()))
    spelt = _spelt().get(stems, {})
    forms = [form for form in spelt if form in (word, word.removesuffix("s"))]
    forms = forms or [form for form in spelt if is_of_deed(form) and is_of_deed(word)] or list(spelt)
    return tuple(dict.fromkeys(other for form in forms for other in spelt[form]))


def is_of_deed(word: str) -> bool:
    """Whether a word is a form of a verb: booked, booking."""
    return word.endswith(("ed", "ing"))


def spellings(stems: Stems) -> Collection[str]:
    """How the groups spell a name."""
    return _spelt().get(stems, {})


@cache
def _spelt() -> dict[Stems, dict[str, list[Stems]]]:
    """For each name, by its stems, how the groups spell it, with the others of those that do so."""
    found: dict[Stems, dict[str, list[Stems]]] = defaultdict(lambda: defaultdict(list))
    for line in _lines():
        names = [each.replace("|", " ") for each in line.split()]
        group = [tuple(map(stem, each.split())) for each in names]
        for name, own in zip(names, group, strict=True):
            found[own][name] += [each for each in group if each != own]
    return found


@cache
def spelling() -> dict[Stems, str]:
    """Each name of a group, by its stems, as the list spells it."""
    words = (name.replace("|", " ") for line in _lines() for name in line.split())
    return {tuple(map(stem, each.split())): each for each in words}


def _lines() -> list[str]:
    lines = files(__package__).joinpath("lexicon.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]
