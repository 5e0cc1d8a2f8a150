"""`which type has the higher one?`, `who is older?`: of those shown, the one that has most of it."""

from __future__ import annotations

import re

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD

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
