"""What is worst of what is bad: `the worst cancellation rate` is the highest, `the best no-show rate` the lowest.

A figure is of what is bad where it is made of rows in a state that nobody wants, or of a table or column called so.
Called by `corrections` and for follow-ups; a tree that is not sorted by such a figure stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.tree import (
    Agg,
    Among,
    Col,
    Compare,
    Expr,
    Order,
    Query,
    Rows,
    all_nodes_in,
    columns_in,
    is_total,
)
from pluto_duck_text2sql.words import name_stems, stem

_SAID = re.compile(r"\b(?P<way>best|worst)\b(?![- ](?:sell|sold))", re.IGNORECASE)
_BAD = frozenset(
    map(
        stem,
        """cancel canceled cancelled cancellation void failed failure fault faulty defect defective damaged broken error
        reject rejected rejection refused declined late overdue delayed delay complaint churned churn lost unpaid
        missed bounced absent absence waste scrap downtime incident accident outage breakdown penalty refund repair
        injury theft""".split(),
    )
)
_NO_SHOW = re.compile(r"no[-_ ]?show", re.IGNORECASE)


def by_worst(query: Query, question: str) -> Query:
    """The tree with the most of what is bad first where the worst is asked for, the least where the best is."""
    said = {each["way"].lower() for each in _SAID.finditer(question)}
    if len(said) != 1 or len(query.order) == 0 or not is_total(query.order[0].by):
        return query
    first = query.order[0]
    turned = Order(first.by, "worst" in said, first.settles)
    return replace(query, order=(turned, *query.order[1:])) if _is_of_bad(first.by, query) else query


def _is_of_bad(figure: Expr, query: Query) -> bool:
    """Whether it grows with what nobody wants."""
    aggregates = [each for each in all_nodes_in(figure) if isinstance(each, Agg)]
    states = [each for agg in aggregates for each in agg.where]
    if states:
        return all(isinstance(each, Compare | Among) and _is_bad_state(each) for each in states)
    counted = [agg.of for agg in aggregates if isinstance(agg.of, Rows)]
    if len(counted) == 1 == len(aggregates):
        held = (each for each in query.where if isinstance(each, Compare | Among))
        return _is_bad(counted[0].table[1]) or any(_is_of(each, counted[0]) and _is_bad_state(each) for each in held)
    return any(_is_bad(each.name) for each in columns_in(figure) if isinstance(each, Col))


def _is_of(condition: Compare | Among, rows: Rows) -> bool:
    """Whether a condition is of the rows themselves."""
    return isinstance(condition.left, Col) and condition.left.table == rows.table


def _is_bad_state(condition: Compare | Among) -> bool:
    values = condition.values if isinstance(condition, Among) else (condition.right,)
    says_so = not condition.negated if isinstance(condition, Among) else condition.operator == "="
    return says_so and all(isinstance(each, str) and _is_bad(each) for each in values)


def _is_bad(name: str) -> bool:
    return not _BAD.isdisjoint(name_stems(name)) or bool(_NO_SHOW.match(name))
