"""Values seen beside others, printed: parts of a total, growth, running totals, and buckets of time.

Everything is made of expressions that are printed already; what is computed stays NULL where its base is 0 or missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

_NUMBERED = {
    "weekday": "ISODOW",
    "weekday_name": "DAYNAME",
    "month_of_year": "MONTH",
    "quarter_of_year": "QUARTER",
    "year": "YEAR",
    "hour_of_day": "HOUR",
}


def scaled(value: exp.Expression, scale: int) -> Any:
    """A fraction, or a percentage."""
    return value if scale == 1 else exp.Mul(this=exp.Literal.number(scale), expression=value)


def ratio(top: exp.Expression, bottom: exp.Expression, scale: int = 1) -> Any:
    """One by the other."""
    is_number = isinstance(bottom, exp.Literal)
    base = bottom if is_number else exp.Nullif(this=bottom, expression=exp.Literal.number(0))
    return scaled(exp.Div(this=exp.cast(top, exp.DType.DOUBLE, copy=False), expression=base), scale)


def minus(left: exp.Expression, right: exp.Expression) -> Any:
    """One less the other."""
    return exp.Sub(this=left, expression=exp.paren(right) if isinstance(right, exp.Add | exp.Sub) else right)


def share(of: exp.Expression, by: Sequence[exp.Expression], scale: int) -> Any:
    """A group's part of the total of all groups, or of those with the same keys."""
    total = exp.Window(this=exp.Sum(this=of.copy()), partition_by=list(by))
    return scaled(exp.Div(this=exp.cast(of, exp.DType.DOUBLE, copy=False), expression=total), scale)


def before(of: exp.Expression, over: exp.Expression, by: Sequence[exp.Expression], lag: int) -> Any:
    """What it was `lag` rows before."""
    function = exp.Lag(this=of, offset=exp.Literal.number(lag))
    return exp.Window(this=function, partition_by=list(by), order=_ordered(over))


def growth(of: exp.Expression, then: exp.Expression, scale: int) -> Any:
    """The change against what it was then, as a part of that."""
    change = exp.paren(exp.Sub(this=of.copy(), expression=then))
    return ratio(change, then.copy(), scale)


def running(
    of: exp.Expression, over: exp.Expression, by: Sequence[exp.Expression], last: int | None, averages: bool
) -> Any:
    """The sum up to each row, or the sum or the mean of the last `last`."""
    start: Any = "UNBOUNDED" if last is None else exp.Literal.number(last - 1)
    spec = exp.WindowSpec(kind="ROWS", start=start, start_side="PRECEDING", end="CURRENT ROW")
    function = exp.Avg(this=of) if averages else exp.Sum(this=of)
    return exp.Window(this=function, partition_by=list(by), order=_ordered(over), spec=spec)


def _ordered(over: exp.Expression) -> Any:
    return exp.Order(expressions=[exp.Ordered(this=over)])


def bucket(grain: str, column: exp.Expression) -> Any:
    """A date cut to its grain."""
    if grain in _NUMBERED:
        return exp.func(_NUMBERED[grain], column, dialect="duckdb")
    if grain == "half":
        return _half(column)
    cut = exp.func("DATE_TRUNC", exp.Literal.string(grain), column, dialect="duckdb", copy=False)
    return cut if grain == "hour" else exp.cast(cut, exp.DType.DATE, copy=False)


def quarter_begun_before(date: exp.Expression, months: int) -> Any:
    """The first day of a date's quarter, where quarters begin so many months before the calendar's."""
    shifted = bucket("quarter", exp.paren(later(date, months, "month")))
    back = exp.Interval(this=exp.Literal.number(months), unit=exp.var("MONTH"))
    return exp.cast(exp.Sub(this=shifted, expression=back), exp.DType.DATE, copy=False)


def _half(column: exp.Expression) -> Any:
    """The first day of a date's half-year."""
    is_first = exp.LT(this=exp.func("MONTH", column.copy(), dialect="duckdb"), expression=exp.Literal.number(7))
    first, second = exp.Literal.number(1), exp.Literal.number(7)
    month = exp.Case(ifs=[exp.If(this=is_first, true=first)], default=second)
    parts = [exp.func("YEAR", column, dialect="duckdb"), month, first.copy()]
    return exp.Anonymous(this="MAKE_DATE", expressions=parts)


_SECONDS = {"second": 1, "minute": 60, "hour": 3600}


def elapsed(start: exp.Expression, end: exp.Expression, unit: str) -> Any:
    """The whole days from one date to another, or all the time between in a shorter unit."""
    if unit == "workday":
        return _workdays(start, end)
    counted = exp.Literal.string("second" if unit in _SECONDS else unit)
    between = exp.Anonymous(this="DATE_DIFF", expressions=[counted, start, end])
    return between if _SECONDS.get(unit, 1) == 1 else ratio(between, exp.Literal.number(_SECONDS[unit]))


def _workdays(start: exp.Expression, end: exp.Expression) -> Any:
    """The days from Monday to Friday after one date up to another: five a week, and those of the two weeks begun."""
    weeks = [exp.Anonymous(this="DATE_TRUNC", expressions=[exp.Literal.string("week"), each]) for each in (start, end)]
    days = exp.Anonymous(this="DATE_DIFF", expressions=[exp.Literal.string("day"), *weeks])
    placed = [exp.Anonymous(this="LEAST", expressions=[_isodow(each), exp.Literal.number(5)]) for each in (end, start)]
    full = exp.Mul(
        this=exp.paren(exp.IntDiv(this=days, expression=exp.Literal.number(7))), expression=exp.Literal.number(5)
    )
    return exp.paren(exp.Sub(this=exp.Add(this=full, expression=placed[0]), expression=placed[1]))


def _isodow(of: exp.Expression) -> Any:
    return exp.Anonymous(this="ISODOW", expressions=[of])


def steps(of: exp.Expression, width: int) -> Any:
    """A number cut down to a multiple of a width."""
    times = exp.Floor(this=exp.Div(this=exp.paren(of), expression=exp.Literal.number(width)))
    return exp.cast(exp.Mul(this=times, expression=exp.Literal.number(width)), exp.DType.INT, copy=False)


def years(start: exp.Expression, end: exp.Expression) -> Any:
    """The full years from one date to another."""
    return exp.Anonymous(this="DATE_SUB", expressions=[exp.Literal.string("year"), start, end])


def later(date: exp.Expression, count: int, unit: str) -> Any:
    """A date so many units on."""
    step = exp.Interval(this=exp.Literal.number(count), unit=exp.var(unit.upper()))
    return exp.Add(this=date, expression=step)
