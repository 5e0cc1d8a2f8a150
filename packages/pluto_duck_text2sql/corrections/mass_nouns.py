"""Amounts of what nobody counts: `how much scrap` is the quantity that was scrapped, not its cost nor its records.

Called by `corrections` for every tree. Where rows are called by a noun in the singular (`scrap`, `waste`) and keep a
quantity of what its verb tells (`qty_scrapped`, `kg_wasted`), the noun alone is that quantity, unless money is asked,
or how often.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, name_words, root, stem, table_stems, tokenise
from pluto_duck_text2sql.tree import Agg, Col, Query, Rows, TableKey, mapped

QUANTITY = frozenset(
    map(stem, "qty quantity amount volume weight kg kilos tons tonnes litres liters units pieces".split())
)
_MONEY = Pattern(
    r"\b(?:cost\w*|money|worth|values?|valued|spen[dt]\w*|prices?|priced|pa(?:y|id|ys)|expens\w*|loss(?:es)?|los[et]"
    r"|budget|euros?|dollars?|pounds?|usd|eur|gbp)\b|[$€£]",
    re.IGNORECASE,
)
_HOW_OFTEN = Pattern(
    r"\b(?:how (?:many|often)|number|counts?|times|records?|entries|events?|cases|incidents?|reports?|rows?|most often"
    r"|most (?:common|frequent)|frequen\w*)\b",
    re.IGNORECASE,
)


def as_quantities(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree with the quantity of each thing that the question speaks of as a mass."""
    if _MONEY.search(question) or _HOW_OFTEN.search(question):
        return query
    masses = dict(_masses(question, catalog))
    said = {token.stem for token in tokenise(question)}
    return mapped(query, partial(_summed, masses=masses, said=said), (Agg,)) if masses else query


def _masses(question: str, catalog: Catalog) -> Iterator[tuple[TableKey, Col]]:
    """The tables that the question calls by a noun in the singular, and the quantity that each keeps of it."""
    said = {found.lower() for found in re.findall(r"[a-z]+", question, re.IGNORECASE)}
    for table in catalog.tables:
        noun = name_words(table.name)[-1:]
        quantities = _quantities(table)
        if noun and noun[0] in said and not noun[0].endswith("s") and len(quantities) == 1:
            yield table.key, quantities[0]


def _quantities(table: Table) -> list[Col]:
    """The amounts of what is done to things that the rows are called after: `qty_scrapped` of scrap."""
    deed = {root(each) for each in table_stems(table.name)[-1:]}
    numbers = ((each, table.stems(each.name)) for each in table.columns if each.kind == "number")
    return [
        Col(table.key, each.name)
        for each, stems in numbers
        if not QUANTITY.isdisjoint(stems) and not deed.isdisjoint(map(root, stems))
    ]


def _summed(node: Any, masses: dict[TableKey, Col], said: set[str]) -> Any:
    """A number of such rows, or another amount of theirs that nothing names, as the quantity."""
    if not isinstance(node, Agg) or node.distinct or not isinstance(node.of, Rows | Col):
        return node
    is_count = node.function == "count" and isinstance(node.of, Rows)
    is_unnamed = node.function == "sum" and isinstance(node.of, Col) and said.isdisjoint(_own_words(node.of))
    of = masses.get(node.of.table)
    return Agg("sum", of, where=node.where) if of and (is_count or is_unnamed) else node


def _own_words(column: Col) -> set[str]:
    """What a column is called besides its table."""
    return set(name_stems(column.name)) - set(table_stems(column.table[1]))
