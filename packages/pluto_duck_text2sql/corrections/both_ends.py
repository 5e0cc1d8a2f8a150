"""What has two ends: `rides from Opera to Arena`, `rides that ended where they started`.

A query joins a table once, so rows that point at two rows of another, where they come from and where they go to, are
looked for by each key for itself. Called by `corrections`, for keys that headings.py tells apart. What must stay true:
values move to an end only where the question says one of them `from` and the other `to`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from pluto_duck_text2sql.corrections.headings import FROM, TO, is_text, way_said
from pluto_duck_text2sql.data.joins import JoinGraph, Step
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems
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
    nodes_in,
)

_BEGIN = r"(?:start\w*|beg[aiu]n\w*|came from|come from|comes from|set off|leaves?|left|depart\w*|picked up)"
_END = r"(?:end\w*|finish\w*|arriv\w*|return\w*|(?:comes?|came|coming|brought|went) back|dropped off)"
_SAME = Pattern(
    rf"\b{_END} (?:up )?(?:at |in |to )?(?:(?:the (?:same )?\w+ )?where|the (?:same )?\w+(?: that| which)?)"
    rf" (?:they|it|she|he)(?: had| was| were)? {_BEGIN}\b"
    rf"|\b{_BEGIN} and {_END} (?:up )?(?:at|in) the same \w+"
    rf"|\b{_END} and {_BEGIN} (?:at|in) the same \w+"
    r"|\bsame (?:start(?:ing)?|from|origin|departure|pickup) and (?:end(?:ing)?|to|destination|arrival|dropoff)\b",
    re.IGNORECASE,
)
_TEXTS = (Among, Compare)
"""What looks for texts."""


def by_both_ends(query: Query, question: str, joins: JoinGraph) -> Query:
    """The tree with each of two places at the end that the question says of it, or with both ends the same."""
    query = mapped(query, partial(_apart, question=question, joins=joins), _TEXTS)
    return _same(query, joins) if _SAME.search(question) else query


def _apart(node: Any, question: str, joins: JoinGraph) -> Any:
    """A query that looks for what is at one end of its rows, and for what is at the other."""
    compared = [each.left for each in nodes_in(node.where) if isinstance(each, _TEXTS)] if _is_query(node) else []
    for column in dict.fromkeys(each for each in compared if isinstance(each, Col)):
        texts = [text for each in node.where for text in _texts(each, column)]
        by_way = {way_said(text, question): text for text in texts}
        are_ends = by_way.keys() >= {FROM, TO} and len({*texts}) == len(by_way)
        ends = _ends(_tables(node), column.table, joins) if are_ends else None
        if ends:
            rest = dict.fromkeys(part for each in node.where for part in _rest(each, column))
            found = [_at(step, column, by_way[way]) for step, way in zip(ends, (FROM, TO), strict=True)]
            return replace(node, where=(*rest, *found))
    return node


def _is_query(node: Any) -> bool:
    return isinstance(node, Query)


def _tables(query: Query) -> Iterable[TableKey]:
    return dict.fromkeys((query.anchor, *query.also, *(each.table for each in columns_in(query))))


def _parts(condition: Cond) -> tuple[Cond, ...]:
    """What a condition is put together of; nothing for a single one."""
    if isinstance(condition, Either):
        return condition.any_of
    return condition.all_of if isinstance(condition, Every) else ()


def _texts(condition: Cond, column: Col) -> tuple[str, ...]:
    """The texts that a column is to be, by a condition."""
    if parts := _parts(condition):
        return tuple(text for each in parts for text in _texts(each, column))
    if not isinstance(condition, _TEXTS) or condition.left != column:
        return ()
    if isinstance(condition, Among):
        return () if condition.negated else tuple(filter(is_text, condition.values))
    return (condition.right,) if condition.operator == "=" and is_text(condition.right) else ()


def _rest(condition: Cond, column: Col) -> tuple[Cond, ...]:
    """What a condition says besides: what says nothing of the column stays as it is put together."""
    if not _texts(condition, column):
        return (condition,)
    rests = [_rest(each, column) for each in _parts(condition)]
    if isinstance(condition, Every):
        return tuple(part for rest in rests for part in rest)
    if not rests or not all(rests):
        return ()
    several = [rest[0] if len(rest) == 1 else Every(rest) for rest in dict.fromkeys(rests)]
    return rests[0] if len(several) == 1 else (Either(tuple(several)),)


def _ends(tables: Iterable[TableKey], to: TableKey, joins: JoinGraph) -> tuple[Step, Step] | None:
    """The keys by which rows of one of the tables come from one row of another and go to another of its rows."""
    for table in tables:
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
        if ends := _ends([query.anchor], to, joins):
            start, end = (Col(*each.ends[0]) for each in ends)
            return replace(query, where=(*query.where, Compare(start, "=", end)))
    return query
