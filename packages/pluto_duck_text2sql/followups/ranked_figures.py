"""The figure that the rows shown are the first by: `how many is that?`, `how many did we have?` after what has most."""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.followups.telling import listed
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD, stem, tokenise
from pluto_duck_text2sql.tree import is_total
from pluto_duck_text2sql.trees.parts import keys

_ASKS = Pattern(
    rf"{LEAD}(?:how (?:many(?: times)?|much|often)|what(?:['’]s| is| was) (?:the|that) (?:number|figure|total))"
    r"(?: (?:is|was|are|were) (?:that|it|they|those|there)(?: of (?:it|them|those))?(?: exactly| in total)?"
    r"| (?:did|do|have|has) we (?:have|had|get|got|see|seen|do|done|make|made)(?: of (?:it|them|those|that))?"
    r"| (?:has|have|had|did|does|do) (?:she|he|it|they|that one)(?: (?P<verb>[a-z]+))?)?$",
    re.IGNORECASE,
)
_OF_ANY_DEED = frozenset(map(stem, ("do", "done", "have", "had", "get", "got", "make", "made")))
"""Verbs that stand for whatever was asked before."""


def asks_figure(text: str) -> bool:
    """Whether a question asks how many or how much that is, and names nothing else."""
    return bool(_ASKS.search(text.strip(" ?!.")))


def figure_ranked_by(turn: Turn) -> Draft | None:
    """The figure that those shown are the first by, which was not shown; None where nothing is so asked."""
    said, query = _ASKS.search(turn.frame.text), turn.earlier
    figures = [each.by for each in query.order[:1] if is_total(each.by)]
    if said is None or not figures or query.limit is None or not query.group or any(map(is_total, query.select)):
        return None
    verb = stem((said["verb"] or "do").lower())
    if verb not in _OF_ANY_DEED | {token.stem for token in tokenise(turn.said_before)}:
        return None
    select = tuple(figures) if query.limit == 1 else (*keys(query), *figures)
    line = f"measured → {listed(figures)}"
    return Draft(query).changed(replace(query, select=select), line, range(len(turn.fragment.tokens)))
