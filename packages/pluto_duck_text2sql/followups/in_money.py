"""`the amount instead`, `in euros, not how many`, where nothing here is called so: what the rows before were worth."""

from __future__ import annotations

import re

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.reading.reader import Reader

_INSTEAD = r"(?:instead(?: of .+)?|rather(?: than .+)?|not (?:how many|the (?:number|count)|(?:a )?counts?|numbers?))"
_MONEY = Pattern(
    r"^\W*(?:(?:and|but|now|rather|ok(?:ay)?)\b,? )*(?:the |in |by )"
    rf"(?P<what>amounts?|values?|money|euros?|dollars?|pounds?|cash|eur|usd),? {_INSTEAD}\W*$",
    re.IGNORECASE,
)
_NAMED = 0.9


def as_worth(question: str, reader: Reader) -> str:
    """`what were they worth` for a figure in money that no column is called by; the question itself where one is."""
    said = _MONEY.match(question)
    named = reader.names.find((stem(said["what"].lower()),)) if said else []
    return (
        "what were they worth" if said and not any(each.column and each.score >= _NAMED for each in named) else question
    )
