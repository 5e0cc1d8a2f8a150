"""What pieces cost together is the cost of one times how many there are: no sum of `unit_cost`, which tells nothing.

A correction of trees (corrections.py), where the rows keep both and the question does not say `unit` itself. Pure.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.words import stem, tokenise
from pluto_duck_text2sql.tree import Agg, Col, Product, Query, mapped
from pluto_duck_text2sql.trees.resolve import Resolver

_ONE = frozenset(map(stem, ("unit", "piece")))
_MONEY = frozenset(map(stem, "cost price amount value rate".split()))
_SAYS_ONE = _ONE | {stem("price")}
"""Words of a question that asks for what one costs, or for prices as they stand."""


def of_all_pieces(query: Query, question: str, catalog: Catalog, resolver: Resolver) -> Query:
    """The tree with what all pieces came to in place of a sum of what one did."""
    if not _SAYS_ONE.isdisjoint(token.stem for token in tokenise(question)):
        return query
    return mapped(query, partial(_by_pieces, catalog=catalog, resolver=resolver), (Agg,))


def _by_pieces(node: Any, catalog: Catalog, resolver: Resolver) -> Any:
    of = node.of if isinstance(node, Agg) and node.function == "sum" and not node.distinct else None
    table = catalog.table(*of.table) if isinstance(of, Col) else None
    stems = set(table.stems(of.name)) if table and isinstance(of, Col) else set()
    if table is None or not isinstance(of, Col) or not (stems & _ONE and stems & _MONEY):
        return node
    pieces = resolver.pieces(table)
    known = (each for each in resolver.money() if isinstance(each, Product) and each.price == of)
    whole = next(known, Product(of, pieces) if pieces and pieces != of else None)
    return Agg("sum", whole, where=node.where) if whole else node
