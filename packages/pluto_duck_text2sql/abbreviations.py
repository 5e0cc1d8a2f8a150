"""What the words of names are short for: `qty` a quantity, `acct` an account. The list is abbreviations.txt."""

from __future__ import annotations

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


def _meanings(word: str) -> tuple[str, ...]:
    """A plural's are those of one: `txns` as `txn`."""
    listed = _listed()
    return listed.get(word) or (listed.get(word[:-1], ()) if word.endswith("s") and len(word) > _SHORTEST else ())


_SHORTEST = 3


@cache
def _listed() -> dict[str, tuple[str, ...]]:
    lines = files(__package__).joinpath("abbreviations.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.partition(":") for line in lines if line and not line.startswith("#"))
    return {short: tuple(each.strip() for each in meanings.split("|")) for short, _, meanings in pairs}
