"""What is worst of what is bad: `the worst cancellation rate` is the highest, `the best no-show rate` the lowest.

The worst of deals and of money that comes in is the least: `worst month by number of orders`.

A figure is of what is bad where it is made of rows in a state that nobody wants, or late, or of a table or column
called so; how long such rows last, and how late others were, is so too.
Called by `corrections` and for follow-ups; a tree that is not sorted by such a figure stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.data.date_names import is_meant
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, stem
from pluto_duck_text2sql.tree import (
    Agg,
    Among,
    Col,
    Compare,
    Cond,
    Days,
    Expr,
    Missing,
    Order,
    Query,
    Rows,
    all_nodes_in,
    columns_in,
    is_total,
)

_SAID = Pattern(r"\b(?P<way>best|worst)\b(?![- ](?:sell|sold))", re.IGNORECASE)
_BAD = frozenset(
    map(
        stem,
        """cancel canceled cancelled cancellation void failed failure fault faulty defect defective damaged broken error
        reject rejected rejection refused declined late overdue delayed delay complaint churned churn lost unpaid
        missed bounced absent absence waste scrap downtime incident accident outage breakdown penalty refund repair
        injury theft""".split(),
    )
)
_DEALS = frozenset(map(stem, "order sale purchase booking reservation rental subscription visit signup".split()))
_INCOME = frozenset(map(stem, "revenue sale sales income turnover takings profit".split()))
_BAD_FLAGS = frozenset(map(stem, ("returned", "refunded")))
"""What is bad of a row that a flag says it of; a return is else no such thing."""
_NO_SHOW = Pattern(r"no[-_ ]?show", re.IGNORECASE)


def by_worst(query: Query, question: str) -> Query:
    """The tree with the most of what is bad first where the worst is asked for, the least where the best is."""
    said = {each["way"].lower() for each in _SAID.finditer(question)}
    if len(said) != 1 or len(query.order) == 0 or not is_total(query.order[0].by):
        return query
    first = query.order[0]
    turned = Order(first.by, "worst" in said, first.settles)
    if _is_of_bad(first.by, query):
        return replace(query, order=(turned, *query.order[1:]))
    turned = replace(turned, descending="best" in said)
    return replace(query, order=(turned, *query.order[1:])) if _is_of_trade(first.by) else query


def _is_of_trade(figure: Expr) -> bool:
    """Whether it is a number of deals or an amount of money, of which more is better."""
    if not isinstance(figure, Agg) or figure.function not in ("count", "sum"):
        return False
    if figure.function == "count":
        return isinstance(figure.of, Rows | Col) and not _DEALS.isdisjoint(name_stems(figure.of.table[1]))
    return any(not _INCOME.isdisjoint(name_stems(each.name)) for each in columns_in(figure.of) if isinstance(each, Col))


def _is_of_bad(figure: Expr, query: Query) -> bool:
    """Whether it grows with what nobody wants."""
    aggregates = [each for each in all_nodes_in(figure) if isinstance(each, Agg)]
    if spans := [agg.of for agg in aggregates if isinstance(agg.of, Days)]:
        return any(map(_is_of_bad_span, spans))
    states = [each for agg in aggregates for each in agg.where if not isinstance(each, Missing)]
    if states:
        return all(isinstance(each, Compare | Among) and _is_bad_state(each) for each in states)
    counted = [agg.of for agg in aggregates if isinstance(agg.of, Rows)]
    if len(counted) == 1 == len(aggregates):
        if any(map(_is_late, query.where)):
            return True
        held = (each for each in query.where if isinstance(each, Compare | Among))
        return _is_bad(counted[0].table[1]) or any(_is_of(each, counted[0]) and _is_bad_state(each) for each in held)
    return any(_is_bad(each.name) for each in columns_in(figure) if isinstance(each, Col))


def _is_of_bad_span(days: Days) -> bool:
    """Whether it tells how long rows last that nobody wants, or how late something was done."""
    start = days.start if isinstance(days.start, Col) else None
    return start is not None and (_is_bad(start.table[1]) or is_meant(name_stems(start.name)))


def _is_late(condition: Cond) -> bool:
    """Whether it is of what was done after it was due."""
    is_after = isinstance(condition, Compare) and condition.operator in (">", ">=")
    due = condition.right if isinstance(condition, Compare) and is_after else None
    return isinstance(due, Col) and is_meant(name_stems(due.name))


def _is_of(condition: Compare | Among, rows: Rows) -> bool:
    """Whether a condition is of the rows themselves."""
    return isinstance(condition.left, Col) and condition.left.table == rows.table


def _is_bad_state(condition: Compare | Among) -> bool:
    values = condition.values if isinstance(condition, Among) else (condition.right,)
    says_so = not condition.negated if isinstance(condition, Among) else condition.operator == "="
    if str(values[0]).lower() == "true" and isinstance(condition.left, Col):
        return says_so and (_is_bad(condition.left.name) or not _BAD_FLAGS.isdisjoint(name_stems(condition.left.name)))
    return says_so and all(isinstance(each, str) and _is_bad(each) for each in values)


def _is_bad(name: str) -> bool:
    return not _BAD.isdisjoint(name_stems(name)) or bool(_NO_SHOW.match(name))
