"""Totals so far that rows keep beside what is new in each: `deaths by month` adds up `new_deaths`, no `total_deaths`.

Called by `corrections` for every tree. What is so far holds what came before, and no sum of it means anything.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.tree import Agg, Col, Query, mapped

_SO_FAR = frozenset(map(stem, "total cumulative cum running accumulated".split()))
_NEW = frozenset(map(stem, "new daily weekly monthly".split()))


def of_new_ones(query: Query, catalog: Catalog) -> Query:
    """The tree with sums of what is new in place of sums of what there was so far."""

    def summed(node: Any) -> Any:
        is_sum = isinstance(node, Agg) and node.function == "sum" and isinstance(node.of, Col)
        table = catalog.table(*node.of.table) if is_sum else None
        new = _new(table, node.of.name) if table else None
        return replace(node, of=Col(table.key, new)) if table and new else node

    return mapped(query, summed, (Agg,))


def _new(table: Table, name: str) -> str | None:
    """The column of what is new beside one of what there was so far."""
    first, *rest = table.stems(name) or ("",)
    if first not in _SO_FAR or not rest or not table.has_times:
        return None
    names = ((each.name, table.stems(each.name)) for each in table.columns if each.kind == "number")
    return next((each for each, stems in names if stems[:1] and stems[0] in _NEW and list(stems[1:]) == rest), None)
