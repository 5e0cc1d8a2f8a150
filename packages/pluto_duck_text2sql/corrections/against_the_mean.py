"""Above or below the mean as the question says: `rated worse than the average` is a lower rating, not a higher one.

Called by `corrections` for every tree, whoever wrote it. What is better of ranks and times is less, so that better and
worse settle marks alone. Pure.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Any

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, stem
from pluto_duck_text2sql.tree import Agg, Col, Compare, Operator, Query, mapped

_MEAN = r"(?: than)? (?:the |an? |its |their |our )?(?:overall |general )?(?:average|mean|usual\b|typical\b)"
_MORE = r"above|over|more|higher|greater|larger|bigger|older|longer|taller|heavier|dearer|more expensive|exceed\w*"
_LESS = r"below|under|less|lower|smaller|younger|shorter|lighter|cheaper|fewer|less expensive"
_SAID: tuple[tuple[Operator, Pattern], ...] = (
    (">", Pattern(rf"\b(?:{_MORE}){_MEAN}", re.IGNORECASE)),
    ("<", Pattern(rf"\b(?:{_LESS}){_MEAN}", re.IGNORECASE)),
)
_OF_MARKS: tuple[tuple[Operator, Pattern], ...] = (
    (">", Pattern(rf"\bbetter{_MEAN}", re.IGNORECASE)),
    ("<", Pattern(rf"\b(?:worse|poorer){_MEAN}", re.IGNORECASE)),
)
_DENIED = Pattern(r"\b(?:not|never|no|nobody|none|neither)\b|n['’]t\b", re.IGNORECASE)
_MARKS = frozenset(map(stem, "rating score mark grade point star review".split()))


def against_the_mean(query: Query, question: str) -> Query:
    """The tree with what is compared with a mean on the side of it that is said."""
    if _DENIED.search(question):
        return query
    said, of_marks = (_side(question, patterns) for patterns in (_SAID, _OF_MARKS))
    side = said or of_marks
    if side is None or (said and of_marks):
        return query
    return mapped(query, partial(_on_side, side=side, marks_alone=said is None), (Compare,))


def _side(question: str, patterns: tuple[tuple[Operator, Pattern], ...]) -> Operator | None:
    """The one side of the mean that is said."""
    sides = [side for side, pattern in patterns if pattern.search(question)]
    return sides[0] if len(sides) == 1 else None


def _on_side(node: Any, side: Operator, marks_alone: bool) -> Any:
    if not isinstance(node, Compare) or node.operator not in ("<", "<=", ">", ">=") or not _is_mean(node.right):
        return node
    of_marks = isinstance(node.left, Col) and not _MARKS.isdisjoint(name_stems(node.left.name))
    is_told = not marks_alone or of_marks
    return replace(node, operator=side) if is_told and node.operator[0] != side else node


def _is_mean(right: Any) -> bool:
    """Whether it is the average of all rows, or of some."""
    if isinstance(right, Query) and len(right.select) == 1:
        right = right.select[0]
    return isinstance(right, Agg) and right.function in ("avg", "median")
