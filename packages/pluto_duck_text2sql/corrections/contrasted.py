"""Two values or two periods that are compared, in a row each: web and phone revenue, May or June."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import (
    Agg,
    Among,
    Bucket,
    Col,
    Compare,
    Cond,
    During,
    Either,
    Expr,
    Grain,
    Query,
    Rows,
    is_total,
)

_MORE_OR = Pattern(r"\b(?:more|fewer|less|higher|lower|bigger|better)\b(?! than\b).*\bor\b", re.IGNORECASE)
_COMPARES = Pattern(r"\b(?:compare|compared|comparison|versus|vs)\b", re.IGNORECASE)
_GRAINS: tuple[tuple[Grain, int], ...] = (("month", 1), ("quarter", 3), ("year", 12))
_PAIR = 2


def contrasted(query: Query, question: str) -> Query:
    """`compare web and phone revenue`, `more orders in May or in June`: a row for each, not all in one."""
    more = bool(_MORE_OR.search(question))
    if not (more or _COMPARES.search(question)) or query.group or query.limit or query.then or query.having:
        return query
    keys = [key for each in query.where if (key := _contrast(each)) is not None]
    shown = query.select[0] if len(query.select) == 1 and isinstance(query.select[0], Agg) else None
    if shown is None and more and not any(map(is_total, query.select)):
        shown = Agg("count", Rows(query.anchor))
    if len(keys) != 1 or shown is None or shown.where:
        return query
    return replace(query, select=(keys[0], shown), group=(keys[0],), order=(), distinct=False)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _contrast(condition: Cond) -> Expr | None:
    """What tells two values or two periods apart."""
    if isinstance(condition, Among) and len(condition.values) >= _PAIR and not condition.negated:
        return condition.left
    spans = condition.any_of if isinstance(condition, Either) else ()
    named = {each.left for each in spans if isinstance(each, Compare) and each.operator == "=" and _is_text(each.right)}
    if len(named) == 1 and len(spans) >= _PAIR and all(isinstance(each, Compare) for each in spans):
        return named.pop()
    periods = [each for each in spans if isinstance(each, During) and isinstance(each.left, Col)]
    grains = {_grain(each) for each in periods}
    lefts = {each.left for each in periods}
    grain = grains.pop() if len(grains) == 1 else None
    is_pair = len(periods) == len(spans) >= _PAIR and len(lefts) == 1 and grain
    return Bucket(grain, periods[0].left) if is_pair and grain else None


def _grain(period: During) -> Grain | None:
    """The grain of which a period is one: from the first of a month to the first of another."""
    if period.start.day != 1 or period.end.day != 1:
        return None
    months = 12 * (period.end.year - period.start.year) + period.end.month - period.start.month
    return next((grain for grain, length in _GRAINS if months == length), None)
