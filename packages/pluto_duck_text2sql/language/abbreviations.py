"""What the words of names are short for: `qty` a quantity, `acct` an account. Also what foreign names mean.

The lists are abbreviations.txt, and german.txt, spanish.txt and french.txt.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from pluto_duck_text2sql.language.compounds import of_parts
from pluto_duck_text2sql.language.patterns import Pattern


def spelt_out(word: str) -> str:
    """What a word of a name, in lower case, is most likely short for; the word itself where nothing is known of it."""
    meanings = _meanings(word)
    return meanings[0] if meanings else word


def spelt_out_together(one: str, other: str) -> str:
    """What two words of a name that follow each other are by the commonest name: `given name` a first name; nothing
    where no such is known."""
    return next(iter(_listed().get(f"{one} {other}", ())), "")


def other_meanings(word: str) -> tuple[str, ...]:
    """The rarer meanings of a word of a name, the likelier first: `disc` is a discount, or a disc."""
    meanings = _meanings(word)
    return (*meanings[1:], word) if meanings else ()


def short_for(word: str) -> tuple[str, ...]:
    """What a word may be written for short: `err` for error."""
    return _shorts().get(word, ())


def shortens(short: str, word: str) -> bool:
    """Whether a part of a name that is no word may be written for a word: its beginning, `mach` for machine; what is
    left without vowels or begins so, `dnr` for donor, `drv` for driver; or letters of it up to its last, `arpt`.

    What is short for something else commonly has to be four letters of its beginning: `cond` for conductor.
    """
    if not short.isalpha() or short[0] != word[0] or len(short) >= len(word):
        return False
    if meanings := _meanings(short):
        return word in meanings or (len(short) >= _LEAST_BARE and word.startswith(short))
    bare = word[0] + _VOWELS.sub("", word[1:])
    once = _DOUBLED.sub(r"\1", bare)
    begins = len(short) >= _SHORTEST and any(each.startswith(short) for each in (word, bare, once))
    letters = iter(word)
    is_drawn = len(short) >= _LEAST_BARE and short[-1] == word[-1] and all(each in letters for each in short)
    return begins or short in (bare, once) or is_drawn


def _meanings(word: str) -> tuple[str, ...]:
    """A plural's are those of one, `txns` as `txn`; accents say nothing. Else its vowels may be missing: `tckt`."""
    listed, word = _listed(), without_accents(word.translate(_WRITTEN_OUT))
    one = word[:-1] if word.endswith("s") and len(word) > _SHORTEST else word
    found = listed.get(word) or listed.get(one) or _bare().get(word) or _bare().get(one, ())
    return found or of_parts(word, _german())


def without_accents(word: str) -> str:
    """`catégorie` as categorie: people write either."""
    return "".join(each for each in unicodedata.normalize("NFKD", word) if not unicodedata.combining(each))


_SHORTEST, _LEAST_BARE = 3, 4
_VOWELS, _DOUBLED = Pattern("[aeiou]"), Pattern(r"(.)\1")
_WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_LISTS = ("abbreviations.txt", "german.txt", "spanish.txt", "french.txt")
"""Where several have a word, the first one's meanings are the likelier ones."""


@cache
def _bare() -> dict[str, tuple[str, ...]]:
    """The words that names are made of, by what is left of them without all vowels but a first one: `tckt`."""
    lines = files(__package__).joinpath("lexicon.txt").read_text(encoding="utf-8").splitlines()
    words = [word for line in lines if not line.startswith("#") for word in line.replace("|", " ").split()]
    found: dict[str, list[str]] = {}
    for word in dict.fromkeys(words):
        bare = _DOUBLED.sub(r"\1", word[0] + _VOWELS.sub("", word[1:]))
        if _LEAST_BARE <= len(bare) < len(word) - 1:
            found.setdefault(bare, []).append(word)
    return {bare: tuple(some) for bare, some in found.items()}


@cache
def _shorts() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for short, meanings in _listed().items():
        for meaning in meanings:
            found.setdefault(meaning, []).append(short)
    return {meaning: tuple(shorts) for meaning, shorts in found.items()}


@cache
def _listed() -> dict[str, tuple[str, ...]]:
    return _read(_LISTS)


@cache
def _german() -> dict[str, tuple[str, ...]]:
    return _read(("german.txt",))


def _read(names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """What the words of some lists mean."""
    texts = (files(__package__).joinpath(name).read_text(encoding="utf-8") for name in names)
    lines = (line for text in texts for line in text.splitlines())
    found: dict[str, tuple[str, ...]] = {}
    for short, _, meanings in (line.partition(":") for line in lines if line and not line.startswith("#")):
        said = (each.strip() for each in meanings.split("|"))
        found[short] = tuple(dict.fromkeys((*found.get(short, ()), *said)))
    return found
