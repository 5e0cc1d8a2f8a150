"""Words of degree that set no bound: `late orders`, `cheap products`, `members who are old`.

Called by `reader` for the words that link others and name nothing. Before the name of rows, or as what is said of them
at the end, such a word tells which rows are meant; nothing stored says it, so it is left over as any unknown word is.
Late is a bound where rows have a date on which they are due (lateness.py).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pluto_duck_text2sql.language.words import Token

_VAGUE = frozenset(
    "late cheap expensive pricey costly old young heavy light good bad long short big large small".split()
)
_IS = frozenset("is are was were been being".split())
_BY_DEGREE = frozenset("how so as too very more less in by".split())


def is_vague(tokens: Sequence[Token], place: int, rows: Collection[int]) -> bool:
    """Whether the word at a place tells by degree which rows are meant; `rows` are where names of tables start."""
    if tokens[place].lower not in _VAGUE or not place:
        return False
    before, is_last = tokens[place - 1].lower, place + 1 == len(tokens)
    if before in _BY_DEGREE:
        return False
    return place + 1 in rows or (is_last and (before in _IS or before.endswith("ed")))
