"""Amounts in several currencies are taken together as they were converted: `Amount` in that of each row, `Converted
Amount` or `salary_in_usd` in one.

Called by `corrections` for every tree. By currency, or of one alone, the amounts are left as they were paid.
"""

from __future__ import annotations

import re
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.tree import Agg, Col, Query, all_nodes_in, columns_in, mapped

_CURRENCY = stem("currency")
_CONVERTED = frozenset(map(stem, "converted normalized normalised base".split()))
_CODES = frozenset("usd eur gbp chf jpy cad aud".split())
_OWN = Pattern(r"\b(?:original|own|local|own currency|unconverted)\b", re.IGNORECASE)


def in_one_currency(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree with converted amounts where it takes those of several currencies together."""
    table = catalog.table(*query.anchor)
    pairs = _pairs(table) if table and not _OWN.search(question) else {}
    if not pairs or any(_is_of_currency(each, catalog) for each in columns_in((query.group, query.where))):
        return query

    def converted(node: Any) -> Any:
        return pairs.get(node, node) if isinstance(node, Col) else node

    named = {each for each in columns_in(query.group) if isinstance(each, Col)}
    figures = [
        each
        for each in all_nodes_in(query)
        if isinstance(each, Agg) and not pairs.keys().isdisjoint(columns_in(each.of))
    ]
    is_taken = bool(figures or query.order)
    return mapped(query, converted) if is_taken and named.isdisjoint(pairs) else query


def _pairs(table: Table) -> dict[Col, Col]:
    """The amounts of several currencies with what each was converted to."""
    kinds = [each for each in table.columns if table.stems(each.name)[-1:] == (_CURRENCY,) and each.kind == "text"]
    if not any((each.n_distinct or 0) > 1 for each in kinds):
        return {}
    stems = {table.stems(each.name): each.name for each in table.columns if each.kind == "number"}
    found = ((name, unconverted(own)) for own, name in stems.items())
    return {
        Col(table.key, stems[plain]): Col(table.key, name)
        for name, plain in found
        if plain in stems and stems[plain] != name
    }


def unconverted(stems: tuple[str, ...]) -> tuple[str, ...]:
    """What an amount is called without saying that, or to what, it was converted."""
    kept = tuple(each for each in stems if each not in _CONVERTED and each not in _CODES and each != "in")
    return kept if kept != stems else ()


def _is_of_currency(column: Any, catalog: Catalog) -> bool:
    table = catalog.table(*column.table) if isinstance(column, Col) else None
    return table is not None and _CURRENCY in table.stems(column.name)
