"""A row's own amount once, not once for each of its parts: the mean revenue of orders is over orders, not their lines.

Called by `corrections` for every tree. A table that is only joined as well, of which a row has many, is left out where
a sum or mean is of the row's own amounts.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.tree import Agg, Col, Expr, Inside, Query, TableKey, columns_in

_WEIGHED = ("sum", "avg", "median", "stddev", "quantile")


def once_each(query: Query, joins: JoinGraph) -> Query:
    """The tree without joins that only repeat the rows whose amounts it takes together."""
    weighed = [each for each in query.select if isinstance(each, Agg) and each.function in _WEIGHED]
    own = weighed and all(isinstance(each.of, Col) and each.of.table == query.anchor for each in weighed)
    if not own or not query.also:
        return query
    used = {each.table for each in columns_in(replace(query, also=()))}
    kept = tuple(each for each in query.also if not _repeats(each, query.anchor, used, joins))
    return replace(query, also=kept)


def each_value_once(query: Query) -> Query:
    """`how many towns have more than three wells`: of the values that a query finds by group each is counted once."""
    found = {each.left for each in query.where if isinstance(each, Inside) and each.left in each.query.group}
    select = tuple(_apart(each, found) for each in query.select) if found else query.select
    return query if select == query.select else replace(query, select=select)


def _apart(shown: Expr, found: Collection[Col]) -> Expr:
    is_count = isinstance(shown, Agg) and shown.function == "count" and shown.of in found
    return replace(shown, distinct=True) if is_count and isinstance(shown, Agg) else shown


def _repeats(key: TableKey, anchor: TableKey, used: set[TableKey], joins: JoinGraph) -> bool:
    return key != anchor and key not in used and joins.belongs(key, anchor)
