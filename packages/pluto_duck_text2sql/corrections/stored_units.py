"""Numbers in the unit that a column keeps: `two hours` are 7,200 where seconds are kept, `40 million` 40 of millions.

Called by `corrections` for every tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.quantities import spoken
from pluto_duck_text2sql.language.words import Token, tokenise
from pluto_duck_text2sql.tree import Agg, Col, Compare, Query, mapped
from pluto_duck_text2sql.trees.units import as_stored, in_named_scale, is_span, unit_said

_REMEMBERED = 64


def in_stored_units(query: Query, question: str, catalog: Catalog) -> Query:
    """`longer than two hours`: 7,200 where seconds are kept."""
    said = dict(_spans_said(question))
    query = mapped(query, partial(_in_named_scale, catalog=catalog), (Compare,))
    return mapped(query, partial(_stored, said=said, catalog=catalog), (Compare,)) if said else query


def _in_named_scale(node: Any, catalog: Catalog) -> Any:
    """`more than 40 million` of a column that is counted in millions."""
    left = node.left if isinstance(node, Compare) else None
    left = left.of if isinstance(left, Agg) and left.function != "count" else left
    column = catalog.column(*left.table, left.name) if isinstance(left, Col) else None
    if column is None or isinstance(node.right, bool) or not isinstance(node.right, int | float):
        return node
    made = in_named_scale(node.right, column)
    return node if made == node.right else replace(node, right=made)


def _stored(node: Any, said: dict[float, str], catalog: Catalog) -> Any:
    if not isinstance(node, Compare) or not isinstance(node.left, Col) or isinstance(node.right, bool | str):
        return node
    column = catalog.column(*node.left.table, node.left.name)
    unit = said.get(float(node.right)) if isinstance(node.right, int | float) else None
    if column is None or unit is None or column.kind != "number":
        return node
    made = as_stored(float(node.right), unit, column)
    return node if made == node.right else replace(node, right=made)


@lru_cache(maxsize=_REMEMBERED)
def _spans_said(question: str) -> tuple[tuple[float, str], ...]:
    """The numbers of a question after which a unit of time is said, each with it."""
    return tuple(_spans(tokenise(question)))


def _spans(tokens: Sequence[Token]) -> Iterator[tuple[float, str]]:
    for place in range(len(tokens)):
        number = spoken(tokens, place)
        unit = unit_said(tokens[number[0]].lower) if number and number[0] < len(tokens) else ""
        if number and is_span(unit):
            yield number[1], unit
