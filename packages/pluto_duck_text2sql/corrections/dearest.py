"""What things are dear by: `the most expensive products` by their price, not by what they cost us; and who is paid
best, by what they earn: `the highest paid role` by the mean salary of those who have it.

Called by `corrections` for every tree.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, stem
from pluto_duck_text2sql.tree import Agg, Col, Expr, Query, columns_in
from pluto_duck_text2sql.trees.parts import swapped

_DEAR = Pattern(r"\b(?:(?:most|least|more|less) expensive|priciest|dearest|cheap(?:est|er))\b", re.IGNORECASE)
_SAYS_COST = Pattern(r"\bcost", re.IGNORECASE)
_COST, _PRICE = stem("cost"), stem("price")
_PAID = Pattern(r"\b(?:best|highest|top|worst|lowest|least)[ -]paid\b", re.IGNORECASE)
_SHARED = 2
_PAY = frozenset(map(stem, "salary wage pay income compensation".split()))


def by_price(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree sorted by the one price of its rows where it is sorted by their cost, of which nothing is said."""
    by = query.order[0].by if query.order else None
    table = catalog.table(*by.table) if isinstance(by, Col) else None
    if table is None or not isinstance(by, Col) or not _DEAR.search(question) or _SAYS_COST.search(question):
        return query
    prices = [each.name for each in table.columns if each.kind == "number" and _PRICE in table.stems(each.name)]
    is_cost = _COST in table.stems(by.name) and _PRICE not in table.stems(by.name)
    return swapped(query, by, Col(table.key, prices[0])) if is_cost and len(prices) == 1 else query


def by_pay(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree sorted by the one pay that its rows keep, by its mean where they are grouped, for those paid best."""
    by = query.order[0].by if query.order and _PAID.search(question) else None
    table = catalog.table(*query.anchor) if by is not None else None
    if by is None or table is None or (query.group and not _PAY.isdisjoint(_last_words(by))):
        return query
    pays = [each.name for each in table.columns if each.kind == "number" and table.stems(each.name)[-1:][0] in _PAY]
    if len(pays) != 1:
        return query
    pay, shown = Col(table.key, pays[0]), query.select[0]
    if query.group or len(query.select) != 1 or not _is_shared(shown, table):
        return swapped(query, by, Agg("avg", pay) if query.group else pay)
    return replace(query, group=(shown,), order=(replace(query.order[0], by=Agg("avg", pay)),))


def _is_shared(shown: Expr, table: Table) -> bool:
    """Whether many rows have the same of what is shown: departments, and no names."""
    column = table.column(shown.name) if isinstance(shown, Col) and shown.table == table.key else None
    return column is not None and (column.n_distinct or 0) * _SHARED < (table.row_count or 0)


def _last_words(by: Expr) -> set[str]:
    """The last word of each column that an expression is of."""
    return {each for column in columns_in(by) if isinstance(column, Col) for each in name_stems(column.name)[-1:]}
