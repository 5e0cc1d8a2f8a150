"""What happened on a day was not before a moment of that day: `started_on >= created_at` is so where both are one day.

Nor is a moment after the day that it lies in: what was finished at noon of its due date was not finished after it.

Called by `render` for every tree.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Column
from pluto_duck_text2sql.tree import Bucket, Col, Compare, First, Query, mapped

_NOT_BEFORE = (">=", "<", "=", "<>")
_NOT_AFTER = (">", "<=", "=", "<>")


def by_days(query: Query, catalog: Catalog) -> Query:
    """The tree with each moment that is compared with a day put as the day of that, where its time would tell."""
    made: Query = mapped(query, partial(_by_day, catalog=catalog), (Compare,))
    return made


def _by_day(node: Any, catalog: Catalog) -> Any:
    if not isinstance(node, Compare):
        return node
    left, right = _column(node.left, catalog), _column(node.right, catalog)
    if left is None or right is None:
        return node
    if node.operator in _NOT_BEFORE and left.is_day and right.is_moment:
        return replace(node, right=Bucket("day", node.right))
    is_later = node.operator in _NOT_AFTER and left.is_moment and right.is_day
    if is_later and isinstance(node.left, Col | First):
        return replace(node, left=Bucket("day", node.left))
    return node


def _column(date: object, catalog: Catalog) -> Column | None:
    at = date.of if isinstance(date, First) else date
    return catalog.column(*at.table, at.name) if isinstance(at, Col) else None
