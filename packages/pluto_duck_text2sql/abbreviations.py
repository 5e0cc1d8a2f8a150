"""What the words of names are short for: `qty` a quantity, `acct` an account. Also what foreign names mean.

The lists are abbreviations.txt, and german.txt, spanish.txt and french.txt.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.resources import files


def spelt_out(word: str) -> str:
    """What a word of a name, in lower case, is most likely short for; the word itself where nothing is known of it."""
    meanings = _meanings(word)
    return meanings[0] if meanings else word


def other_meanings(word: str) -> tuple[str, ...]:
    """The rarer meanings of a word of a name, the likelier first: `disc` is a discount, or a disc."""
    meanings = _meanings(word)
    return (*meanings[1:], word) if meanings else ()


def short_for(word: str) -> tuple[str, ...]:
    """What a word may be written for short: `err` for error."""
    return _shorts().get(word, ())


def _meanings(word: str) -> tuple[str, ...]:
    """A plural's are those of one: `txns` as `txn`; accents say nothing."""
    listed, word = _listed(), without_accents(word.translate(_WRITTEN_OUT))
    return listed.get(word) or (listed.get(word[:-1], ()) if word.endswith("s") and len(word) > _SHORTEST else ())


def without_accents(word: str) -> str:
    """`catégorie` as categorie: people write either."""
    return "".join(each for each in unicodedata.normalize("NFKD", word) if not unicodedata.combining(each))


_SHORTEST = 3
_WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_LISTS = ("abbreviations.txt", "german.txt", "spanish.txt", "french.txt")
"""Where several have a word, the first one's meanings are the likelier ones."""


@cache
def _shorts() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for short, meanings in _listed().items():
        for meaning in meanings:
            found.setdefault(meaning, []).append(short)
    return {meaning: tuple(shorts) for meaning, shorts in found.items()}


@cache
def _listed() -> dict[str, tuple[str, ...]]:
    texts = (files(__package__).joinpath(name).read_text(encoding="utf-8") for name in _LISTS)
    lines = (line for text in texts for line in text.splitlines())
    found: dict[str, tuple[str, ...]] = {}
    for short, _, meanings in (line.partition(":") for line in lines if line and not line.startswith("#")):
        said = (each.strip() for each in meanings.split("|"))
        found[short] = tuple(dict.fromkeys((*found.get(short, ()), *said)))
    return found
