"""Figures of different rows, of the same group or of all, put side by side in SQL: players and purchases by platform.

Called by `render` for a tree that has others beside it. A group that only some of them have is shown; there
are none of the others then, where they count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp

from pluto_duck_text2sql.tree import Agg, Col, Expr, Order, Query, is_total
from pluto_duck_text2sql.trees.column_names import names_of
from pluto_duck_text2sql.trees.reserved import needs_quotes


def by_group(queries: Sequence[Query], printed: Callable[[Query], Any]) -> exp.Select:
    """One SELECT over a query for each of the figures' rows: what is shown of the groups, then all figures, sorted and
    cut as the first query is."""
    first, keys = queries[0], _keys(queries[0])
    figures = [[each for each in query.select if is_total(each)] for query in queries]
    names = _names([*keys, *(each for own in figures for each in own)])
    places = [f"part_{n}" for n in range(1, len(queries) + 1)]
    parts = [
        _named(printed(_bare(query)), place, [names[each] for each in (*keys, *own)])
        for query, place, own in zip(queries, places, figures, strict=True)
    ]
    held: dict[Expr, Any] = {each: _held(names[each], places) for each in keys}
    for place, own in zip(places, figures, strict=True):
        held |= {each: _or_none(each, names[each], place, bool(first.group)) for each in own}
    shown = [each for each in first.select if not is_total(each)]
    columns = [_as(held[each], names[each]) for each in (*shown, *(each for own in figures for each in own))]
    select = _joined(exp.select(*columns).from_(parts[0]), parts[1:], places, [names[each] for each in first.group])
    return _sorted(select, first, held, (*shown, *first.group))


def _bare(query: Query) -> Query:
    """A query with its groups, whole, and its figures, in no order."""
    figures = (each for each in query.select if is_total(each))
    return replace(query, select=(*_keys(query), *figures), beside=(), order=(), limit=None)


def _joined(select: exp.Select, others: Sequence[Any], places: Sequence[str], keys: Sequence[str]) -> exp.Select:
    """The first part with the others, by their groups, those that only some of them have too."""
    for n, part in enumerate(others, 1):
        same = [
            exp.NullSafeEQ(this=_held(each, places[:n]), expression=exp.column(_identifier(each), places[n]))
            for each in keys
        ]
        way = {"side": "FULL", "on": exp.and_(*same)} if same else {"kind": "CROSS"}
        select.append("joins", exp.Join(this=part, **way))
    return select


def _keys(query: Query) -> list[Expr]:
    """What tells the groups apart, and what else is shown of them."""
    return list(dict.fromkeys((*query.group, *(each for each in query.select if not is_total(each)))))


def _names(columns: Sequence[Expr]) -> dict[Expr, str]:
    """A name for each column that no other has."""
    named = names_of(columns)
    taken: dict[Expr, str] = {}
    for each in columns:
        name = named.get(each) or (each.name if isinstance(each, Col) else "figure")
        count = sum(other.casefold() == name.casefold() for other in taken.values())
        taken[each] = f"{name}_{count + 1}" if count else name
    return taken


def _named(source: Any, name: str, columns: Sequence[str]) -> Any:
    alias = exp.TableAlias(this=exp.to_identifier(name), columns=[_identifier(each) for each in columns])
    return exp.Subquery(this=source, alias=alias)


def _held(name: str, places: Sequence[str]) -> Any:
    """What the first of some parts that has a group holds of it."""
    first, *others = (exp.column(_identifier(name), each) for each in places)
    return exp.Coalesce(this=first, expressions=others) if others else first


def _or_none(figure: Expr, name: str, place: str, may_lack: bool) -> Any:
    """A figure of a part, which may lack a group: of rows that are counted it has 0 then."""
    column = exp.column(_identifier(name), place)
    counts = isinstance(figure, Agg) and figure.function == "count"
    return exp.Coalesce(this=column, expressions=[exp.Literal.number(0)]) if counts and may_lack else column


def _as(column: Any, name: str) -> Any:
    return exp.alias_(column, name, quoted=needs_quotes(name))


def _identifier(name: str) -> Any:
    return exp.to_identifier(name, quoted=needs_quotes(name))


def _sorted(select: exp.Select, query: Query, held: dict[Expr, Any], keys: Sequence[Expr]) -> exp.Select:
    """In the order that is said, groups that share a place by what they are called."""
    said = {each.by for each in query.order}
    for each in (*query.order, *(Order(key) for key in dict.fromkeys(keys) if key not in said)):
        is_last = each.descending or is_total(each.by)
        ordered = exp.Ordered(this=held[each.by].copy(), desc=each.descending or None, nulls_first=not is_last)
        select = select.order_by(ordered, copy=False)
    return select.limit(query.limit) if query.limit is not None else select
