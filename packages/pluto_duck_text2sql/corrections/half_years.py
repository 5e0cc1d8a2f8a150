"""Half-years are no years: `net amount invoiced by half-year` has two rows for each year.

Called by `corrections` for every tree. The network knows no half-years and writes years or quarters for them, which
leaves no word unsaid.
"""

from __future__ import annotations

import re
from typing import Any

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Bucket, Query, mapped

_SAID = Pattern(
    r"\b(?:by|per|each|every|for each|of each|and) (?:the )?(?:half[ -]?years?|halves"
    r"|half of (?:the|a|each|every) year|semesters?)\b"
    r"|\bhalf[ -]yearly\b",
    re.IGNORECASE,
)
_BY_OTHERS = Pattern(
    r"\b(?:by|per|each|every) (?:the )?(?:years?|quarters?)\b|\b(?:year|quarter|annual)ly\b", re.IGNORECASE
)


def by_half_years(query: Query, question: str) -> Query:
    """The tree by half-years, where it goes by years or quarters, which no word asks for."""
    said = _SAID.search(question)
    times = {each for each in query.group if isinstance(each, Bucket) and each.grain in ("year", "quarter")}
    rest = f"{question[: said.start()]} {question[said.end() :]}" if said else ""
    if said is None or len(times) != 1 or _BY_OTHERS.search(rest):
        return query

    def by_half(node: Any) -> Any:
        return Bucket("half", node.of) if node in times else node

    made: Query = mapped(query, by_half, (Bucket,))
    return made
