"""The phrases that a follow-up lists, and what each of them names."""

from __future__ import annotations

import re

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import STOP, name_stems, stem, tokenise
from pluto_duck_text2sql.reading.columns import Columns
from pluto_duck_text2sql.reading.spec import parts_of
from pluto_duck_text2sql.tree import Col, Expr

_NUMBERS = frozenset(("number", "numbers", "no", "nr"))
_IN_ORDER = Pattern(
    r"^(?:the )?(?:most|least|fewest|[a-z]+est|best|worst)\b.*\bfirst$|^(?:a|de)scending\b", re.IGNORECASE
)
ROW_WORDS = frozenset(
    "detail details row rows record records entry entries data everything column columns field fields".split()
)


def listed_in(text: str) -> list[str]:
    """The phrases that a text lists, but for what says their order: `most expensive first`."""
    return [each for each in parts_of(text) if not _IN_ORDER.search(each)]


def column_named(chooser: Columns, phrase: str) -> Expr | None:
    """What a phrase names; `phone numbers` are phones, and no other numbers."""
    words = without_row_words(phrase).split()
    found = chooser.expression(" ".join(words))
    if len(words) < 2 or words[-1].lower() not in _NUMBERS:
        return found
    short = chooser.expression(" ".join(words[:-1]))
    says_all = isinstance(found, Col) and stem(words[0].lower()) in name_stems(found.name)
    return short if isinstance(short, Col) else found if says_all else None


def without_row_words(phrase: str) -> str:
    """The words of a phrase that tell something, without those for rows: `the phone column` is a phone."""
    return " ".join(token.text for token in tokenise(phrase) if token.lower not in STOP | ROW_WORDS)
