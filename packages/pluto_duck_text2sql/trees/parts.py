"""The parts of a query tree, found and exchanged: its conditions, keys, measures, tables.

Pure; a tree comes back whole or as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.tree import (
    Agg,
    Among,
    Col,
    Compare,
    Cond,
    During,
    Either,
    Every,
    Expr,
    Inside,
    Missing,
    Nested,
    Query,
    Related,
    Rows,
    TableKey,
    all_nodes_in,
    columns_in,
    is_total,
    mapped,
    nodes_in,
)

_SAID = ("said", "anchored")


def swapped(query: Query, old: Any, new: Any) -> Query:
    """The query with `new` wherever `old` was."""
    found: Query = mapped(query, lambda node: new if node == old else node)
    return found


def conditions(node: Any) -> Iterator[Cond]:
    """Every single condition of a tree, those of queries and aggregates within it too."""
    for each in all_nodes_in(node, but=_SAID):
        if isinstance(each, Compare | Among | During | Missing | Related | Inside):
            yield each


def replaced(query: Query, olds: Sequence[Cond], new: Cond | None) -> Query:
    """The query with `new` (None: nothing) in the place of the first of the old conditions, and without the others.

    Where aggregates of it have conditions of their own, each keeps one.
    """

    def change(node: Any) -> Any:
        for name in ("where", "having", "any_of", "all_of"):
            kept = getattr(node, name, None)
            if isinstance(kept, tuple) and any(each in olds for each in kept):
                node = replace(node, **{name: _one_for_all(kept, olds, new)})
        return node

    found: Query = _simplified(mapped(query, change))
    return found


def _one_for_all(kept: tuple[Cond, ...], olds: Sequence[Cond], new: Cond | None) -> tuple[Cond, ...]:
    made: list[Cond] = []
    for each in kept:
        if each not in olds:
            made.append(each)
        elif new is not None and new not in made:
            made.append(new)
    return tuple(made)


def _simplified(query: Query) -> Query:
    """Without alternatives of nothing, or of one."""

    def change(node: Any) -> Any:
        where = getattr(node, "where", None)
        if not isinstance(where, tuple):
            return node
        return replace(node, where=tuple(one for each in where for one in _plain(each)))

    found: Query = mapped(query, change)
    return found


def _plain(condition: Cond) -> tuple[Cond, ...]:
    if isinstance(condition, Either | Every):
        inner = condition.any_of if isinstance(condition, Either) else condition.all_of
        return (condition,) if len(inner) > 1 else tuple(inner)
    return (condition,)


def with_where(query: Query, added: Sequence[Cond]) -> Query:
    """The query with further conditions on its rows: on those that are put together, or within which it looks."""
    inner = [each.of.query for each in query.select if isinstance(each, Agg) and isinstance(each.of, Nested)]
    within = inner[0] if inner else None
    if within is not None and not query.group:
        return swapped(query, within, with_where(within, added))
    then = query.then
    if then and then[0] == "union":
        then = (then[0], with_where(then[1], added))
    new = tuple(each for each in added if each not in query.where)
    return replace(query, where=(*query.where, *new), then=then)


def is_aggregate(query: Query) -> bool:
    """Whether it shows totals, not rows."""
    return bool(query.group) or any(isinstance(each, Agg) for shown in query.select for each in nodes_in(shown))


def measures(query: Query) -> list[Expr]:
    """What the query measures: shown, or sorted by."""
    shown = [each for each in query.select if is_total(each)]
    hidden = [each.by for each in query.order if is_total(each.by)]
    return list(dict.fromkeys([*shown, *hidden]))


def keys(query: Query) -> list[Expr]:
    """What each row is about: what is shown and not measured."""
    return [each for each in query.select if not is_total(each)]


def without_groups(query: Query, groups: Sequence[Expr]) -> Query:
    """The query put together over some of what it groups by."""
    select, group = (tuple(e for e in some if e not in groups) for some in (query.select, query.group))
    return replace(query, select=select, group=group, order=tuple(e for e in query.order if e.by not in groups))


def subject(query: Query) -> TableKey:
    """The table whose rows the query is about: counted, listed or measured."""
    counted = [each.of.table for each in nodes_in(query.select) if isinstance(each, Agg) and isinstance(each.of, Rows)]
    if counted:
        return counted[0]
    found = next(columns_in(tuple(each for each in query.select if is_total(each)) or query.select), None)
    return query.anchor if found is None or not is_aggregate(query) else found.table


def of_those_counted(query: Query, joins: JoinGraph) -> Query:
    """The query with different keys counted as the rows that they point at: so many buyers of orders are people. Of
    the cars that each garage sold each has a sale: those that it keeps are others."""
    totals = [each for each in query.select if is_total(each)]
    counted = totals[0] if len(totals) == 1 and isinstance(totals[0], Agg) else None
    of = counted.of if counted and counted.function == "count" and counted.distinct else None
    if counted is None or not isinstance(of, Col) or joins.pointed(of) == of:
        return query
    rows = replace(counted, of=Rows(joins.pointed(of).table), distinct=False)
    made = swapped(query, counted, rows)
    return replace(made, flat=False) if _is_on_the_way(of, query, joins) else replace(made, also=(*made.also, of.table))


def _is_on_the_way(key: Col, query: Query, joins: JoinGraph) -> bool:
    """Whether the rows that a key points at are reached by its table, from whatever the groups are by."""
    rows = joins.pointed(key).table
    others = {each.table for each in columns_in((query.select, query.group))} - {key.table, rows}
    return all(key.table in {step.target for step in joins.path(each, rows) or ()} for each in others)


def tables(query: Query) -> list[TableKey]:
    """The tables of a query, what it is about first."""
    shown = [each.table for each in columns_in((query.select, query.group))]
    limited = [each.table for each in columns_in(query.where)]
    return list(dict.fromkeys([subject(query), query.anchor, *shown, *limited]))


def amounts(expression: Expr) -> list[Agg]:
    """The aggregates in a measure."""
    return [each for each in nodes_in(expression) if isinstance(each, Agg)]


def moved(query: Query, old: TableKey, new: TableKey, columns: dict[Col, Col]) -> Query:
    """The query with the one table's columns and rows in place of the other's."""

    def change(node: Any) -> Any:
        if isinstance(node, Col):
            return columns.get(node, node)
        if isinstance(node, Rows) and node.table == old:
            return Rows(new)
        return _anchored(node, old, new) if isinstance(node, Query) else node

    made: Query = mapped(query, change)
    return made


def _anchored(query: Query, old: TableKey, new: TableKey) -> Query:
    also = tuple(new if each == old else each for each in query.also)
    return replace(query, anchor=new if query.anchor == old else query.anchor, also=also)


def once(where: Sequence[Cond]) -> tuple[Cond, ...]:
    """The conditions, each once: alternatives that say the same are one."""
    return tuple(dict.fromkeys(part for each in where for part in _said_once(each)))


def _said_once(condition: Cond) -> tuple[Cond, ...]:
    if isinstance(condition, Every):
        return once(condition.all_of)
    if not isinstance(condition, Either):
        return (condition,)
    ways = tuple(dict.fromkeys(once((each,)) for each in condition.any_of))
    return ways[0] if len(ways) == 1 else (condition,)


def home(tree: Query) -> tuple[str, str] | None:
    """The table whose rows a query's figures are of."""
    total = next((each for each in tree.select if is_total(each)), None)
    return next((each.table for each in columns_in(total)), None) if total else None
