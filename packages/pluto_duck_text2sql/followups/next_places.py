"""Who comes next: `and the second best?`, `who's the runner-up?`, `the next one` after the one that came first."""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.followups.asking import asks_names
from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.followups.trees import place_of
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD, stem, tokenise
from pluto_duck_text2sql.tree import is_total
from pluto_duck_text2sql.trees.parts import keys

_NEXT = Pattern(
    rf"{LEAD}(?:(?:what|how) about )?(?:(?:who|which|what)(?: one)?(?:['’]s| is| was| are| were| comes?| came)? )?"
    r"(?:(?:in|on) )?"
    r"(?:the )?(?:(?P<place>second|third|fourth|fifth|2nd|3rd|4th|5th)|(?P<next>next|runner[- ]up)"
    r"|(?:number |no\.? ?|#)(?P<number>two|three|2|3|4|5))"
    r"(?: (?P<way>(?:most |least )?[a-z]+))??(?: (?:one|place|in line))?(?: then)?$",
    re.IGNORECASE,
)
_OF_ANY_RANK = frozenset(map(stem, ("best", "most", "top", "biggest", "highest", "largest")))


def asks_next(text: str) -> bool:
    """Whether a question asks who comes next."""
    return bool(_NEXT.search(text))


def next_in_place(turn: Turn) -> Draft | None:
    """The row that comes so many places after the first, by what that was the first by; None where the answer before is
    of no single one that was ranked."""
    said, query = _NEXT.search(turn.frame.text), turn.earlier
    if said is None or not query.order or not _is_same_rank(said["way"] or "", turn):
        return None
    is_one = query.limit == 1 or query.nth
    if not is_one and (said["next"] or not is_total(query.order[0].by)):
        return None
    place = (query.limit or 0) + 1 if said["next"] else place_of((said["place"] or said["number"]).lower())
    names = tuple(keys(query)) if query.group and asks_names(turn.frame.text) else ()
    made = replace(query, select=names or query.select, limit=place, nth=place > 1)
    return Draft(query).changed(made, f"place → {place}", range(len(turn.fragment.tokens)))


def _is_same_rank(way: str, turn: Turn) -> bool:
    """Whether a superlative says what was ranked by before, or any merit."""
    stems = {token.stem for token in tokenise(way)}
    return stems <= _OF_ANY_RANK | {token.stem for token in tokenise(turn.said_before)}
