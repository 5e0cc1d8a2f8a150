"""Values of a row as SQL, and values that are computed of others: products, spans, shares, growth, running totals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlglot import exp

from pluto_duck_text2sql.tree import (
    Age,
    Ago,
    Arithmetic,
    Bands,
    Bucket,
    Clock,
    Col,
    Days,
    Expr,
    First,
    Growth,
    Later,
    Meaning,
    Minus,
    Number,
    Plus,
    Product,
    Ratio,
    Running,
    Share,
    Steps,
    Times,
)
from pluto_duck_text2sql.trees.printing import windows
from pluto_duck_text2sql.trees.printing.coercions import as_end, as_time, holds_years, operand
from pluto_duck_text2sql.trees.printing.constants import literal, name, numbered, stored
from pluto_duck_text2sql.trees.printing.predicates import compare
from pluto_duck_text2sql.trees.printing.scope import Scope


def _column(scope: Scope, column: Col) -> Any:
    """A column; a number that is a time as this."""
    found = scope.found(column)
    plain = scope.plain(column)
    return numbered(plain, found) if found is not None and found.is_numbered else plain


def _product(scope: Scope, product: Product) -> Any:
    """Price × quantity, less what is taken off, or the part that is."""
    whole = exp.Mul(this=scope.sql(product.price), expression=scope.sql(product.quantity))
    if product.off:
        none = exp.Literal.number(0)
        return exp.Sub(this=whole, expression=exp.Coalesce(this=scope.sql(product.off), expressions=[none]))
    if product.discount is None:
        return whole
    rest = exp.paren(exp.Sub(this=exp.Literal.number(1), expression=scope.sql(product.discount)))
    return exp.Mul(this=whole, expression=rest)


def _arithmetic(scope: Scope, expression: Arithmetic) -> Any:
    """A sum, a difference or a product, with what binds less in parentheses."""
    left, right = operand(scope, expression.left), operand(scope, expression.right)
    if isinstance(expression, Minus):
        return windows.minus(left, right)
    if isinstance(expression, Plus):
        return exp.Add(this=left, expression=right)
    factors = [exp.paren(each) if isinstance(each, exp.Add | exp.Sub) else each for each in (left, right)]
    return exp.Mul(this=factors[0], expression=factors[1])


def _bucket(scope: Scope, bucket: Bucket) -> Any:
    is_year = bucket.grain == "year" and holds_years(scope, bucket.of)
    if bucket.grain == "quarter" and isinstance(bucket.of, Later):
        return windows.quarter_begun_before(as_time(scope, bucket.of.of), bucket.of.count)
    return operand(scope, bucket.of) if is_year else windows.bucket(bucket.grain, as_time(scope, bucket.of))


def _bands(scope: Scope, bands: Bands) -> Any:
    """CASE WHEN … THEN 'under 30' …"""
    found = exp.Case()
    for band in bands.bands:
        ends = [(band.low, ">=" if band.holds_low else ">"), (band.high, "<=" if band.holds_high else "<")]
        bounds = [compare(scope, bands.of, operator, end) for end, operator in ends if end is not None]
        found = found.when(exp.and_(*bounds, copy=False), exp.Literal.string(band.label), copy=False)
    return found


def _days(scope: Scope, days: Days) -> Any:
    return windows.elapsed(as_end(scope, days.start), as_end(scope, days.end), days.unit)


def _age(scope: Scope, age: Age) -> Any:
    return windows.years(as_time(scope, age.of), as_time(scope, age.on) if isinstance(age.on, Col) else literal(age.on))


def _meaning(scope: Scope, meaning: Meaning) -> Any:
    """(SELECT any_value(text) FROM codes WHERE kind = … AND code = the column), else the column."""
    of = exp.column(name(meaning.of.name), table=scope.name_of(meaning.of.table))
    same = [exp.EQ(this=exp.column(name(meaning.code)), expression=of)]
    if meaning.kind:
        column, value = meaning.kind
        same.insert(0, exp.EQ(this=exp.column(name(column)), expression=literal(value)))
    text = exp.AnyValue(this=exp.column(name(meaning.text)))
    told = exp.Subquery(this=exp.select(text).from_(stored(meaning.table)).where(*same))
    return exp.Coalesce(this=told, expressions=[of.copy()])


def _growth(scope: Scope, growth: Growth) -> Any:
    """The change against an earlier row: as a part of what it was, or in its own unit."""
    of, by = scope.sql(growth.of), [scope.sql(each) for each in growth.by]
    then = windows.before(of, scope.sql(growth.over), by, growth.lag)
    if growth.is_difference:
        return windows.minus(of.copy(), then)
    return windows.growth(of, then, growth.scale)


def _running(scope: Scope, running: Running) -> Any:
    keys = [_apart(scope, each, running.over) for each in running.by]
    return windows.running(scope.sql(running.of), scope.sql(running.over), keys, running.last, running.averages)


def _apart(scope: Scope, by: Expr, over: Expr) -> Any:
    """What a window's rows are apart by: the year of months that are grouped is that of each month's first day."""
    if isinstance(by, Bucket) and isinstance(over, Bucket) and by.of == over.of and by not in scope.query.group:
        return windows.bucket(by.grain, scope.sql(over))
    return scope.sql(by)


SCALARS: Mapping[type, Callable[[Scope, Any], Any]] = {
    Col: _column,
    Number: lambda scope, number: literal(number.value),
    Product: _product,
    **dict.fromkeys((Plus, Minus, Times), _arithmetic),
    Ratio: lambda scope, ratio: windows.ratio(scope.sql(ratio.top), scope.sql(ratio.bottom), ratio.scale),
    Bucket: _bucket,
    Bands: _bands,
    Steps: lambda scope, steps: windows.steps(operand(scope, steps.of), steps.width),
    Days: _days,
    Ago: lambda scope, ago: windows.elapsed(as_time(scope, ago.of), literal(ago.day), "day"),
    Age: _age,
    Later: lambda scope, later: windows.later(as_time(scope, later.of), later.count, later.unit),
    Clock: lambda scope, clock: exp.cast(as_time(scope, clock.of), exp.DType.TIME, copy=False),
    First: lambda scope, first: exp.column("day", table=scope.firsts[first]),
    Meaning: _meaning,
    Share: lambda scope, share: windows.share(scope.sql(share.of), [scope.sql(each) for each in share.by], share.scale),
    Growth: _growth,
    Running: _running,
}
