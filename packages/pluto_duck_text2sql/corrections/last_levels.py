"""What a level comes to over many days is that on the last: `total balance`, `total balance in June 2026`.

Called by `corrections` for every tree over snapshots (data/snapshots.py). By periods: plans/levels_at.py.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from pluto_duck_text2sql.data.snapshots import Snapshot
from pluto_duck_text2sql.tree import Agg, Bucket, Compare, During, Query, columns_in, nodes_in


def as_of_last_day(query: Query, snapshots: Sequence[Snapshot]) -> Query:
    """The sum of a level on the last day there is, or the last of a period."""
    sums = {each.of for each in nodes_in(query.select) if isinstance(each, Agg) and each.function == "sum"}
    found = next((each for each in snapshots if each.level in sums), None)
    if found is None or any(isinstance(each, Bucket) or each == found.date for each in query.group):
        return query
    spans = [each for each in query.where if found.date in set(columns_in(each))]
    if any(not isinstance(each, During) or each.end - each.start <= dt.timedelta(days=1) for each in spans):
        return query
    rest = tuple(each for each in query.where if each not in spans)
    last = Query(found.date.table, (Agg("max", found.date),), tuple(spans))
    return replace(query, where=(*rest, Compare(found.date, "=", last)))
