"""Prints a query tree as DuckDB's SQL; joins come from the join graph. What prints it is in printing/."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.tree import Bucket, Expr, Query
from pluto_duck_text2sql.trees.row_order import sorted_by
from pluto_duck_text2sql.trees.same_days import by_days


def render(query: Query, catalog: Catalog, joins: JoinGraph) -> str:
    """The query as SQL, of which the same data gives the same rows in the same order. Raises Unreachable.

    Kept with the query: a reading is printed where it is tried, compared and told.
    """
    kept = vars(query).get("_sql")
    if kept is None or kept[0] is not catalog or kept[1] is not joins:
        kept = vars(query)["_sql"] = (catalog, joins, _sql(query, catalog, joins))
    sql: str = kept[2]
    return sql


def _sql(query: Query, catalog: Catalog, joins: JoinGraph) -> str:
    from pluto_duck_text2sql.trees.printing.statement import printed

    query = by_days(query, catalog)
    shown_in_order = query if query.then or query.beside else _with_day_names(sorted_by(query, query.group))
    sql: str = printed(shown_in_order, catalog, joins).sql(dialect="duckdb", pretty=True, copy=False)
    return sql


def _with_day_names(query: Query) -> Query:
    """Days of the week by their names where they are shown; they are sorted and compared as numbers."""
    days = [each for each in query.select if isinstance(each, Bucket) and each.grain == "weekday"]
    names = {} if query.distinct else {each: Bucket("weekday_name", each.of) for each in days}
    group = (*query.group, *(names[each] for each in query.group if isinstance(each, Bucket) and each in names))
    return replace(query, select=tuple(_named_day(each, names) for each in query.select), group=group)


def _named_day(shown: Expr, names: Mapping[Bucket, Bucket]) -> Expr:
    return names.get(shown, shown) if isinstance(shown, Bucket) else shown
