"""Whether an aggregate counts each row once, in the joins that its query needs. Pure: a tree and the join graph in."""

from __future__ import annotations

from collections.abc import Iterable

from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.tree import Agg, Expr, Nested, Query, Rows, TableKey, columns_in, is_total, nodes_in


def repeats(joins: JoinGraph, table: TableKey, others: Iterable[TableKey]) -> bool:
    """Whether joining the others to a table repeats its rows, or no key leads to them."""
    steps = joins.tree(table, others)
    return steps is None or any(step.multiplies for step in steps)


def mixed(measure: Expr, joins: JoinGraph) -> str:
    """Why the parts of a measure cannot be computed of one join; nothing where they can."""
    home = next(columns_in(measure)).table
    tables = list(dict.fromkeys(each.table for each in columns_in(measure)))
    for agg in [each for each in nodes_in(measure) if isinstance(each, Agg)]:
        own = next(columns_in(agg.of)).table
        if own != home and not isinstance(agg.of, Rows):
            return f"its parts are of {home[1]} and of {own[1]}, and joined they would count rows again"
    if repeats(joins, home, tables):
        return f"joined with {' and '.join(each[1] for each in tables[1:])}, rows of {home[1]} would count again"
    return ""


def counted_again(query: Query, joins: JoinGraph) -> str:
    """Why a query's groups make an aggregate count rows again; nothing where they do not."""
    keys = [*query.group, *(each for each in query.select if not is_total(each))]
    tables = {each.table for each in columns_in(tuple(keys))}
    for agg in [each for each in nodes_in((query.select, query.having, query.order)) if isinstance(each, Agg)]:
        if isinstance(agg.of, Nested):
            return counted_again(agg.of.query, joins)
        own = next(columns_in(agg.of)).table
        if not _is_steady(agg) and repeats(joins, own, tables):
            others = ", ".join(sorted(each[1] for each in tables - {own}))
            return f"a row of {own[1]} would count again for each row of {others}"
    return ""


def _is_steady(agg: Agg) -> bool:
    """Whether rows that come again change nothing: extremes, and what counts each row once."""
    counts_once = agg.function == "count" and (agg.distinct or isinstance(agg.of, Rows))
    return counts_once or agg.function in ("min", "max")
