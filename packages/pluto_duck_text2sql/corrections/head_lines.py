"""Of exports whose first line of each order alone holds what is said of the whole order (data/heads.py): what the other
lines lack is no state of an order, and an order's total is not what one of its articles brought.

Called by `corrections` for every tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.heads import Heads
from pluto_duck_text2sql.tree import Agg, Col, Missing, Product, Query, columns_in, mapped, nodes_in
from pluto_duck_text2sql.trees.resolve import Resolver


def of_first_lines(query: Query, heads: Sequence[Heads]) -> Query:
    """`orders by source`, `orders that are not paid`: without the lines that say nothing of it."""
    for each in heads:
        told = [part for part in query.where if isinstance(part, Missing) and part.left in each.columns]
        groups = [key for key in query.group if key in each.columns]
        is_said = any(not part.negated for part in told)
        marked = Missing(each.marker, negated=True)
        if (groups or is_said) and marked not in query.where and not _is_held(query, each):
            query = replace(query, where=(*query.where, marked))
    return query


def _is_held(query: Query, heads: Heads) -> bool:
    """Whether a condition that no other line meets is there already."""
    held = (part for part in query.where if not isinstance(part, Missing))
    return any(column in heads.columns for part in held for column in columns_in(part))


def of_line_amounts(query: Query, heads: Sequence[Heads], catalog: Catalog, resolver: Resolver) -> Query:
    """`sales of gift cards`, `best product by sales`: price times quantity of the lines, not the orders' totals."""
    for each in heads:
        table = catalog.table(*each.key.table)
        product = _of_line(resolver.line_product(table), each) if table else None
        if product is None or not _is_of_lines(query, each):
            continue

        def paid(node: Any, each: Heads = each, product: Any = product) -> Any:
            is_total = isinstance(node, Agg) and node.function == "sum" and node.of in each.columns
            is_money = is_total and any(node.of == money for money in resolver.money())
            return replace(node, of=product) if is_money else node

        query = mapped(query, paid, (Agg,))
    return query


def _of_line(product: Product | None, heads: Heads) -> Product | None:
    """The product without the discount of a whole order."""
    if product is None:
        return None
    discount, off = (None if each in heads.columns else each for each in (product.discount, product.off))
    return replace(product, discount=discount, off=off)


def _is_of_lines(query: Query, heads: Heads) -> bool:
    """Whether rows are restricted to some lines, or grouped by what a line is of."""
    said = (column for part in (query.where, query.group) for node in nodes_in(part) for column in _columns(node))
    return any(column in heads.of_lines for column in said)


def _columns(node: Any) -> list[Col]:
    return [node] if isinstance(node, Col) else []
