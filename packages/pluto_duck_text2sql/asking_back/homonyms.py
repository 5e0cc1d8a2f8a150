"""Another table that has all that is asked: `company names in Germany` are customers', and suppliers' as well.

Called by `doubts` with its best reading. A table whose name no word of the question names, and whose columns in the
reading are called alike in a second table that nothing names either, may be meant as well as that one: `how many are
in Brazil` are airports, and airlines as well. Such a reading is an equal where it needs no more joins, runs, and finds
other rows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np

from pluto_duck_text2sql.asking_back.ambiguity import Doubt, are_same_key, reach
from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.learned.explain import naming_words, said_words
from pluto_duck_text2sql.learned.graph import Graph
from pluto_duck_text2sql.pool import Entry, Run, tried
from pluto_duck_text2sql.tree import Col, Query, TableKey
from pluto_duck_text2sql.trees.facts import Facts
from pluto_duck_text2sql.trees.parts import moved


def homonym(
    graph: Graph, best: Entry, catalog: Catalog, joins: JoinGraph, run: Run | None, named: Collection[TableKey]
) -> Doubt | None:
    """The reading over a second table that fits as well as the best, if there is one; `named`: the tables that words
    name."""
    if run is None or not best.rows:
        return None
    for column, other, query in _others(graph, best.query, catalog, joins, named):
        entry = tried(query, catalog, joins, run)
        if entry and _has_values(entry.rows) and not entry.finds_as(best) and reach(entry, joins) <= reach(best, joins):
            return Doubt(_said(graph, column, other), column, other, entry, True)
    return None


def _are_one(column: Col, other: Col, joins: JoinGraph) -> bool:
    """Whether keys make them the same, so that nobody means the one rather than the other."""
    return are_same_key(column, other, joins) or _leads_to(column, other, joins) or _leads_to(other, column, joins)


def _leads_to(column: Col, other: Col, joins: JoinGraph) -> bool:
    """Whether a column points at the other as its key, so that nobody means the one rather than the other."""
    return joins.is_key(other) and joins.pointed(column) == other


def _has_values(rows: list[tuple[Any, ...]] | None) -> bool:
    return any(cell not in (None, 0) for row in rows or () for cell in row)


def _others(
    graph: Graph, query: Query, catalog: Catalog, joins: JoinGraph, named: Collection[TableKey]
) -> Iterator[tuple[Col, Col, Query]]:
    """The query over a second table, with one of the columns that change, no key to the same, and what it becomes."""
    facts = Facts.of(query)
    used = {each.table for each in facts.columns} | {query.anchor}
    for key in sorted(used.difference(named)):
        mine = list(dict.fromkeys(each for each in facts.columns if each.table == key))
        table = catalog.table(*key)
        for other in catalog.tables if table and mine else ():
            columns = _alike(table, other, mine) if other.key not in used.union(named) else None
            apart = [each for each in mine if columns and not _are_one(each, columns[each], joins)]
            said = next((each for each in apart if columns and _said(graph, each, columns[each])), None)
            if columns and said:
                yield said, columns[said], moved(query, key, other.key, columns)


def _alike(table: Table | None, other: Table, columns: Collection[Col]) -> dict[Col, Col] | None:
    """What each column is in the other table; None where one is not there."""
    by_stems = {other.stems(column.name): column.name for column in other.columns}
    names = {each: by_stems.get(table.stems(each.name)) if table else None for each in columns}
    return {each: Col(other.key, name) for each, name in names.items() if name} if all(names.values()) else None


def _said(graph: Graph, column: Col, other: Col) -> str:
    """The words that name a column, or a value that it and the other one hold; empty where there are none."""
    words, columns, *_ = graph.sizes
    node = next((words + n for n in range(columns) if graph.column(n) == column), None)
    said = naming_words(graph, np.flatnonzero(graph.relations[:words, node])) if node is not None else ""
    held = (each for each in graph.values if column in each.stored and other in each.stored)
    return said or next((said_words(graph, np.arange(each.start, each.end)) for each in held), "")
