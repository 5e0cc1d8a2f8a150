"""Rows that have some of an amount which rows of theirs keep: `orders with a discount` have a line less a discount, not
any line.

Called by `corrections` for every tree.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, spoken_stems, stem, table_stems, tokenise
from pluto_duck_text2sql.tree import Col, Compare, Inside, Query, Related, TableKey, mapped

_HAVING = Pattern(
    r"\b(?:with(?:out)?|have|has|had|having|come|came|got|get)\b(?: (?:with|an?|any|some|no))* (?P<what>[a-z]+)\b",
    re.IGNORECASE,
)


def with_amounts(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree with rows that have some of the amount that is said, where it asks for any row that keeps such."""
    said = _HAVING.search(question)
    if said is None:
        return query
    spoken = spoken_stems(tokenise(question))
    put = partial(_with_some, what=stem(said["what"].lower()), spoken=spoken, catalog=catalog)
    made: Query = mapped(query, put, (Related, Inside))
    return made


def _with_some(node: Any, what: str, spoken: frozenset[str], catalog: Catalog) -> Any:
    """A condition that any row will meet, as that it has more than none of the amount that is called so."""
    table = node.table if isinstance(node, Related) else node.query.anchor if isinstance(node, Inside) else None
    of = node.query if isinstance(node, Inside) else node
    if table is None or of.where or getattr(of, "count", None) or getattr(of, "having", ()):
        return node
    amount = None if spoken.issuperset(table_stems(table[1])) else _amount(table, what, catalog)
    some = (Compare(amount, ">", 0),) if amount else ()
    return replace(node, query=replace(node.query, where=some)) if isinstance(node, Inside) else replace(of, where=some)


def _amount(key: TableKey, what: str, catalog: Catalog) -> Col | None:
    """The number of a table that is called by a word, which every row has, some of them none of."""
    table = catalog.table(*key)
    numbers = [each for each in table.columns if each.kind == "number" and each.minimum == 0] if table else []
    called = [each for each in numbers if what in name_stems(each.name) and not each.null_fraction]
    return Col(key, called[0].name) if len(called) == 1 else None
