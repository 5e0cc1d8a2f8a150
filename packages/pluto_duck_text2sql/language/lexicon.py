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

from pluto_duck_text2sql.language.edits import Spellings
from pluto_duck_text2sql.language.words import stem

Stems = tuple[str, ...]
_LONG_WORD = 8
_NO_DEEDS = ("speed", "seed", "feed", "weed", "wing", "ring", "king", "bed", "shed", "breed")
COUNTED = {"headcount": ("employee", "staff", "personnel", "worker"), "customer base": ("customer", "client")}
"""Words that ask how many rows a table has, with the names such a table may have."""


@cache
def alike() -> dict[Stems, tuple[Stems, ...]]:
    """For each name, by its stems, the others of its groups."""
    return {name: tuple(dict.fromkeys(chain(*spelt.values()))) for name, spelt in _spelt().items()}


def others_for(word: str) -> tuple[Stems, ...]:
    """The other names of the groups that a word, in lower case, is in as it stands: `bookings` are reservations, as is
    what was booked, and `books` titles. Of all groups with its stem where it stands so in none."""
    spelt = _spelt().get(tuple(map(stem, word.split())), {})
    forms = [form for form in spelt if form in (word, word.removesuffix("s"))]
    forms = forms or [form for form in spelt if is_of_deed(form) and is_of_deed(word)] or list(spelt)
    return tuple(dict.fromkeys(other for form in forms for other in spelt[form]))


def is_of_deed(word: str) -> bool:
    """Whether a word is a form of a verb: booked, booking; speed and wing are none."""
    return word.endswith(("ed", "ing")) and not word.endswith(_NO_DEEDS)


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


def narrower(word: str) -> tuple[Stems, ...]:
    """What a word for many kinds of things, in lower case, may stand for: learners are customers of a driving school,
    none of a shop."""
    return _narrower().get(tuple(map(stem, word.split())), ())


@cache
def _narrower() -> dict[Stems, tuple[Stems, ...]]:
    found: dict[Stems, tuple[Stems, ...]] = {}
    for line in _lines("wider.txt"):
        wide, kinds = ([each.replace("|", " ") for each in part.split()] for part in line.split(">"))
        for each in wide:
            found[tuple(map(stem, each.split()))] = tuple(tuple(map(stem, kind.split())) for kind in kinds)
    return found


@cache
def known_words() -> Spellings:
    """The single words of the list that are long enough to be known where they are misspelt."""
    words = (name for line in _lines() for name in line.split())
    return Spellings(dict.fromkeys(each for each in words if each.isalpha() and len(each) >= _LONG_WORD))


@cache
def spelling() -> dict[Stems, str]:
    """Each name of a group, by its stems, as the list spells it first: a plane is none that is planned."""
    lines = (*_lines(), *(each.replace(">", " ") for each in _lines("wider.txt")))
    words = [name.replace("|", " ") for line in lines for name in line.split()]
    return {tuple(map(stem, each.split())): each for each in reversed(words)}


def _lines(name: str = "lexicon.txt") -> list[str]:
    lines = files(__package__).joinpath(name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]
