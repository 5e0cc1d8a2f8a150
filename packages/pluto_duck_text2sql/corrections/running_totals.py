"""Totals so far that rows keep beside what is new in each: `deaths by month` adds up `new_deaths`, no `total_deaths`.

Called by `corrections` for every tree. What is so far holds what came before, and no sum of it means anything.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Column
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.tree import Agg, Col, Query, mapped, nodes_in

_SO_FAR = frozenset(map(stem, "total cumulative cum running accumulated".split()))
_NEW = frozenset(map(stem, "new daily".split()))
_MANY_TIMES = 5
"""What adds up is that much greater in the end than the most that was new: total users of a day are hardly more."""


def of_new_ones(query: Query, catalog: Catalog) -> Query:
    """The tree with sums of what is new in place of sums of what there was so far, by which nothing is grouped then."""
    sums = [each for each in nodes_in(query) if isinstance(each, Agg) and each.function == "sum"]
    found = {each.of: new for each in sums if isinstance(each.of, Col) and (new := _new(each.of, catalog))}
    if not found:
        return query
    group = tuple(each for each in query.group if each not in found)
    order = tuple(each for each in query.order if each.by not in found)

    def summed(node: Any) -> Any:
        is_sum = isinstance(node, Agg) and node.function == "sum"
        return replace(node, of=found.get(node.of, node.of)) if is_sum else node

    return mapped(replace(query, group=group, order=order), summed, (Agg,))


def _new(so_far: Col, catalog: Catalog) -> Col | None:
    """The column of what is new beside one of what there was so far."""
    table = catalog.table(*so_far.table)
    first, *rest = (table.stems(so_far.name) if table else ()) or ("",)
    known = table.column(so_far.name) if table and table.has_times else None
    if table is None or known is None or first not in _SO_FAR or not rest:
        return None
    numbers = [each for each in table.columns if each.kind == "number" and _adds_up(known, each)]
    names = ((each.name, table.stems(each.name)) for each in numbers)
    new = next((each for each, stems in names if stems[:1] and stems[0] in _NEW and list(stems[1:]) == rest), None)
    return Col(table.key, new) if new else None


def _adds_up(so_far: Column, new: Column) -> bool:
    """Whether what there was in the end is so many times the most that was new."""
    known = all(isinstance(each.maximum, int | float | Decimal) for each in (so_far, new))
    return known and so_far.maximum >= _MANY_TIMES * new.maximum
