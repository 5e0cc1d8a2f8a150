"""`who are the guests?`, `who is the supplier?` and `which rooms?` after the bookings of a month: those that the rows
before point at.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.followups.fragment import Fragment
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD
from pluto_duck_text2sql.tree import TableKey
from pluto_duck_text2sql.trees.parts import subject

_THE = "(?:the|those|these)"
_ASKS = Pattern(
    rf"{LEAD}(?:(?:who (?:are|were) {_THE}|which|(?:show|list|name)(?: me)? {_THE}) (?:[a-z]+ )?[a-z]+s"
    r"(?: (?:are|were|is|was) (?:that|those|these|they|it))?|who(?:['’]s| is| was) (?:the|its|their) [a-z]+"
    rf"|(?:(?:what|which) (?:are|were)|(?:show|list|give)(?: me)?) the names of {_THE} (?:[a-z]+ )?[a-z]+s"
    r"(?: (?:on|in|of|for|at|behind) (?:those|these)(?: [a-z]+)?)?"
    rf"|what (?:are|were) {_THE} (?:[a-z]+ )?[a-z]+s called)$",
    re.IGNORECASE,
)


def whose(text: str, fragment: Fragment) -> TableKey | None:
    """The table that a question asks for and does nothing but name, where each of the rows before, which something
    restricts, has one row of it; else None."""
    query, table = fragment.earlier, fragment.table
    slots = fragment.slots
    says_more = slots.values or slots.measures or slots.compares or slots.best or fragment.periods
    if table is None or says_more or query.group or not (query.where or query.limit) or not _ASKS.search(text):
        return None
    steps = fragment.reader.joins.path(subject(query), table)
    return table if steps is not None and not any(step.multiplies for step in steps) else None
