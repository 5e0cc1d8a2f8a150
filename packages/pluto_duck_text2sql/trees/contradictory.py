"""Trees that no row can meet: what must be two things at once, what must have some of that of which it has none.

Asked by vacuous.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.tree import Among, Col, Compare, Cond, Inside, Related, TableKey


def needs_two_of_one(anchor: TableKey, where: Sequence[Cond], joins: JoinGraph) -> bool:
    """Whether the one row that another points at must have two values at once: a subscription of two plans."""
    held = defaultdict[Any, set[Any]](set)
    for each in where:
        if not isinstance(each, Related) or each.negated or each.count:
            continue
        steps = joins.path(anchor, each.table)
        if steps and not any(step.multiplies for step in steps):
            for part in each.where:
                if isinstance(part, Compare) and part.operator == "=":
                    held[part.left].add(part.right)
    return any(len(values) > 1 for values in held.values())


def needs_what_is_not(anchor: TableKey, where: Sequence[Cond], joins: JoinGraph) -> bool:
    """Whether rows without any of a table's are to have some by these: sights without visits that Ann visited."""
    related = [each for each in where if isinstance(each, Related) and not each.count]
    without = {each.table for each in related if each.negated and not each.where}
    without |= {each.query.anchor for each in where if isinstance(each, Inside) and _is_of_none(each, joins)}
    said = [each for each in where if isinstance(each, Compare | Among) and isinstance(each.left, Col)]
    wanted = {each.left.table for each in said if isinstance(each.left, Col) and not _is_denied(each)}
    wanted |= {each.table for each in related if not each.negated}
    ways = (joins.path(anchor, each) or () for each in wanted if without)
    return not wanted.isdisjoint(without) or any(step.target in without for way in ways for step in way)


def _is_of_none(condition: Inside, joins: JoinGraph) -> bool:
    """Whether none of a table's rows are to point at a row."""
    inner = condition.query
    is_bare = inner.is_plain and not (inner.where or inner.group)
    pointers = [joins.pointed(each) for each in inner.select if isinstance(each, Col)]
    return condition.negated and is_bare and pointers == [condition.left]


def _is_denied(condition: Compare | Among) -> bool:
    """Whether it is met by what is not so."""
    return condition.negated if isinstance(condition, Among) else condition.operator == "!="


def contradicts(some: Sequence[Cond], every: Sequence[Cond]) -> bool:
    """Whether a figure is of rows that are left out: of those completed, where only the cancelled are looked at."""
    wanted = {each.left: each.right for each in every if isinstance(each, Compare) and each.operator == "="}
    texts = (
        each for each in some if isinstance(each, Compare) and each.operator == "=" and isinstance(each.right, str)
    )
    return any(isinstance(wanted.get(each.left), str) and wanted[each.left] != each.right for each in texts)
