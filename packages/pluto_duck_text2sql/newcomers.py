"""By when each did something first: `how many members bought their first ticket in each quarter of 2025`.

Called by `corrections`. A tree whose groups are periods of first times has its period of these times, too, not of what
was done again; and it counts those whose first times they are where the question asks how many.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.tree import Agg, Bucket, During, First, Query, is_total, mapped

_HOW_MANY = re.compile(r"\b(?:how many|number of|count of)\b", re.IGNORECASE)


def by_first_times(query: Query, question: str) -> Query:
    """The tree with its period, and its count, of the first times that it groups by."""
    firsts = [each.of for each in query.group if isinstance(each, Bucket) and isinstance(each.of, First)]
    if len(firsts) != 1:
        return query
    first = firsts[0]
    assert isinstance(first, First)

    def of_first(node: Any) -> Any:
        return replace(node, left=first) if isinstance(node, During) and node.left == first.of else node

    query = replace(query, where=tuple(mapped(each, of_first) for each in query.where))
    if not _HOW_MANY.search(question) or any(map(is_total, query.select)):
        return query
    return replace(query, select=(*query.select, Agg("count", first.by, distinct=True)))
