"""What is late: `which invoices are late` are those that were paid too late, or those that are due and not paid yet.

Of what is paid both are said. What was delivered late was delivered.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.asking_back.left_open.opening import Data, Opening
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.tree import Col, Compare, Cond, Either, Every, Missing, Query, nodes_in
from pluto_duck_text2sql.trees.parts import swapped

_ASKED = "Late in which way?"
_LATE = Pattern(
    r"\b(?:is|are|was|were|being) late\b|\blate (?:\w+ )?(?:invoices|payments|bills|instalments)\b", re.IGNORECASE
)
_PAID = frozenset(map(stem, "paid payment settled".split()))


def late_how(question: str, query: Query, data: Data) -> Opening | None:
    """The rows that a tree takes as late; of these only what was paid too late, and only what is not paid yet."""
    lates = [each for each in nodes_in(query) if isinstance(each, Either) and _are_of_payments(each, data)]
    if len(lates) != 1 or not _LATE.search(question):
        return None
    late = lates[0]
    ways = [(_told(each), swapped(query, late, each)) for each in late.any_of]
    return Opening(_ASKED, ((" or ".join(name for name, _ in ways), query), *ways))


def _are_of_payments(late: Either, data: Data) -> bool:
    """Whether they are what was paid after it was due, and what was due and is not paid."""
    done, open_ = late.any_of[0], late.any_of[-1]
    if not isinstance(done, Compare) or not isinstance(open_, Every) or len(late.any_of) != 2:
        return False
    paid = done.left
    is_open = isinstance(paid, Col) and Missing(paid) in open_.all_of
    return is_open and not _PAID.isdisjoint(data.table(paid.table).stems(paid.name))  # type: ignore[union-attr]


def _told(way: Cond) -> str:
    """How each way of being late is called."""
    return "paid after it was due" if isinstance(way, Compare) else "due and not paid yet"
