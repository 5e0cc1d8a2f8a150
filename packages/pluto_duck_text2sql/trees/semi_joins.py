"""Conditions on tables that would multiply the rows asked for, as EXISTS: a semi-join keeps each row once."""

from __future__ import annotations

from dataclasses import replace

from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.tree import Cond, Query, Related, TableKey, columns_in


def with_semi_joins(query: Query, joins: JoinGraph) -> Query:
    """Conditions on tables that would multiply the anchor's rows become Related, unless what is shown needs these rows:
    pets with a visit in 2024 by clinic, by the clinic of that visit."""
    shown = {each.table for part in (query.select, query.group, query.order, query.having) for each in columns_in(part)}
    on_the_way = {step.target for step in joins.tree(query.anchor, shown, query.through) or ()}
    kept: list[Cond] = []
    related: dict[TableKey, list[Cond]] = {}
    for condition in query.where:
        tables = {each.table for each in columns_in(condition)} - shown - {query.anchor}
        table = next(iter(tables), None)
        path = joins.path(query.anchor, table) if table and len(tables) == 1 else None
        via_shown = path and any(step.multiplies and step.target in shown for step in path)
        if table and path and any(step.multiplies for step in path) and not via_shown and table not in on_the_way:
            related.setdefault(table, []).append(condition)
        else:
            kept.append(condition)
    return replace(query, where=(*kept, *(Related(table, tuple(each)) for table, each in related.items())))
