"""What is one of several in a cell: `titles from India` are those whose countries hold India, alone or beside others.

Called by `corrections` for every tree. Which columns hold lists the catalog tells.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.tree import Among, Col, Compare, Either, Every, Holding, Item, Query, mapped


def among_items(query: Query, catalog: Catalog) -> Query:
    """The tree with items held by lists in place of lists of one item."""

    def held(node: Any) -> Any:
        if isinstance(node, Compare) and node.operator in ("=", "!=") and _is_item(node.left, node.right, catalog):
            return replace(node, right=Item(node.right.casefold()))
        if isinstance(node, Among) and all(_is_item(node.left, each, catalog) for each in node.values):
            ways = [Compare(node.left, "!=" if node.negated else "=", Item(each.casefold())) for each in node.values]
            return Every(tuple(ways)) if node.negated else Either(tuple(ways))
        return node

    return mapped(query, held, (Compare, Among))


def _is_item(left: Any, right: Any, catalog: Catalog) -> bool:
    column = catalog.column(*left.table, left.name) if isinstance(left, Col) else None
    is_text = isinstance(right, str) and not isinstance(right, Holding) and ", " not in right
    return is_text and column is not None and column.of_lists
