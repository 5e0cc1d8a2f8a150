"""What a question asks of those shown: a figure of each, what they did, what is more than the figure before."""

from __future__ import annotations

import re

from pluto_duck_text2sql.followups.pronouns import OF_EACH, OF_SOME, Place
from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import tokenise
from pluto_duck_text2sql.times.periods import find_periods
from pluto_duck_text2sql.tree import Query

_HOW = r"how (?:many|much|often|long|old|big|large|far|high|tall|heavy|expensive)"
_THEY_DID = Pattern(
    rf"\b{_HOW}\b.* (?:did|do|does|has|have|had|is|are|was|were)"
    r" (?:they|he|she|each|(?:that|this) [a-z]+)\b",
    re.IGNORECASE,
)
_EACH_DID = Pattern(
    r"^(?:(?:and|so|ok|then),? )*(?:how (?:many|much)\b.*|what) (?:did|do|does|has|have|had)"
    r" (?:each of (?:them|those|these)|they each) (?!have\b|has\b)[a-z]+\b(?<!s)",
    re.IGNORECASE,
)
_FIGURE = Pattern(rf"\b(?:{_HOW}|number|average|total|sum|median|count)\b", re.IGNORECASE)
_THAN_THAT = Pattern(
    r"\b(than|above|below|over|under|exceeds?|exceeded) (?:that|this|it)"
    r"(?=\W*$|, | (?:in|for|by|on|at|from|during|and|or|but|then)\b)",
    re.IGNORECASE,
)


def tells_of(question: str) -> bool:
    """Whether it asks what those shown did or are: `how much did they spend`."""
    return bool(_THEY_DID.search(question))


def asks_of_several(text: str, place: Place) -> bool:
    """Whether a figure is asked of several that are shown: one for each."""
    return text[place.start : place.end].lower() == "they" and bool(_FIGURE.search(text))


def asks_of_each(question: str) -> bool:
    """Whether it asks for a figure of each of those shown: `the average rating of each`."""
    if _EACH_DID.search(question.strip()):
        return True
    return any(each.search(question) for each in OF_EACH) and bool(_FIGURE.search(question))


def asks_what_they_did(question: str) -> bool:
    """Whether it asks how much those shown did in a period: it is of what they did, not of when they came."""
    return bool(_THEY_DID.search(question)) and bool(find_periods(Words(tokenise(question))))


def than_figure(question: str, shown: Query) -> bool:
    """Whether something of those is held against the one figure before: `which of them cost more than that`."""
    stands = any(each.search(question) for each in OF_SOME)
    return stands and bool(_THAN_THAT.search(question)) and not shown.group and len(shown.select) == 1


def with_figure(question: str, figure: str) -> str:
    """`more than that` as more than the one figure before; itself where there is none."""
    return _THAN_THAT.sub(rf"\1 {figure}", question) if figure else question
