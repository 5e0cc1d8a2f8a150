"""Metrics that others define (dbt): which of them a query computes, whatever words asked for it.

A metric whose name the data has itself, for the same measure (`orders`, `revenue`), is no term: the table or column
is found by its name, also where the definition reaches no further. What is computed is told all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.language.words import name_stems, table_stems
from pluto_duck_text2sql.tree import Agg, Col, Every, Expr, Query, Ratio, Rows, all_nodes_in, columns_in
from pluto_duck_text2sql.trees.render import render
from pluto_duck_text2sql.trees.term import Term


def says_itself(stems: tuple[str, ...], measure: Expr | None) -> bool:
    """Whether a table or column of this name has this measure: its rows counted, its sum."""
    match measure:
        case Agg("count", Rows(table), False, ()):
            return table_stems(table[1]) == stems
        case Agg("sum", Col(_, name), False, ()):
            return name_stems(name) == stems
    return False


def definition(measure: Expr, catalog: Catalog, joins: JoinGraph) -> str:
    """The query that computes a measure alone; of a ratio over several tables a query of each side, since a join would
    leave out rows of one. Nothing where it is computed over several in another way."""
    tables = {each.table for each in columns_in(measure)}
    if len(tables) == 1:
        return render(Query(tables.pop(), (measure,)), catalog, joins)
    if not isinstance(measure, Ratio):
        return ""
    top, bottom = (definition(each, catalog, joins) for each in (measure.top, measure.bottom))
    scale = f"{measure.scale} * " if measure.scale != 1 else ""
    return f"SELECT {scale}CAST(({top}) AS DOUBLE) / NULLIF(({bottom}), 0)" if top and bottom else ""


def computed(metrics: Iterable[Term], query: Query) -> Iterator[Term]:
    """The metrics that a query computes; of one that is part of another that it computes only the latter."""
    nodes = list(all_nodes_in(query))
    wheres = [each for node in nodes if isinstance(node, Query) for each in _flat(node.where)]
    found = [each for each in metrics if each.measure and _is_among(each.measure, nodes, wheres)]
    for each in found:
        others = [other.measure for other in found if other is not each and other.measure != each.measure]
        if not any(each.measure in _parts(other) for other in others):
            yield each


def _is_among(measure: Expr, nodes: list[Any], wheres: list[Any]) -> bool:
    """As it is, or with its conditions on the whole query."""
    if measure in nodes:
        return True
    bare = replace(measure, where=()) if isinstance(measure, Agg) and measure.where else None
    return bare in nodes and all(each in wheres for each in _flat(measure.where)) if isinstance(measure, Agg) else False


def _flat(conditions: Iterable[Any]) -> list[Any]:
    return [part for each in conditions for part in (each.all_of if isinstance(each, Every) else (each,))]


def _parts(measure: Expr | None) -> list[Any]:
    return list(all_nodes_in(measure))[1:]
