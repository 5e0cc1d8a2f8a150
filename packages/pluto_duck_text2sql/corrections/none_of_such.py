"""Some and none: `came with children`, `without kids` of a number that every row has; `neither a gym nor a pool`.

Called by `corrections` for every tree.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from functools import partial
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.tree import (
    Agg,
    Among,
    Col,
    Compare,
    Cond,
    Inside,
    Missing,
    Query,
    Related,
    Rows,
    TableKey,
    mapped,
)

_WITH = Pattern(r"\b(?:with(?:out)?|have|has|had|having|brought|bring|got)\b", re.IGNORECASE)
_NONE_AT_ALL = Pattern(
    r"\b(?:without (?:any|(?:even )?a single|even one)|(?:and|but|with|have|has|had) (?:no|zero)"
    r"|not (?:a single|even one)) (?P<what>[a-z]+)\b",
    re.IGNORECASE,
)
_NOT_ONE = Pattern(r"\b(?:neither|nor|never)\b", re.IGNORECASE)


def with_some(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree with numbers of what the question says is there, or is not, as more than none, or none."""
    made: Query = mapped(query, partial(_some, catalog=catalog), (Missing,)) if _WITH.search(question) else query
    return made


def _some(node: Any, catalog: Catalog) -> Any:
    """`came with children`, `without kids`: of a number that every row has, more than none, or none."""
    if not isinstance(node, Missing) or not isinstance(node.left, Col):
        return node
    column = catalog.column(*node.left.table, node.left.name)
    counts = column is not None and column.kind == "number" and not column.null_fraction and column.minimum == 0
    return Compare(node.left, ">" if node.negated else "=", 0) if counts else node


def without_any(query: Query, question: str, joins: JoinGraph) -> Query:
    """`neither a gym nor a pool`, `never been sick`: no row of such, not a row of something else; and none of those
    which are said not to be there, `30 matches without a single win`."""
    denied = {stem(said["what"].lower()) for said in _NONE_AT_ALL.finditer(question)}
    where = query.where
    if denied:
        where = tuple(dict.fromkeys(_without(each, denied, query.anchor, joins) for each in where))
    if _NOT_ONE.search(question):
        where = tuple(lacking(each, query.anchor, joins) for each in where)
    return query if where == query.where else replace(query, where=where)


def _without(condition: Cond, denied: Collection[str], anchor: TableKey, joins: JoinGraph) -> Cond:
    """That there are no rows of a value that is said not to be there, of what points at the rows that are asked for."""
    is_held = isinstance(condition, Compare) and condition.operator in ("=", "!=") and isinstance(condition.left, Col)
    if not is_held or not isinstance(condition, Compare) or stem(str(condition.right).lower()) not in denied:
        return condition
    of = condition.left.table if isinstance(condition.left, Col) else anchor
    steps = joins.path(anchor, of) or ()
    if len(steps) != 1 or not steps[0].multiplies or len(steps[0].pairs) != 1:
        return condition
    own, pointer = steps[0].pairs[0]
    such = replace(condition, operator="=")
    return Inside(Col(anchor, own), Query(of, (Col(of, pointer),), (such,)), negated=True)


def not_of_such(query: Query) -> Query:
    """`played 30 matches without any win`: the rows that are joined are not held to what there must be none of."""
    lacking = (each for each in query.where if isinstance(each, Inside | Related) and each.negated)
    none_of = {part for each in lacking for part in (each.query if isinstance(each, Inside) else each).where}
    kept = tuple(each for each in query.where if each not in none_of)
    return query if kept == query.where else replace(query, where=kept)


def of_all_owners(query: Query, joins: JoinGraph) -> Query:
    """`how many clients have not rented since May`, counted among the rentals: of all clients, those as well that have
    none at all."""
    lacking = query.where[0] if len(query.where) == 1 else None
    counted = query.select[0] if len(query.select) == 1 else None
    if not isinstance(lacking, Inside) or not lacking.negated or not isinstance(counted, Agg) or not _is_alone(query):
        return query
    pointer = lacking.left
    owner = joins.pointed(pointer) if isinstance(pointer, Col) else pointer
    is_own = lacking.query.anchor == query.anchor and lacking.query.select == (pointer,)
    if counted != Agg("count", pointer, distinct=True) or owner == pointer or not is_own or not isinstance(owner, Col):
        return query
    return Query(owner.table, (Agg("count", Rows(owner.table)),), (replace(lacking, left=owner),))


def _is_alone(query: Query) -> bool:
    return query.is_plain and not (query.group or query.order or query.also)


def lacking(condition: Any, anchor: TableKey, joins: JoinGraph) -> Any:
    """That there is none of what a condition denies, where each row has many such; any other as it is."""
    affirmed = _affirmed(condition)
    if affirmed != condition and joins.belongs(condition.left.table, anchor):
        return Related(condition.left.table, (affirmed,), negated=True)
    if not isinstance(condition, Related) or condition.negated or condition.count:
        return condition
    where = tuple(map(_affirmed, condition.where))
    return condition if where == condition.where else replace(condition, where=where, negated=True)


def _affirmed(condition: Any) -> Any:
    """What a condition on a column denies; any other as it is."""
    if isinstance(condition, Among) and condition.negated:
        return replace(condition, negated=False)
    denied = isinstance(condition, Compare) and condition.operator == "!=" and isinstance(condition.left, Col)
    return replace(condition, operator="=") if denied else condition
