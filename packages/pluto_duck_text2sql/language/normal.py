"""What makes two spellings the same: the one place that says so, for what is stored and for what is asked.

`folded` drops case, `normal` also punctuation and the endings of words. hashing.py makes numbers of many texts by the
same rules; a property test holds the two together.
"""

from __future__ import annotations

from functools import lru_cache

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem

WORD = Pattern(r"[^\W_]+")
LONGEST = 120


def folded(text: str) -> str:
    """`text` in lower case, without blanks around it."""
    return text.casefold().strip()


def normal(text: str) -> str:
    """The stems of the words of `text`, in order."""
    return _normal(text[:LONGEST])


@lru_cache(maxsize=20_000)
def _normal(text: str) -> str:
    return " ".join(stem(word) for word in WORD.findall(text.casefold()))
