"""A row for each of several states that a number is asked of: `how many orders were completed, cancelled and pending`.

Called by `corrections` for every tree.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Among, Col, Query, is_total

_LISTED = Pattern(
    r"\b(?:how many|number of|count of)\b.*?[\w-]+, (?:[\w -]+, )*(?:[\w-]+ )?[\w-]+,? and (?:[\w-]+ )?[\w-]+",
    re.IGNORECASE,
)
_ONE_FIGURE = Pattern(
    r"\b(?:together|combined|altogether|in total|in all|overall|either|any of|or|all of|both|total)\b", re.IGNORECASE
)
_FEWEST = 3
"""Two joined by `and` may be meant together."""


def by_each_listed(query: Query, question: str) -> Query:
    """The tree with a row for each value of the one column of which it takes all those that are listed."""
    plain = not (query.group or query.limit or query.then or query.having)
    if not plain or len(query.select) != 1 or not is_total(query.select[0]) or not _LISTED.search(question):
        return query
    listed = [each for each in query.where if isinstance(each, Among) and not each.negated]
    column = listed[0].left if len(listed) == 1 and len(listed[0].values) >= _FEWEST else None
    if not isinstance(column, Col) or _ONE_FIGURE.search(question):
        return query
    return replace(query, select=(column, *query.select), group=(column,))
