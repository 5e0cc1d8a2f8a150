"""Who comes next: `and the second best?`, `who's the runner-up?`, `the next one` after the one that came first."""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.followups.trees import place_of
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD, stem, tokenise

_NEXT = Pattern(
    rf"{LEAD}(?:(?:what|how) about )?(?:(?:who|which|what)(?: one)?(?:['’]s| is| was| are| were| comes?| came)? )?(?:(?:in|on) )?"
    r"(?:the )?(?:(?P<place>second|third|fourth|fifth|2nd|3rd|4th|5th)|(?P<next>next|runner[- ]up))"
    r"(?: (?P<way>(?:most |least )?[a-z]+))??(?: (?:one|place|in line))?(?: then)?$",
    re.IGNORECASE,
)
_OF_ANY_RANK = frozenset(map(stem, ("best", "most", "top", "biggest", "highest", "largest")))


def next_in_place(turn: Turn) -> Draft | None:
    """The row that comes so many places after the first, by what that was the first by; None where the answer before is
    of no single one that was ranked."""
    said, query = _NEXT.search(turn.frame.text), turn.earlier
    if said is None or query.limit is None or not (query.limit == 1 or query.nth) or not query.order:
        return None
    if not _is_same_rank(said["way"] or "", turn):
        return None
    place = query.limit + 1 if said["next"] else place_of(said["place"].lower())
    made = replace(query, limit=place, nth=place > 1)
    return Draft(query).changed(made, f"place → {place}", range(len(turn.fragment.tokens)))


def _is_same_rank(way: str, turn: Turn) -> bool:
    """Whether a superlative says what was ranked by before, or any merit."""
    stems = {token.stem for token in tokenise(way)}
    return stems <= _OF_ANY_RANK | {token.stem for token in tokenise(turn.said_before)}
