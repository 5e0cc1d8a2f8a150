"""Bounds put right: `a score of 9 or higher` takes 9 in, `more than 9` does not; `since 2005` are all years from then.

Called by `corrections` for every tree, whoever wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import A_NUMBER, name_stems, number_of, stem
from pluto_duck_text2sql.tree import Col, Compare, Operator, Query, mapped

OPERATORS: dict[str, Operator] = {
    **dict.fromkeys(("more than", "over", "longer than"), ">"),
    **dict.fromkeys(("fewer than", "less than", "under", "in less than", "in under"), "<"),
    **dict.fromkeys(("at least", "no fewer than", "no less than"), ">="),
    **dict.fromkeys(("at most", "no more than", "up to", "within"), "<="),
}
"""What stands before a number, and how it compares."""
_N = rf"(?P<n>\d[\d,]*(?:\.\d+)?k?|{A_NUMBER})(?!\w|\.\d)"
_UP = "more|higher|above|better|over|greater|up|longer|older|larger|bigger|upwards?|heavier|taller|dearer"
_DOWN = "less|fewer|lower|below|worse|under|smaller|shorter|younger|cheaper|lighter"
_NO = r"(?:\bno|\bnot|n['’]t)(?: any)?"
_LESS = "smaller|shorter|cheaper|lighter|slower|weaker|poorer"
_UNIT = r"(?: (?!or\b)[a-z]+| ?%)?"
_END = r"\b(?! (?:than|\d))"
_SAID: tuple[tuple[Operator, Pattern], ...] = (
    (">=", Pattern(rf"\b{_N}{_UNIT} (?:or (?:{_UP})|and (?:above|over|upwards?|older|up)){_END}", re.IGNORECASE)),
    ("<=", Pattern(rf"\b{_N}{_UNIT} (?:or (?:{_DOWN})|and (?:below|under|younger)){_END}", re.IGNORECASE)),
    (">=", Pattern(rf"(?:\bat least|{_NO} (?:{_DOWN}) than|\ba minimum of) [$€£]?{_N}", re.IGNORECASE)),
    ("<=", Pattern(rf"(?:\bat most|{_NO} (?:{_UP}) than|\ba maximum of) [$€£]?{_N}", re.IGNORECASE)),
    ("<", Pattern(rf"\b(?:colder|cooler|{_LESS}) than [$€£]?{_N}", re.IGNORECASE)),
    (">=", Pattern(rf"\b(?:(?:{_UP}) than or equal to|equal to or (?:{_UP}) than) [$€£]?{_N}", re.IGNORECASE)),
    ("<=", Pattern(rf"\b(?:(?:{_DOWN}) than or equal to|equal to or (?:{_DOWN}) than) [$€£]?{_N}", re.IGNORECASE)),
)
_DENIED = Pattern(r"\b(?:not|never|without|nobody|none|neither)\b|n['’]t\b", re.IGNORECASE)
_NO_MORE = Pattern(rf"{_NO} (?:{_UP}|{_DOWN}) than\b", re.IGNORECASE)
_BOUNDS = ("=", "<", "<=", ">", ">=")
_REMEMBERED = 64
_Y = r"(?P<n>(?:1[5-9]|20)\d\d)(?![\d-])"
_IN_YEARS: tuple[tuple[Operator, Pattern], ...] = (
    (">=", Pattern(rf"\bsince (?:the )?(?:start of |beginning of |year )?{_Y}", re.IGNORECASE)),
    (
        ">=",
        Pattern(
            rf"\b(?:from|in) {_Y}(?: on(?:wards?)?(?= *(?:$|[,.;?!]))| (?:or|and) (?:later|after\b))", re.IGNORECASE
        ),
    ),
    (">=", Pattern(rf"\b(?:no|not) (?:earlier|sooner) than (?:in )?{_Y}", re.IGNORECASE)),
    ("<=", Pattern(rf"\b(?:no|not) later than (?:in )?{_Y}", re.IGNORECASE)),
    ("<=", Pattern(rf"\bin {_Y} (?:or|and) (?:earlier|before)\b", re.IGNORECASE)),
)
"""How numbers of years are compared, where only their column tells that they are such."""
_STATE = Pattern(r"\b(?:is|are|am|been (?:an?|the|our|my|his|her|with|in|at|on|of))\b", re.IGNORECASE)
"""What has been so since 2005 began to be so in that year: `who is her friend since 2005`."""
_YEAR, _YEARS = stem("year"), range(1500, 2101)


def as_bounded(query: Query, question: str) -> Query:
    """The tree with each number compared as the question says; as it is where that denies something."""
    said = {} if _DENIED.search(_NO_MORE.sub(" ", question)) else _bounds_said(question, _SAID)
    return mapped(query, partial(_bounded, said=said), (Compare,)) if said else query


def as_bounded_by_years(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree with columns of years compared as the question says: `since 2005`, `in 2005 or later`."""
    said = {} if _STATE.search(question) or _DENIED.search(question) else _bounds_said(question, _IN_YEARS)
    return mapped(query, partial(_bounded_by_year, said=said, catalog=catalog), (Compare,)) if said else query


def _bounded_by_year(node: Any, said: Mapping[float, Operator], catalog: Catalog) -> Any:
    is_column = isinstance(node, Compare) and isinstance(node.left, Col)
    return _bounded(node, said) if is_column and _tells_years(node.left, catalog) else node


def _tells_years(shown: Col, catalog: Catalog) -> bool:
    """Whether a column is called after years, or all of its numbers can be such."""
    column = catalog.column(*shown.table, shown.name)
    ends = (column.minimum, column.maximum) if column else ()
    return _YEAR in name_stems(shown.name) or all(isinstance(each, int) and each in _YEARS for each in (*ends, 0)[:2])


@lru_cache(maxsize=_REMEMBERED)
def _bounds_said(question: str, patterns: tuple[tuple[Operator, Pattern], ...]) -> Mapping[float, Operator]:
    """The operator for each number of which just one is said."""
    pairs = {
        (number, operator)
        for operator, pattern in patterns
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
