"""Weekends of two days: what is said to be `on weekends` and read as Saturdays alone is of Sundays, too.

Called by `corrections` for every tree.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Bucket, Compare, Operator, Query, mapped

_WEEKEND = Pattern(r"\bweek ?ends?\b", re.IGNORECASE)
_SATURDAY = Pattern(r"\bsaturdays?\b", re.IGNORECASE)
_FIRST_DAY = 6
_WHOLE: dict[Operator, Operator] = {"=": ">=", "!=": "<"}


def of_whole_weekends(query: Query, question: str) -> Query:
    """The tree with both days where the question says a weekend and no Saturday."""
    if not _WEEKEND.search(question) or _SATURDAY.search(question):
        return query

    def whole(node: Any) -> Any:
        is_day = isinstance(node, Compare) and isinstance(node.left, Bucket) and node.left.grain == "weekday"
        is_first = is_day and node.right == _FIRST_DAY and node.operator in _WHOLE
        return replace(node, operator=_WHOLE[node.operator]) if is_first else node

    made: Query = mapped(query, whole, (Compare,))
    return made
