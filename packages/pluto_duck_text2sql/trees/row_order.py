"""Rows in an order that is always the same: what sorts alike is told apart by its group, or by the first name shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pluto_duck_text2sql.tree import Bucket, Col, Expr, Order, Query


def with_ties_told(query: Query) -> Query:
    """Where rows are cut, ties are told apart: by what is grouped by, or by the first name shown."""
    if query.limit is None:
        return query
    return sorted_by(query, query.group or [each for each in query.select if isinstance(each, Col | Bucket)][:1])


def sorted_by(query: Query, keys: Sequence[Expr]) -> Query:
    """Sorted by these after what it is sorted by, those shown first; each group's first rows are already."""
    known = [each.by for each in query.order]
    shown = [each for each in keys if each in query.select]
    hidden = [each for each in keys if each not in shown and not query.distinct]
    more = [Order(each, settles=True) for each in (*shown, *hidden) if each not in known]
    return query if query.per else replace(query, order=(*query.order, *more))
