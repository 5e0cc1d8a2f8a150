"""An average per thing is of what all its rows come to: `average hours per job, repairs versus upgrades` is no mean of
single entries, of which a job has several.

A correction of trees (corrections.py), where rows point at such things, the tree has no group for each of them, and
what is averaged is an amount that adds up. Pure.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Any

from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, stem, table_stems, tokenise
from pluto_duck_text2sql.tree import Agg, Col, Expr, Product, Query, Ratio, Rows, TableKey, columns_in, mapped
from pluto_duck_text2sql.trees.resolve import Resolver

_PER = Pattern(r"\b(?:average|mean|avg)\b(?: [\w-]+){1,6}? per (?P<what>[a-z]+(?: [a-z]+)?)", re.IGNORECASE)
_PER_THING = Pattern(r"\bper (?P<what>[a-z]+(?: [a-z]+)?)\b", re.IGNORECASE)
_DIFFERENT = Pattern(r"\b(?:different|distinct|unique)\b", re.IGNORECASE)
_PLACES = frozenset(map(stem, "number no nr position sequence seq index rank".split()))


def of_each_owner(query: Query, question: str, joins: JoinGraph, resolver: Resolver) -> Query:
    """The tree with the sum of all rows by how many things they belong to, in place of the mean of the rows."""
    said = _PER.search(question)
    if said is None or query.then or query.per or query.having:
        return query
    stems = tuple(token.stem for token in tokenise(said["what"]))
    change = partial(_by_owners, stems=stems, grouped=set(query.group), joins=joins, resolver=resolver)
    return mapped(query, change, (Agg,))


def by_what_is_said(query: Query, question: str, joins: JoinGraph) -> Query:
    """`items per order by channel`: by how many orders there are, not by how many products are in them; and `tracks
    per invoice` are how many are on them, one on two invoices twice."""
    said = _PER_THING.search(question)
    if said is None or query.then or query.per:
        return query
    stems = tuple(token.stem for token in tokenise(said["what"]))
    query = mapped(query, partial(_divided, stems=stems, joins=joins), (Ratio,))
    return query if _DIFFERENT.search(question) else mapped(query, partial(_each_time, joins=joins), (Ratio,))


def _each_time(node: Any, joins: JoinGraph) -> Any:
    """A ratio of things to those whose rows point at both, with these rows in the things' place."""
    counts = _counts(node)
    if counts is None or not isinstance(counts[1].of, Col):
        return node
    things, rows = counts[0].of, counts[1].of.table
    of = joins.pointed(things).table if isinstance(things, Col) else next(columns_in(things)).table
    pointer = joins.pointer(rows, of)
    is_counted_apart = isinstance(things, Rows) or counts[0].distinct
    if of == rows or not is_counted_apart or pointer is None or pointer.table != rows:
        return node
    return replace(node, top=replace(counts[0], of=Rows(rows), distinct=False))


def _counts(node: Any) -> tuple[Agg, Agg] | None:
    """The numbers that a ratio is of, the lower one of different things."""
    top, bottom = (node.top, node.bottom) if isinstance(node, Ratio) else (None, None)
    if not isinstance(top, Agg) or not isinstance(bottom, Agg) or not bottom.distinct:
        return None
    return (top, bottom) if top.function == bottom.function == "count" else None


def _divided(node: Any, stems: tuple[str, ...], joins: JoinGraph) -> Any:
    """A ratio of rows to different things that they point at, to those that are said."""
    bottom = node.bottom if isinstance(node, Ratio) else None
    if not isinstance(bottom, Agg) or bottom.function != "count" or not bottom.distinct:
        return node
    rows = next(columns_in(node.top), None)
    if rows is None or not isinstance(bottom.of, Col) or bottom.of.table != rows.table:
        return node
    key = _key_to(rows.table, stems, joins)
    return replace(node, bottom=replace(bottom, of=key)) if key and key != bottom.of else node


def _by_owners(node: Any, stems: tuple[str, ...], grouped: set[Expr], joins: JoinGraph, resolver: Resolver) -> Any:
    of = node.of if isinstance(node, Agg) and node.function == "avg" else None
    if not isinstance(of, Col | Product) or resolver.default_aggregate(of).function != "sum" or _numbers(of):
        return node
    rows = next(columns_in(of)).table
    key = _key_to(rows, stems, joins)
    if key is None or grouped & {key, joins.pointed(key)}:
        return node
    return Ratio(Agg("sum", of, where=node.where), Agg("count", key, distinct=True, where=node.where))


def _numbers(of: Col | Product) -> bool:
    """Whether a column only numbers the rows of each: an order's lines."""
    return isinstance(of, Col) and not _PLACES.isdisjoint(name_stems(of.name)[-1:])


def _key_to(rows: TableKey, stems: tuple[str, ...], joins: JoinGraph) -> Col | None:
    """The one column by which rows point at the things that these words begin with."""
    steps = (each for each in joins.neighbours(rows) if not each.multiplies and len(each.pairs) == 1)
    called = [each for each in steps if _calls(table_stems(each.target[1]), stems)]
    return Col(rows, called[0].pairs[0][0]) if len(called) == 1 else None


def _calls(name: tuple[str, ...], stems: tuple[str, ...]) -> bool:
    return stems[: len(name)] == name or (len(name) > 1 and stems[:1] == name[-1:])
