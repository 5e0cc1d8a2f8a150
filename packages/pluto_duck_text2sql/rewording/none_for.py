"""None for so long: `customers with no order for 60 days`, `members who have had no visit for over a year`, as those
with none in the last 60 days. Of rows that somebody has, each of a day, nothing else lasts so long.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import NUMBER_WORDS

_NONE = Pattern(
    r"(?P<none>\b(?:with no|had no|have no|has no|without(?: any| an?)?|not (?:had|placed|made|booked)(?: any| an?)))"
    r" (?P<what>[a-z]+(?: [a-z]+)?) for (?:(?:more than|over|at least|the (?:last|past)) )*"
    rf"(?P<n>\d+|an?|{'|'.join(NUMBER_WORDS)}) (?P<unit>day|week|month|year)s?\b",
    re.IGNORECASE,
)


def none_in_the_last(question: str, names: NameIndex) -> str:
    """The question about those with none in the span before the day that periods count from."""

    def said(found: re.Match[str]) -> str:
        if names.rows(found["what"]) is None:
            return found[0]
        n = "1" if found["n"].lower() in ("a", "an") else found["n"]
        return f"{found['none']} {found['what']} in the last {n} {found['unit'].lower()}s"

    return _NONE.sub(said, question)
