"""A row for each row of the table that a query groups by, also where nothing belongs to it: groups of none.

Those who say so (zeros.py), follow-ups that add a count, and counts of rows beside counts of what belongs to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    Cond,
    Missing,
    Nested,
    Query,
    Related,
    Rows,
    TableKey,
    columns_in,
    is_total,
    mapped,
    nodes_in,
)


def whole(query: Query, joins: JoinGraph) -> Query | None:
    """The query with a row for each row of the table that it groups by, also where nothing belongs to it.

    None where it groups by nothing of a table of its own, or what it counts is not of rows that belong to that.
    """
    inner = [each for each in nodes_in(query.select) if isinstance(each, Nested)]
    if inner:
        made = {each: whole(each.query, joins) for each in inner}
        if not all(made.values()):
            return None
        nested: Query = mapped(query, lambda node: replace(node, query=made[node]) if node in made else node)
        return nested
    if query.is_plain and not any(map(is_total, query.select)):
        return _listed(query, joins)
    of = _grouped_by(query, joins)
    return _from(query, of, joins) if of else None


def _listed(query: Query, joins: JoinGraph) -> Query | None:
    """A listing of all rows of its table, each with what belongs to it; None where what belongs to it restricts it."""
    of = next((each.table for each in columns_in(query.select)), query.anchor)
    _, others = _split(query.where, of)
    needed = {each.table for each in columns_in(query.select)} - {of}
    if query.group or any(not _is_known(each) for each in others) or joins.tree(of, needed, query.through) is None:
        return None
    own = tuple(each for each in query.where if each not in others)
    return replace(query, anchor=of, where=own, also=(), flat=bool(needed) or query.flat, outer=bool(needed))


def _grouped_by(query: Query, joins: JoinGraph) -> TableKey | None:
    """The table whose rows the groups are; where there are none, the one whose rows are counted once each."""
    if any(not isinstance(each, Col) for each in query.group):
        return None
    tables = {each.table for each in query.group if isinstance(each, Col)}
    if not query.group:
        owners = (each.of for each in nodes_in(query.select) if isinstance(each, Agg) and each.distinct)
        tables = {joins.pointed(each).table for each in owners if isinstance(each, Col)}
    return next(iter(tables)) if len(tables) == 1 else None


@dataclass(frozen=True)
class _Measured:
    """What is measured, and what of the conditions restricts that alone."""

    of: TableKey
    moved: tuple[Cond, ...]

    def change(self, node: Any, joins: JoinGraph) -> Any:
        """A total under the conditions; how many have any is how many there are."""
        if not isinstance(node, Agg):
            return node
        if node.function == "count" and node.distinct and isinstance(node.of, Col):
            owner = joins.pointed(node.of)
            if owner.table == self.of:
                return replace(node, of=owner)
        if all(each.table == self.of for each in columns_in(node.of)):
            return node
        return replace(node, where=(*node.where, *(each for each in self.moved if each not in node.where)))


def _from(query: Query, of: TableKey, joins: JoinGraph) -> Query | None:
    own, others = _split(query.where, of)
    shown = (query.select, tuple(each.by for each in query.order), query.having)
    measured = {each.table for each in _totals(shown)} - {of}
    needed = {each.table for each in columns_in((shown, others))} - {of}
    if not measured or any(isinstance(each, Related) for each in (*own, *others)):
        return None
    steps = joins.tree(of, needed, query.through)
    if steps is None or not any(step.multiplies for step in steps):
        return None
    if any(joins.belongs(each, table) for table in measured for each in needed - measured):
        return None
    part = _Measured(of, tuple(each for each in others if not _is_known(each)))
    select, order, having = (
        mapped(each, lambda node: part.change(node, joins)) for each in (query.select, query.order, query.having)
    )
    return replace(
        query, anchor=of, select=select, where=own, order=order, having=having, also=(), flat=True, outer=True
    )


def _totals(shown: Any) -> list[Col | Rows]:
    return [column for each in nodes_in(shown) if is_total(each) for column in columns_in(each)]


def _is_known(condition: Cond) -> bool:
    """Whether it only says that something is known, as each row has of its owner."""
    return isinstance(condition, Missing) and condition.negated


def _split(where: Sequence[Cond], of: TableKey) -> tuple[tuple[Cond, ...], tuple[Cond, ...]]:
    """The conditions on the groups' own rows, and the others."""
    own = tuple(each for each in where if {column.table for column in columns_in(each)} <= {of})
    return own, tuple(each for each in where if each not in own)
