"""Bounds of what each comes to: `regions with a total profit below 0` are bounded by their sums, `studios that have an
average gross of over 5000` by their means, not row by row.

Called by `corrections` for every tree that has groups.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Agg, Col, Compare, Query

_TOTAL = Pattern(
    r"\b(?:with|have|has|having|had|whose) (?:an? |the |their )?(?P<what>total|average|mean) [a-z]+(?: [a-z]+)?"
    r" (?:is |was |of )?"
    r"(?:below|under|less than|above|over|more than|at least|at most|of at least|exceeding)\b",
    re.IGNORECASE,
)
_ONE_ASKED = Pattern(
    r"^\s*(?:which|what|who|list|show|name)\b(?!.*\b(?:and|with their|how much|what is)\b)", re.IGNORECASE
)


def of_totals(query: Query, question: str) -> Query:
    """The tree with the bound of a total or mean on that of each group."""
    said = _TOTAL.search(question)
    if not query.group or said is None:
        return query
    bounds = [each for each in query.where if isinstance(each, Compare) and _is_of_rows(each)]
    if len(bounds) != 1:
        return query
    total = Agg("sum" if said["what"].lower() == "total" else "avg", bounds[0].left)
    where = tuple(each for each in query.where if each not in bounds)
    keys = tuple(each for each in query.select if each != total)
    select = keys if keys and _ONE_ASKED.match(question) else query.select
    return replace(query, select=select, where=where, having=(*query.having, replace(bounds[0], left=total)))


def _is_of_rows(bound: Compare) -> bool:
    is_number = isinstance(bound.right, int | float) and not isinstance(bound.right, bool)
    return isinstance(bound.left, Col) and is_number and bound.operator in ("<", "<=", ">", ">=")
