"""`how many trips had a toll`, `reopened tickets`: rows whose amount is above 0, where each has one, be it 0.

Called by `corrections` for every tree. A count of what no row lacks says nothing else than how many rows there are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.identifiers import is_identifier
from pluto_duck_text2sql.tree import Agg, Col, Compare, Query, Rows, mapped


def above_none(query: Query, catalog: Catalog) -> Query:
    """The tree with counts of amounts as counts of the rows that have any."""

    def counted(node: Any) -> Any:
        is_count = isinstance(node, Agg) and node.function == "count" and not node.distinct and isinstance(node.of, Col)
        if not is_count or not _may_be_none(node.of, catalog):
            return node
        return replace(node, of=Rows(node.of.table), where=(*node.where, Compare(node.of, ">", 0)))

    return mapped(query, counted, (Agg,))


def _may_be_none(of: Col, catalog: Catalog) -> bool:
    """Whether each row has a number, of which the least is 0."""
    table, column = catalog.table(*of.table), catalog.column(*of.table, of.name)
    is_amount = (
        table is not None and column is not None and column.kind == "number" and not is_identifier(table, column)
    )
    return is_amount and column is not None and not column.null_fraction and column.minimum == 0
