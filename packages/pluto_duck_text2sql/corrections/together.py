"""Two amounts as one: `how much are we owed, fees and fines together` is their sum, no two figures.

Called by `corrections` for every tree that shows both.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, tokenise
from pluto_duck_text2sql.tree import Agg, Col, Order, Plus, Query, mapped

_TOGETHER = Pattern(
    r"\b(?P<one>[a-z]+(?: [a-z]+)?) (?:and|plus) (?:the )?(?P<other>[a-z]+(?: [a-z]+)?)"
    r",? (?:(?:both|taken|put|added|counted) )?(?:together|combined|added up|in one)\b",
    re.IGNORECASE,
)


def added_together(query: Query, question: str) -> Query:
    """The tree with the sum of two amounts in the place of both; as it is where they are not said to be one."""
    found = _TOGETHER.search(question)
    sums = [each for each in query.select if isinstance(each, Agg) and each.function in ("sum", "avg")]
    if found is None or len(sums) != 2 or not _are_said(sums, found):
        return query
    first, second = sums
    if first.function != second.function or first.where != second.where:
        return query
    both = replace(first, of=Plus(first.of, second.of))
    select = tuple(both if each == first else each for each in query.select if each != second)
    order = tuple(Order(both, each.descending) if each.by in sums else each for each in query.order)
    having: Any = mapped(query.having, lambda node: both if node in sums else node)
    return replace(query, select=select, order=tuple(dict.fromkeys(order)), having=having)


def _are_said(sums: list[Agg], found: re.Match[str]) -> bool:
    """Whether the two are what the words name, each by one of them."""
    said = [{token.stem for token in tokenise(found[name])} for name in ("one", "other")]
    names = [{*name_stems(each.of.name)} if isinstance(each.of, Col) else set[str]() for each in sums]
    in_order = said[0] & names[0] and said[1] & names[1]
    turned = said[0] & names[1] and said[1] & names[0]
    tables = {each.of.table for each in sums if isinstance(each.of, Col)}
    return bool(in_order or turned) and len(tables) == 1
