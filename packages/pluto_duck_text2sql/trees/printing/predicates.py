"""Conditions as SQL: comparisons, lists of values, periods, what is missing, and how these are put together."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from typing import Any

from sqlglot import exp

from pluto_duck_text2sql.data.listing import ends_of
from pluto_duck_text2sql.tree import (
    Agg,
    Among,
    Compare,
    During,
    Either,
    Every,
    Expr,
    Holding,
    Item,
    Missing,
    Query,
    columns_in,
)
from pluto_duck_text2sql.trees.printing.coercions import as_number, as_time, holds_days, holds_years, operand
from pluto_duck_text2sql.trees.printing.constants import literal
from pluto_duck_text2sql.trees.printing.scope import Scope

_SIGNS = {"=": exp.EQ, "!=": exp.NEQ, "<": exp.LT, "<=": exp.LTE, ">": exp.GT, ">=": exp.GTE}


def compare(scope: Scope, left: Expr, operator: str, right: Any) -> Any:
    """A comparison with a value, a column, an aggregate over a whole table or what a query finds."""
    if isinstance(right, Item):
        return _lists(scope, left, operator, right)
    if isinstance(right, Holding):
        right, operator = f"%{right}%", "like" if operator == "=" else "not like"
    value = _right(scope, right)
    if isinstance(right, dt.date):
        return signed(as_time(scope, left), operator, value)
    is_number = isinstance(right, int | float) and not isinstance(right, bool)
    if is_number and scope.kind(left) == "text":
        return signed(as_number(scope, left), operator, value)
    if operator in ("like", "not like"):
        like = exp.ILike(this=scope.sql(left), expression=value)
        return exp.not_(like, copy=False) if operator.startswith("not") else like
    return signed(scope.sql(left), operator, value)


def signed(left: exp.Expression, operator: str, right: exp.Expression) -> Any:
    """Two printed sides, compared."""
    return _SIGNS[operator](this=left, expression=right)


def _right(scope: Scope, right: Any) -> Any:
    """What is compared with; an aggregate is over a whole table, as a query of its own."""
    if isinstance(right, Agg):
        right = Query(next(columns_in(right.of)).table, (right,))
    return scope.inner(right).subquery(copy=False) if isinstance(right, Query) else scope.sql(right)


def _lists(scope: Scope, left: Expr, operator: str, item: Item) -> Any:
    """Whether a cell lists an item, told by what stands around it."""
    column = scope.found(left)
    mark = column.listed_by if column else ""
    before, behind = ends_of(mark)
    cell = scope.sql(left)
    if not before:
        before, behind = mark, mark.rstrip()
        opened = exp.DPipe(this=exp.Literal.string(before), expression=cell)
        cell = exp.paren(exp.DPipe(this=opened, expression=exp.Literal.string(behind)), copy=False)
    like = _holding(cell, before, item, behind)
    return like if operator == "=" else exp.not_(like, copy=False)


def _holding(cell: Any, before: str, item: str, behind: str) -> exp.Expression:
    """Whether a cell holds an item between two marks, in any case."""
    plain = re.sub(r"([%_\\])", r"\\\1", item)
    like = exp.ILike(this=cell, expression=literal(f"%{before}{plain}{behind}%"))
    return exp.Escape(this=like, expression=literal("\\")) if len(plain) > len(item) else like


def _among(scope: Scope, among: Among) -> Any:
    if any(isinstance(each, Holding) for each in among.values):
        inside = exp.or_(*(compare(scope, among.left, "=", each) for each in among.values), copy=False)
        return exp.not_(exp.paren(inside), copy=False) if among.negated else inside
    listed = exp.In(this=scope.sql(among.left), expressions=[literal(value) for value in among.values])
    return exp.not_(listed, copy=False) if among.negated else listed


def _during(scope: Scope, during: During) -> Any:
    """A period: of years or days that are kept as numbers, by these."""
    left, start, end = during.left, during.start, during.end
    if holds_years(scope, left):
        return _during_years(scope, left, start.year, end.year)
    if holds_days(scope, left):
        bounds = (exp.Literal.number(f"{each:%Y%m%d}") for each in (start, end))
        return _between(scope.plain(left), *bounds)  # type: ignore[arg-type]
    return _between(as_time(scope, left), literal(start), literal(end))


def _during_years(scope: Scope, of: Expr, first: int, end: int) -> Any:
    """A year as a number from the first to before the end."""
    if first + 1 == end:
        return compare(scope, of, "=", first)
    return exp.and_(compare(scope, of, ">=", first), compare(scope, of, "<", end), copy=False)


def _between(of: Any, start: Any, end: Any) -> Any:
    return exp.and_(exp.GTE(this=of, expression=start), exp.LT(this=of.copy(), expression=end), copy=False)


def _missing(scope: Scope, missing: Missing) -> Any:
    """That a value is missing, or a date stands for none."""
    left, negated = missing.left, missing.negated
    end = column.open_end if (column := scope.found(left)) else None
    null = exp.Is(this=operand(scope, left), expression=exp.Null())
    if end is None:
        return exp.not_(null, copy=False) if negated else null
    day = literal(end.day)
    if negated:
        return exp.LT(this=scope.sql(left), expression=day)
    far = exp.GTE(this=scope.sql(left), expression=day)
    return exp.or_(null, far, copy=False) if end.beside_gaps else far


PREDICATES: Mapping[type, Callable[[Scope, Any], Any]] = {
    Compare: lambda scope, each: compare(scope, each.left, each.operator, each.right),
    Among: _among,
    During: _during,
    Missing: _missing,
    Either: lambda scope, either: exp.or_(*(scope.sql(each) for each in either.any_of), copy=False),
    Every: lambda scope, every: exp.and_(*(scope.sql(each) for each in every.all_of), copy=False),
}
