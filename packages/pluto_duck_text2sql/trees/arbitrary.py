"""Values that a group's rows need not share: `revenue by channel, with the country` of whichever customer comes first.

Called by `pool` for each tree before it is written: one that shows such a value is no reading. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.joins import JoinGraph, tells_apart
from pluto_duck_text2sql.tree import Col, Inside, Query, TableKey, all_nodes_in


def shows_any(query: Query, catalog: Catalog, joins: JoinGraph) -> bool:
    """Whether it, or a query that it looks for values in, shows of each group what its keys do not tell."""
    within = (each.query for each in all_nodes_in(query) if isinstance(each, Inside))
    return any(_shows_any(each, catalog, joins) for each in (query, *within))


def _shows_any(query: Query, catalog: Catalog, joins: JoinGraph) -> bool:
    shown = {each.table for each in query.select if isinstance(each, Col) and each not in query.group}
    if not query.group or not shown:
        return False
    told = set(_told(query, catalog, joins))
    return not all(any(joins.reaches(each, of) and not joins.belongs(of, each) for each in told) for of in shown)


def _told(query: Query, catalog: Catalog, joins: JoinGraph) -> Iterator[TableKey]:
    """The tables of which each group has one row: its keys tell the rows apart, as far as is known, or point at one."""
    keys = [each for each in query.group if isinstance(each, Col)]
    yield from (end.table for each in keys if (end := joins.pointed(each)) != each)
    for key in dict.fromkeys(each.table for each in keys):
        table, names = catalog.table(*key), [each.name for each in keys if each.table == key]
        if table and (_is_whole_key(table, names) or any(tells_apart(table, each) for each in names)):
            yield key


def _is_whole_key(table: Table, names: Sequence[str]) -> bool:
    return bool(table.primary_key) and {*map(str.casefold, table.primary_key)} <= {*map(str.casefold, names)}
