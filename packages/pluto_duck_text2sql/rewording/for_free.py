"""What cost nothing: `enrolments that were free of charge`, `repairs done for free`, as those with a price of 0.

Those that were `not free of charge` have one above it.

Called by `rewordings`, where the rows that are named keep one amount that they cost, it is 0 for some of them, and none
of their columns or values is called free.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import name_words, stem, table_stems, tokenise

_FREE = Pattern(
    r"\b(?:(?:that|which) )?(?P<never>never )?(?:(?:is|are|was|were) )?(?P<not>(?:not|never) )?"
    r"(?:(?:been|came|done|given|offered) )?(?:completely |entirely |totally )?"
    r"(?:free of charge|for free|at no (?:cost|charge)|free of cost)\b"
    r"|\b(?:(?:that|which) )?(?:cost|costs|costing) nothing\b",
    re.IGNORECASE,
)
_MOST = 50
_COSTS = frozenset(map(stem, "price fee amount cost charge charged paid total fare".split()))


def as_of_no_price(question: str, catalog: Catalog) -> str:
    """The question with such rows as those with a price of 0; itself where it says no such, or that is not kept."""
    if not _FREE.search(question):
        return question
    prices = list(_prices(question, catalog))
    if len(prices) != 1:
        return question
    return tidy(_FREE.sub(lambda said: f"with {prices[0]} {_than(said)} 0", question))


def _than(said: re.Match[str]) -> str:
    """How the price of such rows is to 0."""
    return "above" if said["not"] or said["never"] else "of"


def _prices(question: str, catalog: Catalog) -> Iterator[str]:
    """What the rows named cost, as it is called."""
    said = {token.stem for token in tokenise(question)}
    for table in catalog.tables:
        if not said.isdisjoint(table_stems(table.name)[-1:]) and not _says_free(table, catalog):
            yield from (" ".join(name_words(each.name)) for each in table.columns if _is_price(each, table))


def _says_free(table: Table, catalog: Catalog) -> bool:
    stored = any((hit.schema, hit.table) == table.key for hit in catalog.values.lookup("free", _MOST))
    return stored or any(stem("free") in table.stems(each.name) for each in table.columns)


def _is_price(column: Column, table: Table) -> bool:
    return column.kind == "number" and column.minimum == 0 and not _COSTS.isdisjoint(table.stems(column.name))
