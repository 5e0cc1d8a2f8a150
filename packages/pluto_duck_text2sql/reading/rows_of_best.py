"""Is the best one found before its rows are shown? `the cities in the county that has the most officers` are all of
that county's, and not the one city that a list sorted by officers begins with.

Called by `phrasing`, for trees of any origin.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem, table_stems
from pluto_duck_text2sql.tree import Query, columns_in

if TYPE_CHECKING:
    from pluto_duck_text2sql.reading.reader import Pass

_OF_BEST = Pattern(
    r"\b(?P<rows>[a-z]+s) (?:in|of|at|on|from|for|by) the [a-z]+"
    r" (?:(?:that|which|who) (?:has|have|had)|with) the (?:most|least|fewest|[a-z]{2,}est)\b"
)


def lost_rows(roles: Pass, query: Query) -> Iterator[str]:
    """The plural of what is shown, where a tree shows one row of the best thing that may have several."""
    found = _OF_BEST.search(roles.words_at(0, len(roles.tokens)).lower()) if query.limit == 1 else None
    if found is None or query.then or not query.order:
        return
    noun, owners = stem(found["rows"]), {each.table for each in columns_in(query.order[0].by)}
    shown = {each.table for each in columns_in(query.select) if noun in table_stems(each.table[1])[-1:]}
    if any(roles.reader.joins.belongs(each, owner) for each in shown for owner in owners):
        yield found["rows"]
