"""`members who paid only once`: rows that are looked for elsewhere are counted as often as the question says.

Called by `corrections`, of any tree; `phrasing` tells whether a tree holds it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from pluto_duck_text2sql.corrections.bounds import OPERATORS
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, spoken
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    Compare,
    Cond,
    Inside,
    Operator,
    Query,
    Related,
    Rows,
    all_nodes_in,
    mapped,
)

Bound = tuple[Operator, float]

_HOW_OFTEN = Pattern(
    r"\b(?P<how>more than|at least|over|exactly|fewer than|less than|at most|only|just)"
    r" (?P<n>once|twice|(?:one|1) time|\w+ times)\b"
    r"(?! (?:as|the|its|their|that|what|higher|larger|bigger|more|longer|faster|older))"
)
_KEYS = frozenset(each for word in ("id", "key", "code", "no", "date", "day", "on", "at") for each in name_stems(word))
"""How what tells rows or days apart is called: how many different ones there are is asked of these."""


def said_how_often(question: str) -> tuple[str, Bound | None] | None:
    """The words that say how often, and the bound that they set where the number is known."""
    found = _HOW_OFTEN.search(question.lower())
    if found is None:
        return None
    number = spoken(found["n"].partition(" ")[0])
    return found[0], None if number is None else (OPERATORS.get(found["how"], "="), number)


def so_often(query: Query, question: str) -> Query:
    """The tree whose one condition on other rows counts them, where it should and nothing in it does."""
    _, bound = said_how_often(question) or ("", None)
    if bound is None:
        return query
    query = replace(query, having=tuple(_of_rows(each, bound) for each in query.having))
    nodes = list(all_nodes_in(query))
    is_alone = sum(isinstance(each, Inside | Related) for each in nodes) == 1
    is_held = any(_counts(each, bound[1]) for each in nodes)
    return query if is_held or not is_alone else mapped(query, partial(_counted, bound=bound))


def _of_rows(condition: Cond, bound: Bound) -> Cond:
    """`sold fewer than five times` counts what was sold, not how many different quantities there were."""
    if not isinstance(condition, Compare) or (condition.operator, condition.right) != bound:
        return condition
    left = condition.left
    of = left.of if isinstance(left, Agg) and left.function == "count" and left.distinct else None
    if not isinstance(of, Col) or not _KEYS.isdisjoint(name_stems(of.name)[-1:]):
        return condition
    return replace(condition, left=Agg("count", Rows(of.table)))


def _counts(node: Any, number: float) -> bool:
    """Whether rows are counted, or a stored number is compared with this one (`more than one` is `at least two`)."""
    if isinstance(node, Related):
        return node.count is not None
    if not isinstance(node, Compare):
        return False
    is_near = isinstance(node.right, int | float) and abs(node.right - number) <= 1
    return is_near or (isinstance(node.left, Agg) and node.left.function == "count")


def _counted(node: Any, bound: Bound) -> Any:
    if isinstance(node, Related) and not node.negated:
        return replace(node, count=bound)
    if not isinstance(node, Inside) or node.negated:
        return node
    inner = node.query
    if len(inner.select) != 1 or not isinstance(inner.select[0], Col) or inner.limit is not None or inner.then:
        return node
    count = Compare(Agg("count", Rows(inner.anchor)), *bound)
    return replace(node, query=replace(inner, group=inner.select, having=(count,), distinct=False))
