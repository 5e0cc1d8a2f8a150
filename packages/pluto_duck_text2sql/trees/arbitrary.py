"""Values that a group's rows need not share: `revenue by channel, with the country` of whichever customer comes first.

Called by `pool` for each tree before it is written: one that shows such a value is no reading. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.tree import Col, Query, TableKey


def shows_any(query: Query, catalog: Catalog, joins: JoinGraph) -> bool:
    """Whether it shows of each group what its keys do not tell."""
    shown = {each.table for each in query.select if isinstance(each, Col) and each not in query.group}
    if not query.group or not shown:
        return False
    told = set(_told(query, catalog, joins))
    return any(not _is_told(table, told, joins) for table in shown)


def _told(query: Query, catalog: Catalog, joins: JoinGraph) -> Iterator[TableKey]:
    """The tables of which each group has one row: its keys tell the rows apart, or point at one."""
    keys = [each for each in query.group if isinstance(each, Col)]
    ends = [*keys, *(end for each in keys if (end := joins.pointed(each)) != each)]
    for key in dict.fromkeys(each.table for each in ends):
        table = catalog.table(*key)
        names = {each.name.casefold() for each in ends if each.table == key}
        if table and (_is_whole_key(table, names) or any(_is_unique(table, each) for each in names)):
            yield key


def _is_whole_key(table: Table, names: set[str]) -> bool:
    return bool(table.primary_key) and {each.casefold() for each in table.primary_key} <= names


def _is_unique(table: Table, name: str) -> bool:
    column = table.column(name)
    return column is not None and column.n_distinct is not None and column.n_distinct == table.row_count


def _is_told(table: TableKey, told: set[TableKey], joins: JoinGraph) -> bool:
    """Whether one row of a told table has one row of this one."""
    paths = (joins.path(each, table) for each in told)
    return table in told or any(path is not None and not any(step.multiplies for step in path) for path in paths)
