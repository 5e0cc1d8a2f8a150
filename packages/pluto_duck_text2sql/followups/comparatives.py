"""`which type has the higher one?`, `who is older?`: of those shown, the one that has most of it."""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.people import is_of_people
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.tree import Col, Expr, Query
from pluto_duck_text2sql.trees.parts import is_aggregate

_BE = "is|are|was|were|has|have|had|did|got"
_STEMS = "high|low|bigg|larg|small|cheap|old|young|long|short|fast|slow|few|great|heavi|tall|new|earli|lat"
_ASKS = Pattern(
    rf"(?P<asks>{LEAD}(?:which|who)(?: [a-z]+){{0,3}} (?:{_BE}))(?: the)?"
    rf" (?:(?P<stem>{_STEMS})er|(?P<other>more|less|better|worse))(?: ones?| of (?:them|the two|those|these))*$",
    re.IGNORECASE,
)
_LONGEST = Pattern(
    rf"{LEAD}(?:who|which)(?: of (?:them|those|these)| one)?(?:['’]s| has| have) (?:been|worked|served|lasted|stayed)"
    r"(?: (?:here|there|around|with us|in the (?:job|company|team)))? (?:the )?longest$",
    re.IGNORECASE,
)
"""`who has been here the longest?`"""
_WHO = Pattern(
    r"^(?P<lead>(?:(?:and|but|so|then|now|ok(?:ay)?),? )*)who(?P<rest> [a-z]+"
    r" (?:(?:more|less|fewer) than|at least|at most|over|under|above|below|the (?:most|least|highest|lowest))\b.*)$",
    re.IGNORECASE,
)
"""`who earns more than 3000?` of people that are listed."""
_OTHERS = {"more": "most", "less": "least", "better": "best", "worse": "worst"}


def as_superlative(question: str) -> str:
    """The question for the highest where it asks for the higher; itself where it asks for none, or says than what."""
    if _LONGEST.search(question.strip(" ?!.")):
        return "which of them is the longest serving"
    said = _ASKS.search(question.strip(" ?!."))
    if said is None:
        return question
    way = f"{said['stem']}est" if said["stem"] else _OTHERS[said["other"].lower()]
    return f"{said['asks']} the {way}"


def of_those_listed(question: str, before: Query, reader: Reader) -> str:
    """`who earns more than 3000?` as a question of the people listed before, each with a number; itself otherwise."""
    said = _WHO.match(question.strip(" ?!."))
    table = reader.catalog.table(*before.anchor)
    if said is None or table is None or is_aggregate(before) or not before.where:
        return question
    is_told = is_of_people(table, reader.resolver.label(table)) and any(
        _is_number(each, reader) for each in before.select
    )
    return f"{said['lead']}which of them{said['rest']}" if is_told else question


def _is_number(shown: Expr, reader: Reader) -> bool:
    column = reader.catalog.column(*shown.table, shown.name) if isinstance(shown, Col) else None
    return column is not None and column.kind == "number"
