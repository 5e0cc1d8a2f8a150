"""A row's own amount once, not once for each of its parts: the mean revenue of orders is over orders, not their lines.

Called by `corrections` for every tree. A table that is only joined as well, of which a row has many, is left out where
a sum or mean is of the row's own amounts.
"""

from __future__ import annotations

from dataclasses import replace

from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.tree import Agg, Col, Query, TableKey, columns_in

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


def _repeats(key: TableKey, anchor: TableKey, used: set[TableKey], joins: JoinGraph) -> bool:
    return key != anchor and key not in used and joins.belongs(key, anchor)
