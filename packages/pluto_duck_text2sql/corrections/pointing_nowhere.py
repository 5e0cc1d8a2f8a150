"""What points at none: customers who `don't have a sales rep` lack the key that is called so, and are held to nothing
of the employees that it would point at.

Called by `corrections` for every tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Among, Col, Compare, Cond, Missing, Query, TableKey, columns_in

_HAS_NO = Pattern(
    r"\b(?:(?:have|has|had|having|with) no|(?:(?:do|does|did) not|(?:do|does|did)n['’]t) have(?: an?| any)?"
    r"|without(?: an?| any)?|lack(?:s|ing)?(?: an?)?) (?P<what>[a-z]+(?: [a-z]+)*)",
    re.IGNORECASE,
)


def pointing_nowhere(query: Query, question: str, catalog: Catalog, joins: JoinGraph) -> Query:
    """The tree with the key missing that is called as the value it denies; without conditions on what rows reach only
    by a key that has to be missing."""
    where = tuple(_keyless(each, query, question, catalog, joins) for each in query.where)
    query = query if where == query.where else replace(query, where=where)
    keys = [each.left for each in query.where if isinstance(each, Missing) and not each.negated]
    nowhere = {
        joins.pointed(each).table: each for each in keys if isinstance(each, Col) and joins.pointed(each) != each
    }
    shown = {each.table for each in columns_in((query.select, query.group, query.order))}
    gone = {table for table, key in nowhere.items() if table not in shown and _is_only_way(key, table, joins)}
    kept = tuple(each for each in query.where if not _is_of(each, gone))
    return query if kept == query.where else replace(query, where=kept)


def _keyless(condition: Cond, query: Query, question: str, catalog: Catalog, joins: JoinGraph) -> Cond:
    """`have no sales rep` as a missing key, where it was read as a title that is another one."""
    if not isinstance(condition, Compare) or condition.operator != "!=" or not isinstance(condition.left, Col):
        return condition
    value = str(condition.right)
    denied = (said["what"].lower() for said in _HAS_NO.finditer(question))
    if not any(each.startswith(value.lower()) for each in denied):
        return condition
    found = list(_keys_called(value, query.anchor, condition.left.table, catalog, joins))
    return Missing(found[0]) if len(found) == 1 else condition


def _keys_called(value: str, of: TableKey, to: TableKey, catalog: Catalog, joins: JoinGraph) -> Iterator[Col]:
    """The keys of a table that point at another one and hold all words of a value in their name."""
    table = catalog.table(*of)
    for column in table.columns if table else ():
        key = Col(of, column.name)
        if table and joins.pointed(key).table == to != of and {*table.stems(value)} <= {*table.stems(column.name)}:
            yield key


def _is_only_way(key: Col, table: TableKey, joins: JoinGraph) -> bool:
    """Whether the rows that keep the key reach the table by it and no other way that is as short."""
    path = joins.path(key.table, table) or ()
    return len(path) == 1 and path[0].pairs[0][0] == key.name


def _is_of(condition: Cond, tables: set[TableKey]) -> bool:
    """Whether a condition holds a value of one of the tables to something."""
    if not isinstance(condition, Compare | Among) or not isinstance(condition.left, Col):
        return False
    return condition.left.table in tables
