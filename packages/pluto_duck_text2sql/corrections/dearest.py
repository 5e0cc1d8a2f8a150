"""What things are dear by: `the most expensive products` by their price, not by what they cost us.

Called by `corrections` for every tree.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.tree import Col, Query
from pluto_duck_text2sql.trees.parts import swapped

_DEAR = Pattern(r"\b(?:(?:most|least|more|less) expensive|priciest|dearest|cheap(?:est|er))\b", re.IGNORECASE)
_SAYS_COST = Pattern(r"\bcost", re.IGNORECASE)
_COST, _PRICE = stem("cost"), stem("price")


def by_price(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree sorted by the one price of its rows where it is sorted by their cost, of which nothing is said."""
    by = query.order[0].by if query.order else None
    table = catalog.table(*by.table) if isinstance(by, Col) else None
    if table is None or not isinstance(by, Col) or not _DEAR.search(question) or _SAYS_COST.search(question):
        return query
    prices = [each.name for each in table.columns if each.kind == "number" and _PRICE in table.stems(each.name)]
    is_cost = _COST in table.stems(by.name) and _PRICE not in table.stems(by.name)
    return swapped(query, by, Col(table.key, prices[0])) if is_cost and len(prices) == 1 else query
