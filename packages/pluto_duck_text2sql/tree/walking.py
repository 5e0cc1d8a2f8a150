"""Walking over trees: the parts of one, the columns in it, and one with its parts replaced."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from operator import is_
from types import NoneType
from typing import Any

from pluto_duck_text2sql.tree.condition_nodes import Related
from pluto_duck_text2sql.tree.expression_nodes import Agg, Col, First, Own, Rows
from pluto_duck_text2sql.tree.query_node import Query

_APART = ("then", "beside", "said")


_LEAVES = frozenset((str, int, float, bool, NoneType))
"""What most parts of nodes are, with nothing below them."""


_PLAIN = frozenset(
    (
        *(
            "bool",
            "int",
            "int | None",
            "float",
            "str",
            "dt.date",
            "dt.date | None",
            "Grain",
            "Unit",
            "Unit | Passed",
            "Function",
        ),
        *("Operator", "tuple[Operator, float] | None", "TableKey", "tuple[TableKey, ...]", "tuple[Pointer, ...]"),
        "tuple[str, str] | None",
    )
)
"""Types, as fields of nodes are declared with, of parts in which no node is."""


_PARTS: dict[type, tuple[str, ...] | None] = {}


_BELOW: dict[type, tuple[str, ...] | None] = {}


def parts_of(kind: type) -> tuple[str, ...] | None:
    """The names of what nodes of a type are made of; None for a type of which no node is."""
    if kind not in _PARTS:
        _PARTS[kind] = tuple(each.name for each in fields(kind)) if is_dataclass(kind) else None
    return _PARTS[kind]


def nodes_below(kind: type) -> tuple[str, ...] | None:
    """Those of `parts_of` in which nodes may be."""
    if kind not in _BELOW:
        typed = fields(kind) if is_dataclass(kind) else None
        _BELOW[kind] = None if typed is None else tuple(each.name for each in typed if each.type not in _PLAIN)
    return _BELOW[kind]


def columns_in(node: Any) -> Iterator[Col | Rows]:
    """Every column and row set below `node`, but not those of queries within it, which join for themselves.

    Those of a query are kept with it, as its parts are.
    """
    kept = vars(node) if type(node) is Query else {}
    if "_columns" not in kept:
        found: list[Col | Rows] = []
        _gather_columns(node, found)
        kept["_columns"] = found
    columns: list[Col | Rows] = kept["_columns"]
    return iter(columns)


def _gather_columns(node: Any, found: list[Col | Rows]) -> None:
    kind = type(node)
    if kind is tuple:
        for each in node:
            if type(each) not in _LEAVES:
                _gather_columns(each, found)
    elif kind is Col or kind is Rows:
        found.append(node)
    elif kind is First or kind is Own:
        found.append(node.by)
    elif kind is not Related:
        for name in nodes_below(kind) or ():
            inner = getattr(node, name)
            kind = type(inner)
            if kind not in _LEAVES and kind is not Query and name not in _APART:
                _gather_columns(inner, found)


def nodes_in(node: Any) -> Iterator[Any]:
    """`node` and every part of it, but not those of queries within it."""
    return iter(_gathered(node, _APART, within=False))


def all_nodes_in(node: Any, but: Collection[str] = ("said",)) -> Iterator[Any]:
    """`node` and every part of it, those of queries within it too, `but` for parts of these names."""
    return iter(_gathered(node, but, within=True))


def _gathered(node: Any, but: Collection[str], *, within: bool) -> list[Any]:
    """Those of a query are kept with it, since dozens of rules look at the same tree and none can change it."""
    kept = vars(node).setdefault("_parts", {}) if type(node) is Query else {}
    if (but, within) not in kept:
        found: list[Any] = []
        _gather(node, found, but, within=within)
        kept[but, within] = found
    parts: list[Any] = kept[but, within]
    return parts


def _gather(node: Any, found: list[Any], but: Collection[str], *, within: bool) -> None:
    """`within`: the nodes of queries in it too."""
    kind = type(node)
    if kind is tuple:
        for each in node:
            if type(each) not in _LEAVES:
                _gather(each, found, but, within=within)
    elif (names := nodes_below(kind)) is not None:
        found.append(node)
        for name in names:
            inner = getattr(node, name)
            kind = type(inner)
            if kind not in _LEAVES and name not in but and (within or kind is not Query):
                _gather(inner, found, but, within=within)


def is_total(node: Any) -> bool:
    """Whether an expression is computed of many rows."""
    return any(isinstance(each, Agg) for each in nodes_in(node))


_UNCHANGED = ("said", "anchored")


def kinds_in(query: Query) -> frozenset[type]:
    """The types of a query's parts, kept with it as these are."""
    kept = vars(query)
    if "_kinds" not in kept:
        kept["_kinds"] = frozenset((Query, *(kind for kinds in _kinds_by_part(query).values() for kind in kinds)))
    found: frozenset[type] = kept["_kinds"]
    return found


def _kinds_by_part(query: Query) -> dict[str, frozenset[type]]:
    """The types of the nodes in each part of a query that has any, kept with it."""
    kept = vars(query)
    if "_kinds_by_part" not in kept:
        nodes = {name: _gathered(getattr(query, name), (), within=True) for name in nodes_below(Query) or ()}
        kept["_kinds_by_part"] = {name: frozenset(map(type, some)) for name, some in nodes.items() if some}
    found: dict[str, frozenset[type]] = kept["_kinds_by_part"]
    return found


def mapped(node: Any, change: Callable[[Any], Any], of: tuple[type, ...] = ()) -> Any:
    """`node` with every part of it, queries within it too, replaced by what `change` makes of it, inner parts first.

    `of` are the types that `change` makes something else of, where it is known: a query or a part of one without any is
    left as it is.
    """
    kind = type(node)
    if of and kind is Query:
        if kinds_in(node).isdisjoint(of):
            return node
        names: Iterable[str] = [name for name, kinds in _kinds_by_part(node).items() if not kinds.isdisjoint(of)]
    elif kind is tuple:
        made = tuple([each if type(each) in _LEAVES else mapped(each, change, of) for each in node])
        return node if all(map(is_, made, node)) else made
    elif kind in _LEAVES or (below := nodes_below(kind)) is None:
        return node
    else:
        names = below
    differ = {}
    for name in names:
        part = getattr(node, name)
        if type(part) in _LEAVES or part == () or name in _UNCHANGED:
            continue
        new = mapped(part, change, of)
        if new is not part and new != part:
            differ[name] = new
    return change(replace(node, **differ) if differ else node)
