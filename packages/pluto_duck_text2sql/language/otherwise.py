"""What stored values are called by other words: countries by those who live there and by codes, states by other verbs.

General knowledge in two lists, places.txt and states.txt; asked by paraphrases.py alone.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pluto_duck_text2sql.language.words import stem


@dataclass(frozen=True)
class Otherwise:
    """Other texts for some words; `place` where they are of a country or state, then `codes` are short ones.

    `people` where the words say who lives there.
    """

    texts: tuple[str, ...]
    codes: tuple[str, ...] = ()
    place: bool = False
    people: bool = False


def otherwise(words: str) -> list[Otherwise]:
    """What else some words, as they are written, may be called; [] where nothing is known of them."""
    folded = words.casefold()
    places = _places().get(words, []) if words.isupper() or words != folded else _lower_places().get(folded, [])
    others = tuple(other for group in _states().get(_key(folded), ()) for other in group if other != folded)
    return [*places, *([Otherwise(tuple(dict.fromkeys(others)))] if others else [])]


@cache
def longest() -> int:
    """How many words the longest of all names has."""
    return max(len(each.split()) for each in (*_places(), *_states()))


def _key(folded: str) -> str:
    """The same for all numbers of a single word."""
    return folded if " " in folded else stem(folded)


@cache
def _places() -> dict[str, list[Otherwise]]:
    found: dict[str, list[Otherwise]] = defaultdict(list)
    for line in _lines("places.txt"):
        names, people, codes = ([each.replace("|", " ") for each in part.split()] for part in line.split(";"))
        for word in (*names, *people, *codes):
            others = tuple(each for each in (*names, *people) if each != word)
            lives = word in people[1:] and word.endswith(("s", "men"))
            found[word].append(Otherwise(others, tuple(each for each in codes if each != word), True, lives))
    return found


@cache
def countries() -> frozenset[str]:
    """What countries are called, in lower case, and their codes."""
    return _called(_parts_of_places()[0])


@cache
def states_of_usa() -> frozenset[str]:
    """What the states of the USA are called, in lower case, and their codes."""
    return _called(_parts_of_places()[1])


def _called(lines: list[str]) -> frozenset[str]:
    parts = ([each.split() for each in line.split(";")] for line in lines)
    return frozenset(name.replace("|", " ").casefold() for names, _, codes in parts for name in (*names, *codes))


def _parts_of_places() -> tuple[list[str], list[str]]:
    text = files(__package__).joinpath("places.txt").read_text(encoding="utf-8")
    before, after = text.split(_CITIES_BEGIN)[0].split(_STATES_BEGIN)
    some = ([line for line in part.splitlines() if ";" in line and line[0] != "#"] for part in (before, after))
    return next(some), next(some)


@cache
def _lower_places() -> dict[str, list[Otherwise]]:
    """Those that are no word of the language in lower case: `german`, `uk`, not `us`."""
    found = ((word.casefold(), each) for word, each in _places().items())
    return {word: each for word, each in found if len(word) > _LONGEST_CODE or word in _NO_WORDS}


_LONGEST_CODE = 3
_NO_WORDS = frozenset(("uk", "usa", "uae"))
_STATES_BEGIN, _CITIES_BEGIN = "# States of the USA.", "# Cities that"


@cache
def _states() -> dict[str, list[list[str]]]:
    found: dict[str, list[list[str]]] = defaultdict(list)
    for line in _lines("states.txt"):
        group = [each.replace("|", " ") for each in line.split()]
        for key in dict.fromkeys(map(_key, group)):
            found[key].append(group)
    return found


def _lines(name: str) -> list[str]:
    lines = files(__package__).joinpath(name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]
