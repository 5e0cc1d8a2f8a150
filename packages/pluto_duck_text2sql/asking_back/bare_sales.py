"""What `sales` are, where nothing says it: the money that came in, which the answer tells, not how often was sold.

Called by `doubts` with the best reading's tree. A question that says an amount (`total sales`, `sales in dollars`), a
number of them, a rank or a course, or whose data or glossary calls something so, leaves nothing open.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem, table_stems, tokenise
from pluto_duck_text2sql.tree import Agg, Expr, Query, all_nodes_in

_SALES = "sales"
_OF_PEOPLE_OR_KINDS = Pattern(
    r"\bsales (?!in\b|by\b|per\b|for\b|from\b|of\b|each\b|on\b|and\b|were\b)\w", re.IGNORECASE
)
_SAID = Pattern(
    r"[$€£%]|\b(?:total|sum|net|gross|average|mean|median|amounts?|values?|revenue|money|cash|dollars?|euros?|worth"
    r"|discounts?|tax|taxes|numbers?|counts?|counted|much|many|volume|units?|figures?|highest|lowest|most|least|best"
    r"|worst|top|bottom|more|less|fewer|share|percentage|percent|growth|grow|change|running|cumulative|rolling|moving)\b",
    re.IGNORECASE,
)


def summed_sales(question: str, query: Query, money: Collection[Expr], catalog: Catalog) -> Agg | None:
    """The sum of money that a tree takes bare `sales` for; None where the question or the data say what they are."""
    totals = {each for each in all_nodes_in(query) if isinstance(each, Agg)}
    said = [token.lower for token in tokenise(question)]
    if _SALES not in said or _SAID.search(question) or _OF_PEOPLE_OR_KINDS.search(question) or len(totals) != 1:
        return None
    total = totals.pop()
    is_of_money = total.function == "sum" and total.of in money
    return total if is_of_money and not any(map(_is_of_sales, catalog.tables)) else None


def _is_of_sales(table: Table) -> bool:
    """Whether a table, or a column of it, is called so."""
    names = (table_stems(table.name), *(table.stems(column.name) for column in table.columns))
    return any(stem(_SALES) in stems for stems in names)
