"""Parts that are told by what belongs to things count each thing once: `customers who ordered on the web and on the
phone` are customers, however many orders of each kind they have.

Called by `corrections` for every tree.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.tree import Agg, Col, Query, Rows, columns_in, mapped
from pluto_duck_text2sql.trees.grain import repeats


def each_once_of_parts(query: Query, catalog: Catalog, joins: JoinGraph) -> Query:
    """The tree with rows counted by their key where a condition of the count is of rows that repeat them."""
    made: Query = mapped(query, partial(_once, catalog=catalog, joins=joins), (Agg,))
    return made


def _once(node: Any, catalog: Catalog, joins: JoinGraph) -> Any:
    if not isinstance(node, Agg) or not node.where or node.distinct or not isinstance(node.of, Rows):
        return node
    table = catalog.table(*node.of.table)
    others = {each.table for each in columns_in(node.where)} - {node.of.table}
    if table is None or len(table.primary_key) != 1 or not others or not repeats(joins, table.key, others):
        return node
    return replace(node, of=Col(table.key, table.primary_key[0]), distinct=True)
