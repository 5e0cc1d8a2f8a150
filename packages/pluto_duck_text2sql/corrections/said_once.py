"""A period that is said once restricts one column: of a moment and its day (`ordered_at`, `order_date`) the day.

Called by `corrections` for every tree, once each period is of the date that the question speaks of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.same_times import are_one_time
from pluto_duck_text2sql.tree import Col, Compare, Cond, During, Missing, Query, mapped

_LISTS = ("where", "all_of", "any_of")


def of_one_time(query: Query, catalog: Catalog) -> Query:
    """The tree without what restricts a moment as its day is restricted already."""

    def once(node: Any) -> Any:
        for name in _LISTS:
            kept = getattr(node, name, None)
            if isinstance(kept, tuple) and len(kept) > 1:
                left = tuple(each for each in kept if not _is_said_of_day(each, kept, catalog))
                node = node if left == kept else replace(node, **{name: left})
        return node

    found: Query = mapped(query, once)
    return found


def _is_said_of_day(condition: Cond, beside: Sequence[Cond], catalog: Catalog) -> bool:
    """Whether one of those beside a condition says the same of the day that its moment is of, or says when it was."""
    left = getattr(condition, "left", None)
    column = catalog.column(*left.table, left.name) if isinstance(left, Col) else None
    if column is None or not isinstance(left, Col):
        return False
    for each in beside:
        other = getattr(each, "left", None)
        if not isinstance(each, During | Compare) or not are_one_time(left, other, catalog):
            continue
        is_known = isinstance(condition, Missing) and condition.negated
        if is_known or (column.is_moment and isinstance(condition, During | Compare) and _of(condition, other) == each):
            return True
    return False


def _of(condition: During | Compare, column: Any) -> Cond:
    return replace(condition, left=column)
