"""What has two ends: `rides from Opera to Arena`, `rides that ended where they started`.

A query joins a table once, so rows that point at two rows of another, where they come from and where they go to, are
looked for by each key for itself. Called by `corrections`, for keys that headings.py tells apart. What must stay true:
values move to an end only where the question says one of them `from` and the other `to`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from pluto_duck_text2sql.catalog import Catalog
from pluto_duck_text2sql.headings import FROM, TO, way_said
from pluto_duck_text2sql.joins import JoinGraph, Step
from pluto_duck_text2sql.tree import (
    Among,
    Col,
    Compare,
    Cond,
    Either,
    Every,
    Inside,
    Query,
    TableKey,
    columns_in,
    mapped,
)
from pluto_duck_text2sql.words import name_stems

_BEGIN = r"(?:start\w*|beg[aiu]n\w*|came from|come from|comes from|set off|leaves?|left|depart\w*|picked up)"
_END = r"(?:end\w*|finish\w*|arriv\w*|return\w*|(?:comes?|came|coming|brought|went) back|dropped off)"
_SAME = re.compile(
    rf"\b{_END} (?:up )?(?:at |in |to )?(?:(?:the (?:same )?\w+ )?where|the (?:same )?\w+(?: that| which)?)"
    rf" (?:they|it|she|he)(?: had| was| were)? {_BEGIN}\b"
    rf"|\b{_BEGIN} and {_END} (?:up )?(?:at|in) the same \w+"
    rf"|\b{_END} and {_BEGIN} (?:at|in) the same \w+"
    r"|\bsame (?:start(?:ing)?|from|origin|departure|pickup) and (?:end(?:ing)?|to|destination|arrival|dropoff)\b",
    re.IGNORECASE,
)


def by_both_ends(query: Query, question: str, catalog: Catalog, joins: JoinGraph) -> Query:
    """The tree with each of two places at the end that the question says of it, or with both ends the same."""
    query = mapped(query, partial(_apart, question=question, catalog=catalog, joins=joins), (Among, Compare))
    return _same(query, joins) if _SAME.search(question) else query


def _apart(node: Any, question: str, catalog: Catalog, joins: JoinGraph) -> Any:
    """A query that looks for what is at one end of its rows, and for what is at the other."""
    leaves = list(_leaves(node.where)) if isinstance(node, Query) else []
    for column in dict.fromkeys(each.left for each in leaves if isinstance(each, Among | Compare)):
        if not isinstance(column, Col):
            continue
        texts = [text for each in leaves for text in _texts(each, column)]
        by_way = {way_said(text, question): text for text in texts}
        ends = _ends(node, column.table, joins) if by_way.keys() >= {FROM, TO} and len({*texts}) == len(by_way) else ()
        if ends:
            rest = tuple(dict.fromkeys(each for each in leaves if not _texts(each, column)))
            found = [_at(step, column, by_way[way]) for step, way in zip(ends, (FROM, TO), strict=True)]
            return replace(node, where=(*rest, *found))
    return node


def _leaves(conditions: tuple[Cond, ...]) -> Iterator[Cond]:
    """The conditions that a query is made of, however they are put together."""
    for each in conditions:
        if isinstance(each, Either | Every):
            yield from _leaves(each.any_of if isinstance(each, Either) else each.all_of)
        else:
            yield each


def _texts(condition: Cond, column: Col) -> tuple[str, ...]:
    """The texts that a column is to be, by a condition."""
    if not isinstance(condition, Among | Compare) or condition.left != column:
        return ()
    if isinstance(condition, Among):
        return () if condition.negated else tuple(filter(_is_text, condition.values))
    return (condition.right,) if condition.operator == "=" and _is_text(condition.right) else ()


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _ends(query: Query, to: TableKey, joins: JoinGraph) -> tuple[Step, Step] | None:
    """The keys by which the query's rows come from one row of a table and go to another."""
    for table in dict.fromkeys((query.anchor, *query.also, *(each.table for each in columns_in(query)))):
        steps = [each for each in joins.neighbours(table) if each.target == to and not each.multiplies]
        both = [[each for each in steps if way.intersection(name_stems(each.pairs[0][0]))] for way in (FROM, TO)]
        if table != to and all(len(each) == 1 for each in both) and both[0] != both[1]:
            return both[0][0], both[1][0]
    return None


def _at(step: Step, column: Col, text: str) -> Inside:
    """That the row at the end that a key leads to is called so."""
    (source, key), (target, own) = step.ends
    return Inside(Col(source, key), Query(target, (Col(target, own),), (Compare(column, "=", text),)))


def _same(query: Query, joins: JoinGraph) -> Query:
    """The query of rows whose two ends are one."""
    for to in dict.fromkeys(each.target for each in joins.neighbours(query.anchor)):
        if ends := _ends(replace(query, also=(), select=query.select, where=()), to, joins):
            start, end = (Col(*each.ends[0]) for each in ends)
            return replace(query, where=(*query.where, Compare(start, "=", end)))
    return query
