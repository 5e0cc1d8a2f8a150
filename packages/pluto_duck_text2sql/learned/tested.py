"""The conditions of a sketch: comparisons with values, periods, columns, and what nested queries find."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any, cast

from pluto_duck_text2sql.learned.items import Items
from pluto_duck_text2sql.learned.line import COMPARISONS, PATTERNS, Malformed, number
from pluto_duck_text2sql.times.calendar_days import Range
from pluto_duck_text2sql.times.periods import Period, period_of
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Compare,
    Cond,
    During,
    Either,
    Every,
    Expr,
    First,
    Fold,
    Inside,
    Missing,
    Nested,
    Operator,
    Own,
)

_NUMBERED = {
    "year": lambda day: day.year,
    "month_of_year": lambda day: day.month,
    "weekday": lambda day: day.isoweekday(),
}


_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class Tested(Items):
    """Reads conditions."""

    def conditions(self) -> tuple[Cond, ...]:
        """Conditions joined by `and`, which binds tighter, and `or`. Raises Malformed."""
        groups: list[list[Cond]] = [[self.condition()]]
        while word := self.take("and", "or"):
            if word == "or":
                groups.append([])
            groups[-1].append(self.condition())
        if len(groups) == 1:
            return tuple(groups[0])
        return (Either(tuple(each[0] if len(each) == 1 else Every(tuple(each)) for each in groups)),)

    def condition(self) -> Cond:
        """One condition. Raises Malformed."""
        left: Expr = self.date() if self.peek() in ("firstof", "lastof") else self.value()
        word = self.next()
        if isinstance(left, Col) and word in ("null", "notnull", "in", "notin"):
            negated = str(word).startswith("not")
            return Missing(left, negated) if str(word).endswith("null") else Inside(left, self.nested(), negated)
        if word in PATTERNS:
            return self._pattern(left, str(word))
        if word == "between":
            return Every((self._against(left, ">=", self.raw()), self._against(left, "<=", self.raw())))
        if word == "during":
            return self._during(left, self.raw())
        if word not in COMPARISONS:
            raise Malformed(f"{word!r} where a comparison belongs")
        return self._compare(left, cast(Operator, word))

    def _pattern(self, left: Expr, word: str) -> Compare:
        text = _said(self.raw())
        pattern = {"starts": f"{text}%", "ends": f"%{text}"}.get(word, f"%{text}%")
        return Compare(left, "not like" if word == "hasnot" else "like", pattern)

    def _compare(self, left: Expr, operator: Operator) -> Cond:
        if self.peek() == "(":
            return Compare(left, operator, self.nested())
        if self.take("fold"):
            return Compare(left, operator, Fold(number(self.raw()), self.nested()))
        if self.take("own"):
            return Compare(left, operator, self._own())
        if isinstance(self.peek(), Col):
            return Compare(left, operator, self.column())
        return self._against(left, operator, self.raw())

    def _own(self) -> Own:
        by, of = self.column(), self.aggregate()
        if isinstance(of.of, Nested):
            raise Malformed("rows of a nested query have no column in common")
        return Own(of, by)

    def _against(self, left: Expr, operator: Operator, value: Any) -> Cond:
        """A comparison with a value, which may be a period, or a year where the left side is a date."""
        kind = self._kind(left)
        is_day = isinstance(value, Period) or (isinstance(value, str) and _DAY.match(value) is not None)
        if kind == "time" and (isinstance(left, Bucket) or not is_day):
            value = self._period(value)
        if not isinstance(value, Period):
            return Compare(left, operator, self._kept(kind, value))
        if kind == "number":
            return self._numbered(left, operator, value)
        return self._timed(left, operator, value)

    def _during(self, left: Expr, value: Any) -> Cond:
        return self._against(left, "=", self._period(value))

    @staticmethod
    def _period(value: Any) -> Period:
        period = value if isinstance(value, Period) else period_of(_said(value))
        if period is None:
            raise Malformed(f"{value!r} is no period")
        return period

    def _numbered(self, left: Expr, operator: Operator, period: Period) -> Cond:
        """A comparison with the numbers that a column of years keeps of a period, or a bucket that is a number."""
        grain = left.grain if isinstance(left, Bucket) else "year"
        start, end = self._range(left, period)
        if grain not in _NUMBERED or not (start or end):
            raise Malformed(f"no {grain} has a number")
        first = _NUMBERED[grain](start) if start else None
        last = _NUMBERED[grain](end - dt.timedelta(days=1)) if end else None
        if operator != "=" or first == last:
            is_last = first is None or operator in ("<=", ">")
            return Compare(left, operator, last if is_last and last is not None else first)
        bounds = ((">=", first), ("<=", last))
        tests = tuple(Compare(left, cast(Operator, each), bound) for each, bound in bounds if bound is not None)
        return tests[0] if len(tests) == 1 else Every(tests)

    def _timed(self, left: Expr, operator: Operator, period: Period) -> Cond:
        """The range, or one side of it."""
        start, end = self._range(left, period)
        anchored = self._anchor_day(left) if period.relative else None
        first, last = start or end, end or start
        if isinstance(left, Bucket):
            return Compare(left, operator, first, period, anchored)
        if operator == "=" and start and end and isinstance(left, Col | First):
            return During(left, start, end, period, anchored)
        if operator == "=" and start and end:
            return Every((Compare(left, ">=", start, period, anchored), Compare(left, "<", end, period, anchored)))
        if operator == "=":
            return Compare(left, ">=" if start else "<", first, period, anchored)
        if operator == "!=":
            outside = (Compare(left, "<", first, period, anchored), Compare(left, ">=", last, period, anchored))
            return Either(outside)
        bound = first if operator in ("<", ">=") else last
        return Compare(left, "<" if operator.startswith("<") else ">=", bound, period, anchored)

    def _range(self, left: Expr, period: Period) -> Range:
        try:
            return period.resolve(self._anchor_day(left))
        except (ValueError, OverflowError) as error:
            raise Malformed("no period of this calendar") from error

    def _anchor_day(self, left: Expr) -> dt.date:
        of = left.of if isinstance(left, Bucket | First | Agg) else left
        of = of.of if isinstance(of, First) else of
        return self.catalog.last_day(*of.table, of.name, self.today) if isinstance(of, Col) else self.today

    def _kind(self, left: Expr) -> str:
        """What the left side's values are: numbers, unless it is a column of something else, or a date."""
        if isinstance(left, Bucket):
            return "number" if left.grain in _NUMBERED else "time"
        if isinstance(left, Agg) and left.function in ("min", "max"):
            return self._kind(left.of)
        if not isinstance(left, Col):
            return "time" if isinstance(left, First) else "number"
        column = self.catalog.column(*left.table, left.name)
        return column.kind if column else "number"

    @staticmethod
    def _kept(kind: str, value: Any) -> Any:
        """The value as its column keeps it: a number for numbers, a text for texts."""
        return number(value) if kind == "number" else _said(value)


def _said(value: Any) -> str:
    """The value as a text."""
    if isinstance(value, str):
        return value
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
