"""`and by channel there?` after the hotel with the most bookings: the figure that it was first by, of it alone; so is
`split that one by channel`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.followups.trees import settled, shown_rows
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Bucket, Compare, Cond, Query
from pluto_duck_text2sql.trees.parts import keys, measures, subject

THERE = (
    r"(?<!is )(?<!are )(?<!was )(?<!were )(?<!be )(?<!been )\bthere(?=\W*$|,| (?:now|by|per|in|for|during|last|this)\b)"
)
"""What stands for a place, where `how many are there` has none."""
_THERE = Pattern(
    rf"{THERE}|\b(?:split|break|divide|drill|segment|separate) (?:down |up |out )?(?:it|that|this)\b"
    r"(?: one)?.* (?:by|per|into)\b",
    re.IGNORECASE,
)


def within_first(turn: Turn) -> Draft | None:
    """The query of the one that came first, uncut, on the way to what is asked of it; None where nothing is so said."""
    query = turn.earlier
    figures = measures(query)
    first = _first(turn, query) if query.limit == 1 and query.group and not query.then else None
    if first is None or not figures or turn.fragment.asks_a_total or not _THERE.search(turn.frame.text):
        return None
    select, where = (*keys(query), *figures), (*query.where, first)
    bare = replace(query, select=select, where=where, order=(), limit=None, having=())
    made = replace(bare, anchor=subject(bare))
    return Draft(query).changed(settled(made, turn.reader), "of the one just shown")


def _first(turn: Turn, query: Query) -> Cond | None:
    """That a row is of the one shown; of the month shown, where they are told by month."""
    time = query.group[0] if len(query.group) == 1 and isinstance(query.group[0], Bucket) else None
    return Compare(time, "=", replace(query, select=(time,))) if time else shown_rows(query, turn.reader)
