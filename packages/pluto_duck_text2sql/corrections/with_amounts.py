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
    if not isinstance(node, Related | Inside):
        return node
    of = node.query if isinstance(node, Inside) else node
    table = of.anchor if isinstance(of, Query) else of.table
    is_any = not of.where and not getattr(of, "count", None) and not getattr(of, "having", ())
    is_said = spoken.issuperset(table_stems(table[1]))
    amount = None if is_said or not is_any else _amount(table, what, catalog)
    if amount is None:
        return node
    some = replace(of, where=(Compare(amount, ">", 0),))
    return replace(node, query=some) if isinstance(node, Inside) else some


def _amount(key: TableKey, what: str, catalog: Catalog) -> Col | None:
    """The number of a table that is called by a word, which every row has, some of them none of."""
    table = catalog.table(*key)
    numbers = [each for each in table.columns if each.kind == "number" and each.minimum == 0] if table else []
    called = [each for each in numbers if what in name_stems(each.name) and not each.null_fraction]
    return Col(key, called[0].name) if len(called) == 1 else None
