"""A balance is that after the last row, not what the balances after all rows come to; of what came in less what went
out each is added up by itself, since a row holds but one of them.

Called by `corrections` for every tree over a statement (data/statements.py). By periods a balance is left to others: no
sum of balances is a reading (trees/vacuous.py).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.statements import Statement
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Agg, Minus, Order, Query, mapped

_SAID = Pattern(r"\bbalance\b", re.IGNORECASE)
_IS_WHAT = Pattern(
    r"\bwhat(?:['’]s| is| was)? (?:my|our|the)\b|\b(?:current|latest|final|closing) balance\b", re.IGNORECASE
)


def of_last_row(query: Query, question: str, statements: Sequence[Statement]) -> Query:
    """The balance of the latest row in place of the sum of all, or of a list where it is asked what it is."""
    if not _SAID.search(question) or query.group or query.limit:
        return query
    for each in statements:
        if each.balance is None or each.date is None:
            continue
        wanted = (Agg("sum", each.balance), *([each.balance] if _IS_WHAT.search(question) else []))
        if len(query.select) == 1 and query.select[0] in wanted:
            return replace(query, select=(each.balance,), order=(Order(each.date, descending=True),), limit=1)
    return query


def each_way_added(query: Query, statements: Sequence[Statement]) -> Query:
    """`credits minus debits by month`: a sum of differences as the difference of sums."""
    ways = {frozenset((each.came_in, each.went_out)) for each in statements}

    def apart(node: Any) -> Any:
        is_sum = isinstance(node, Agg) and node.function == "sum" and isinstance(node.of, Minus)
        if not is_sum or frozenset((node.of.left, node.of.right)) not in ways:
            return node
        return Minus(replace(node, of=node.of.left), replace(node, of=node.of.right))

    return mapped(query, apart, (Minus,)) if ways else query
