"""The order of a query's rows, and its cut: the first of all, of each group, or of a hundred; or one of them."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from pluto_duck_text2sql.tree import Col, Growth, Order, Ratio, Running, Share, is_total, nodes_in
from pluto_duck_text2sql.trees.printing.constants import date, number
from pluto_duck_text2sql.trees.printing.scope import Scope
from pluto_duck_text2sql.trees.printing.select_list import of_group


def ordered(scope: Scope, select: exp.Select) -> exp.Select:
    """The query in its order, cut as it says."""
    query = scope.query
    orders = [_order(scope, each) for each in query.order]
    if query.per and query.limit is not None:
        return _of_each(scope, select, orders)
    if query.percent and query.limit is not None:
        return _of_a_hundred(select, orders, query.limit)
    select = select.order_by(*orders, copy=False) if orders else select
    if query.nth and query.limit is not None:
        return select.limit(1).offset(query.limit - 1)
    return select.limit(query.limit, copy=False) if query.limit is not None else select


def _order(scope: Scope, order: Order) -> exp.Ordered:
    """Missing values come first, or last where the largest do and where they are but what cannot be computed."""
    query = scope.query
    computed = query.flat and isinstance(order.by, Ratio | Growth | Running | Share)
    is_cut = query.limit is not None and isinstance(order.by, Col)
    is_best = is_cut or (query.limit is not None and is_total(order.by))  # what has none is not the least
    first = not order.descending and not computed and not order.settles and not is_best
    desc = None if order.settles else order.descending
    return exp.Ordered(this=_sort_key(scope, order), desc=desc, nulls_first=first)


def _sort_key(scope: Scope, order: Order) -> Any:
    """What is sorted by; texts that are numbers, or dates, by these."""
    by, column = of_group(scope, order.by), scope.found(order.by)
    if column is not None and column.of_numbers:
        return number(by, bool(column.unit))
    is_date = column is not None and column.of_dates and not scope.query.distinct
    return date(by, column) if column is not None and is_date else by


def _of_a_hundred(select: exp.Select, orders: list[exp.Ordered], limit: int) -> exp.Select:
    """The first so many of a hundred rows, at least one."""
    place = exp.Window(this=exp.RowNumber(), order=exp.Order(expressions=orders))
    every = exp.Window(this=exp.Count(this=exp.Star()))
    hundred = exp.Mul(this=every, expression=exp.Literal.number(limit))
    part = exp.Ceil(this=exp.Div(this=hundred, expression=exp.Literal.number(100)))
    return select.qualify(exp.LTE(this=place, expression=part)).order_by(*(each.copy() for each in orders))


def _of_each(scope: Scope, select: exp.Select, orders: list[exp.Ordered]) -> exp.Select:
    """The first rows of each group, or one of them."""
    query = scope.query
    keys = [of_group(scope, each) for each in query.per]
    if any(isinstance(each, Growth | Running | Share) for order in query.order for each in nodes_in(order)):
        return _of_each_below(scope, select, keys, orders)
    order = exp.Order(expressions=orders) if orders else None
    window = exp.Window(this=_place(scope), partition_by=keys, order=order)
    by = [_order(scope, Order(each)) for each in query.per]
    return select.qualify(_first(scope, window)).order_by(*by, *(each.copy() for each in orders))


def _of_each_below(scope: Scope, select: exp.Select, keys: list[Any], orders: list[exp.Ordered]) -> exp.Select:
    """Where a window sorts the rows: DuckDB takes none within another, so they are numbered around the query."""
    hidden = [f"key_{n}" for n in range(len(keys))] + [f"sorted_{n}" for n in range(len(orders))]
    for name, printed in zip(hidden, [*keys, *(each.this for each in orders)], strict=True):
        select = select.select(exp.alias_(printed, name))
    for order, name in zip(orders, hidden[len(keys) :], strict=True):
        order.set("this", exp.column(name))
    by = [exp.column(name) for name in hidden[: len(keys)]]
    window = exp.Window(this=_place(scope), partition_by=by, order=exp.Order(expressions=orders))
    shown = exp.Star(except_=[exp.to_identifier(name) for name in hidden])
    rows = exp.select(shown).from_(select.subquery("ranked")).qualify(_first(scope, window))
    return rows.order_by(*(each.copy() for each in (*by, *orders)))


def _place(scope: Scope) -> Any:
    """A row's place in its group: those that are alike have the same, unless one place alone is wanted."""
    return exp.RowNumber() if scope.query.nth or not scope.query.order else exp.Rank()


def _first(scope: Scope, place: exp.Window) -> Any:
    """That a place is among the first ones, or the one that is wanted."""
    limit = exp.Literal.number(scope.query.limit or 1)
    return (exp.EQ if scope.query.nth else exp.LTE)(this=place, expression=limit)
