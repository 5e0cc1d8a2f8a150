"""Prices that are of all pieces of a line already: an `extended price` is multiplied with no quantity.

Called by `corrections` for every tree.
"""

from __future__ import annotations

from typing import Any

from pluto_duck_text2sql.tree import Product, Query, mapped
from pluto_duck_text2sql.trees.resolve import Resolver


def of_whole_lines(query: Query, resolver: Resolver) -> Query:
    """The tree with what a line came to in the place of its extended price times its quantity."""

    def whole(node: Any) -> Any:
        return (isinstance(node, Product) and resolver.extended(node.price)) or node

    made: Query = mapped(query, whole, (Product,))
    return made
