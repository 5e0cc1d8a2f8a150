"""Rows that are kept in versions count once: `how many products do we have`, `sales by product`, `never sold`.

Where a dimension keeps a new row for each change, others point at the version of their time, and a natural key tells
which versions are of the same thing: it is that by which things are counted, grouped and looked for. Called by
`corrections` for every tree; a question that speaks of versions means the rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Column, ForeignKey, Table
from pluto_duck_text2sql.data.date_names import begins, ends
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.yes_no import is_yes_or_no
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, stem
from pluto_duck_text2sql.tree import Agg, Col, Inside, Query, Related, Rows, TableKey, mapped

_OF_ROWS = Pattern(r"\b(?:versions?|rows?|records?|entries|history|surrogate|changes)\b", re.IGNORECASE)
_CURRENT = stem("current")
_KEYS = frozenset(name_stems("nk bk id key code number no nr sku"))


class Versions:
    """Puts natural keys in place of those of versions, over one catalog."""

    def __init__(self, catalog: Catalog, joins: JoinGraph) -> None:
        self._joins = joins
        keys = {Col((key.ref_schema, key.ref_table), key.ref_columns[0]) for key in _pointing(catalog)}
        dated = ((catalog.table(*each.table), each.name) for each in keys)
        found = ((table, key, _natural(table, key)) for table, key in dated if table)
        self._natural = {Col(table.key, key): Col(table.key, own) for table, key, own in found if own}
        self._of_table: dict[TableKey, Col] = {each.table: each for each in self._natural.values()}

    def applied(self, query: Query, question: str) -> Query:
        """The tree in which versions of the same thing are one."""
        if not self._natural or _OF_ROWS.search(question):
            return query
        made: Query = mapped(query, self._as_one)
        return made

    def _as_one(self, node: Any) -> Any:
        if isinstance(node, Agg) and node.function == "count":
            return self._counted(node)
        if isinstance(node, Query):
            return self._grouped(node)
        return self._sought(node) if isinstance(node, Inside) else node

    def _counted(self, agg: Agg) -> Agg:
        own = self._of_table.get(agg.of.table) if isinstance(agg.of, Rows) else None
        own = own or (self._own(agg.of) if agg.distinct else None)
        return replace(agg, of=own, distinct=True) if own else agg

    def _grouped(self, query: Query) -> Query:
        """The query by natural keys, where it does not show those of versions; of what has none of some, all its
        versions have none."""
        own = {each: made for each in query.group if each not in query.select and (made := self._own(each))}
        group = tuple(dict.fromkeys(own.get(each, each) for each in query.group))
        order = tuple(replace(each, by=own.get(each.by, each.by)) for each in query.order) if own else query.order
        where = tuple(self._none_of(each, query.anchor) for each in query.where)
        distinct = query.distinct or self._lists_versions(query)
        return replace(query, group=group, order=order, where=where, distinct=distinct)

    def _lists_versions(self, query: Query) -> bool:
        """Whether it lists rows that are kept in versions, and no key of theirs."""
        shown = [each for each in query.select if isinstance(each, Col) and each not in self._natural]
        is_list = query.is_plain and not query.group and len(shown) == len(query.select)
        return query.anchor in self._of_table and is_list and {each.by for each in query.order} <= set(shown)

    def _none_of(self, condition: Any, anchor: TableKey) -> Any:
        own = self._of_table.get(anchor)
        is_plain = isinstance(condition, Related) and condition.count is None and condition.table != anchor
        if own is None or not is_plain or not self._joins.belongs(condition.table, anchor):
            return condition
        return Inside(own, Query(condition.table, (own,), condition.where), condition.negated)

    def _sought(self, inside: Inside) -> Inside:
        own, shown = self._own(inside.left), inside.query.select[:1]
        if own is None or not shown or self._own(shown[0]) != own or inside.query.group or inside.query.limit:
            return inside
        return replace(inside, left=own, query=replace(inside.query, select=(own,)))

    def _own(self, column: Any) -> Col | None:
        """The natural key in place of a version's, or of what points at it."""
        return self._natural.get(self._joins.pointed(column)) if isinstance(column, Col) else None


def _pointing(catalog: Catalog) -> Iterator[ForeignKey]:
    return (key for table in catalog.tables for key in table.foreign_keys if len(key.ref_columns) == 1)


def _natural(table: Table, key: str) -> str | None:
    """The key that versions of the same thing share, where a table keeps versions: one begins when the former ends, or
    a flag tells the current one, and all that hold have another. What points at other rows is no key of these."""
    times = [each for each in table.columns if each.is_time]
    last = [each for each in times if ends(table.stems(each.name)) and each.null_fraction]
    first = [each for each in times if begins(table.stems(each.name)) and each not in last]
    flagged = any(_CURRENT in table.stems(each.name) and is_yes_or_no(each) for each in table.columns)
    if len(last) != 1 or len(first) != 1 or not (last[0].meets_next or flagged):
        return None
    pointing = {name for foreign in table.foreign_keys for name in foreign.columns}
    holding = round((last[0].null_fraction or 0) * (table.row_count or 0))
    own = (each for each in table.columns if each.name != key and each.name not in pointing)
    return next((each.name for each in own if _is_shared(each, table, holding)), None)


def _is_shared(column: Column, table: Table, holding: int) -> bool:
    is_key = not _KEYS.isdisjoint(table.stems(column.name)[-1:])
    return is_key and 0 < holding <= (column.n_distinct or 0) < (table.row_count or 0)
