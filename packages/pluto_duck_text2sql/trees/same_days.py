"""What happened on a day was not before a moment of that day: `started_on >= created_at` is so where both are one day.

Called by `render` for every tree.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Column
from pluto_duck_text2sql.tree import Bucket, Col, Compare, First, Query, mapped

_NOT_BEFORE = (">=", "<")


def by_days(query: Query, catalog: Catalog) -> Query:
    """The tree with each day that must not be before a moment, or must be, compared with the day of that."""
    made: Query = mapped(query, partial(_by_day, catalog=catalog), (Compare,))
    return made


def _by_day(node: Any, catalog: Catalog) -> Any:
    if not isinstance(node, Compare) or node.operator not in _NOT_BEFORE:
        return node
    day, moment = _column(node.left, catalog), _column(node.right, catalog)
    if day is None or moment is None or not day.is_day or not moment.is_moment:
        return node
    return replace(node, right=Bucket("day", node.right))


def _column(date: object, catalog: Catalog) -> Column | None:
    at = date.of if isinstance(date, First) else date
    return catalog.column(*at.table, at.name) if isinstance(at, Col) else None
