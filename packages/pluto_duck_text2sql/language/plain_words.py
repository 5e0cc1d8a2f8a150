"""The words that questions about anything use (plain.txt, of the training questions)."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from pluto_duck_text2sql.language.words import FILLER, MONEY, SCALES, SYNONYMS, VOCABULARY, stem


@cache
def plain_stems() -> frozenset[str]:
    """The stems of words that questions about anything use."""
    lines = files(__package__).joinpath("plain.txt").read_text(encoding="utf-8").splitlines()
    plain = (each for each in lines if not each.startswith("#"))
    return frozenset((*plain, *FILLER, *MONEY, *SYNONYMS, *map(stem, (*VOCABULARY, *SCALES))))
