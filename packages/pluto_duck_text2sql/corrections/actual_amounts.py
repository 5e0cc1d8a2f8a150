"""Amounts as they came, not as they were planned: `campaigns that have spent more than 2,000` by `spend`, not by
`planned_spend` of another table.

Called by `corrections` for every tree. Only where one other column is called by the rest of the planned one's name, and
the question speaks of no plan. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, stem
from pluto_duck_text2sql.tree import Agg, Col, Query, all_nodes_in
from pluto_duck_text2sql.trees.parts import swapped

_PLANNED = frozenset(
    map(stem, "planned plan budget budgeted target forecast forecasted expected projected estimated".split())
)
_OF_PLANS = Pattern(
    r"\b(?:plan(?:s|ned)?|budget\w*|target\w*|forecast\w*|expect\w*|project(?:ed|ion)\w*|estimat\w*|goals?)\b",
    re.IGNORECASE,
)


def as_it_came_in(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree with each planned amount as the one that came about."""
    if _OF_PLANS.search(question) or query.then:
        return query
    for planned in dict.fromkeys(_planned_sums(query)):
        actual = _actual(planned, catalog)
        if actual is not None:
            query = swapped(query, planned, actual)
            query = replace(query, anchor=actual.table) if query.anchor == planned.table else query
    return query


def _planned_sums(query: Query) -> Iterator[Col]:
    """The columns added up that are called planned."""
    for each in all_nodes_in(query):
        of = each.of if isinstance(each, Agg) and each.function in ("sum", "avg") else None
        if isinstance(of, Col) and not _PLANNED.isdisjoint(name_stems(of.name)):
            yield of


def _actual(planned: Col, catalog: Catalog) -> Col | None:
    """The one column of numbers that is called by the rest of the name."""
    rest = tuple(each for each in name_stems(planned.name) if each not in _PLANNED)
    found = [
        Col(table.key, column.name)
        for table in catalog.tables
        for column in table.columns
        if rest and column.kind == "number" and name_stems(column.name) == rest
    ]
    return found[0] if len(found) == 1 else None
