"""Bounds put right: `a score of 9 or higher` takes 9 in, `more than 9` does not.

Called by `corrections` for every tree, whoever wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import A_NUMBER, number_of
from pluto_duck_text2sql.tree import Compare, Operator, Query, mapped

OPERATORS: dict[str, Operator] = {
    **dict.fromkeys(("more than", "over", "longer than"), ">"),
    **dict.fromkeys(("fewer than", "less than", "under", "in less than", "in under"), "<"),
    **dict.fromkeys(("at least", "no fewer than", "no less than"), ">="),
    **dict.fromkeys(("at most", "no more than", "up to", "within"), "<="),
}
"""What stands before a number, and how it compares."""
_N = rf"(?P<n>\d[\d,]*(?:\.\d+)?k?|{A_NUMBER})(?!\w|\.\d)"
_UP = "more|higher|above|better|over|greater|up|longer|older|larger|bigger|upwards?|heavier"
_DOWN = "less|fewer|lower|below|worse|under|smaller|shorter|younger|cheaper|lighter"
_LESS = "smaller|shorter|cheaper|lighter|slower|weaker|poorer"
_UNIT = r"(?: (?!or\b)[a-z]+| ?%)?"
_END = r"\b(?! (?:than|\d))"
_SAID: tuple[tuple[Operator, Pattern], ...] = (
    (">=", Pattern(rf"\b{_N}{_UNIT} (?:or (?:{_UP})|and (?:above|over|upwards?|older|up)){_END}", re.IGNORECASE)),
    ("<=", Pattern(rf"\b{_N}{_UNIT} (?:or (?:{_DOWN})|and (?:below|under|younger)){_END}", re.IGNORECASE)),
    (">=", Pattern(rf"\b(?:at least|no (?:less|fewer|lower) than|a minimum of) {_N}", re.IGNORECASE)),
    ("<=", Pattern(rf"\b(?:at most|no (?:more|higher|greater) than|a maximum of) {_N}", re.IGNORECASE)),
    ("<", Pattern(rf"\b(?:colder|cooler|{_LESS}) than [$€£]?{_N}", re.IGNORECASE)),
    (">=", Pattern(rf"\b(?:(?:{_UP}) than or equal to|equal to or (?:{_UP}) than) [$€£]?{_N}", re.IGNORECASE)),
    ("<=", Pattern(rf"\b(?:(?:{_DOWN}) than or equal to|equal to or (?:{_DOWN}) than) [$€£]?{_N}", re.IGNORECASE)),
)
_DENIED = Pattern(r"\b(?:not|never|without|nobody|none|neither)\b|n['’]t\b", re.IGNORECASE)
_BOUNDS = ("=", "<", "<=", ">", ">=")
_REMEMBERED = 64


def as_bounded(query: Query, question: str) -> Query:
    """The tree with each number compared as the question says; as it is where that denies something."""
    said = {} if _DENIED.search(question) else _bounds_said(question)
    return mapped(query, partial(_bounded, said=said), (Compare,)) if said else query


@lru_cache(maxsize=_REMEMBERED)
def _bounds_said(question: str) -> Mapping[float, Operator]:
    """The operator for each number of which just one is said."""
    pairs = {
        (number, operator)
        for operator, pattern in _SAID
        for match in pattern.finditer(question)
        if (number := number_of(match["n"].lower())) is not None
    }
    numbers = [number for number, _ in pairs]
    return MappingProxyType({number: operator for number, operator in pairs if numbers.count(number) == 1})


def _bounded(node: Any, said: Mapping[float, Operator]) -> Any:
    if not isinstance(node, Compare) or node.operator not in _BOUNDS or isinstance(node.right, bool):
        return node
    operator = said.get(float(node.right)) if isinstance(node.right, int | float) else None
    return replace(node, operator=operator) if operator and operator != node.operator else node
