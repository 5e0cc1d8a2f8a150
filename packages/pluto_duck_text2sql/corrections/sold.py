"""What was sold: `how many cars did we sell last month` leaves out sales that were called off again.

Called by `corrections` for every tree. Only where a question says that something was sold or bought, a column of states
tells which sales were called off, and neither the question nor the tree speaks of these states.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.states import TELLS_STATES, standing
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, stem, table_stems
from pluto_duck_text2sql.tree import Col, Cond, First, Query, Related, TableKey, columns_in, mapped

_SOLD = Pattern(
    r"\b(?:sold|sells?|selling|(?:best|worst|top)[- ]sell(?:ing|ers?)|bought|buys?|buying|buyers?|purchased)\b",
    re.IGNORECASE,
)
_SALES = frozenset(map(stem, "sale order purchase deal contract transaction".split()))
_OF_SALES = _SALES | frozenset(map(stem, "customer client shop store online web retail sales".split()))
"""All that a table of sales is called by: an order for a repair is none."""
_WHY = frozenset(map(stem, "cancel cancelled cancellation reason refund refunded returned void".split()))
"""What columns are called by that tell how a sale came to nothing."""


def of_sales_that_stood(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree without sales that were called off, where it is about what was sold."""
    if not _SOLD.search(question) or TELLS_STATES.search(question):
        return query
    made: Query = mapped(query, partial(_stood, catalog=catalog), (Query, Related, First))
    return made


def _stood(node: Any, catalog: Catalog) -> Any:
    """A query, rows that belong to another's, or their first date, without what was called off."""
    if not isinstance(node, Query | Related | First):
        return node
    new = tuple(each for key in _tables(node) for each in _standing(key, node, catalog))
    return replace(node, where=(*node.where, *new)) if new else node


def _tables(node: Query | Related | First) -> Iterator[TableKey]:
    if not isinstance(node, Query):
        return iter((node.table if isinstance(node, Related) else node.of.table,))
    return iter(dict.fromkeys((node.anchor, *node.also, *(each.table for each in columns_in(node)))))


def _standing(key: TableKey, node: Query | Related | First, catalog: Catalog) -> tuple[Cond, ...]:
    """That sales were not called off; nothing for other rows, or where the states are spoken of."""
    table = catalog.table(*key)
    stems = table_stems(key[1])
    if table is None or _SALES.isdisjoint(stems) or not _OF_SALES.issuperset(stems):
        return ()
    spoken = set(columns_in((node.where, node.select, node.group) if isinstance(node, Query) else node.where))
    if any(isinstance(each, Col) and not _WHY.isdisjoint(name_stems(each.name)) for each in spoken):
        return ()
    return tuple(each for each in standing(table, catalog) if spoken.isdisjoint(columns_in(each)))
