"""What groups ever had: stations that `ever had more than 12 bikes` are told by the most that any row of theirs has.

Called by `corrections` for every tree; a sum or a mean of all rows tells nothing of any one of them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Agg, Col, Compare, Query, mapped

_EVER = Pattern(
    r"\b(?:have|has|had) (?:ever|never|once) (?:had|been|reached|have|has)\b.*\b(?:than|above|below|over|under)\b"
)
_TOTAL_SAID = Pattern(
    r"\b(?:total|sum|average|mean|altogether|in all|combined|most|least|max\w*|min\w*|[a-z]{2,}est)\b"
)
_FIGURES = ("sum", "avg", "max", "min")


def of_any_row(query: Query, question: str) -> Query:
    """The tree with groups told by the row that is farthest on the side that is said."""
    said = question.lower()
    if not _EVER.search(said) or _TOTAL_SAID.search(said):
        return query
    return mapped(query, _in_groups, (Query,))


def _in_groups(node: Any) -> Any:
    if not isinstance(node, Query) or not node.having:
        return node
    having = tuple(map(_of_any, node.having))
    return node if having == node.having else replace(node, having=having)


def _of_any(condition: Any) -> Any:
    figure = condition.left if isinstance(condition, Compare) else None
    if not isinstance(condition, Compare) or not isinstance(figure, Agg) or not isinstance(figure.of, Col):
        return condition
    is_bound = condition.operator[0] in "<>" and isinstance(condition.right, int | float)
    if not is_bound or figure.function not in _FIGURES:
        return condition
    function: Any = "max" if condition.operator[0] == ">" else "min"
    return replace(condition, left=replace(figure, function=function))
