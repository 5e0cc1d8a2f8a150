"""Expressions: columns, what is computed of a row, aggregates, and what is computed of these."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from pluto_duck_text2sql.tree.vocabulary import Function, Grain, Passed, TableKey, Unit

if TYPE_CHECKING:
    from pluto_duck_text2sql.tree.condition_nodes import Cond
    from pluto_duck_text2sql.tree.query_node import Query


@dataclass(frozen=True)
class Col:
    """A column."""

    table: TableKey
    name: str


@dataclass(frozen=True)
class Rows:
    """The rows of a table: what `count` counts."""

    table: TableKey


@dataclass(frozen=True)
class Product:
    """A measure that is not stored: price × quantity, less a discount where there is one: a fraction of 1, or an amount
    that is taken `off`."""

    price: Col
    quantity: Col
    discount: Col | None = None
    off: Col | None = None

    @property
    def is_whole(self) -> bool:
        """Whether nothing is taken from it."""
        return self.discount is None and self.off is None


@dataclass(frozen=True)
class Days:
    """The whole days from one date to another; of a group's rows from the least to the greatest.

    In a shorter `unit` it is all the time between, down to the second: 1.5 hours; in a longer one how many of them have
    begun in between.
    """

    start: Col | First | Agg
    end: Col | First | Agg
    unit: Unit | Passed = "day"


@dataclass(frozen=True)
class Ago:
    """The whole days from a date, of a group's rows from the least or the greatest, to a day."""

    of: Col | First | Agg
    day: dt.date


@dataclass(frozen=True)
class Age:
    """The full years from a date to a day, or to the row's own date: how old somebody was when hired."""

    of: Col
    on: dt.date | Col


@dataclass(frozen=True)
class Clock:
    """The time of day of a moment."""

    of: Col


@dataclass(frozen=True)
class Later:
    """A date moved on by so many units: 30 days after the first order."""

    of: Col | First
    count: int
    unit: Grain


@dataclass(frozen=True)
class Meaning:
    """What a code table says that a column's code means; the code itself where it says nothing. `kind` is the column
    that tells whose codes they are, with its value. How an answer is shown: no reading holds it."""

    of: Col
    table: TableKey
    code: str
    text: str
    kind: tuple[str, str] | None = None


@dataclass(frozen=True)
class First:
    """The earliest (`last`: the latest) date among the rows of one key that meet `where`: a customer's first order
    date."""

    of: Col
    by: Col
    last: bool = False
    where: tuple[Cond, ...] = ()


@dataclass(frozen=True)
class Nested:
    """What a query of one value a group finds: `avg` of it is an average of sums."""

    query: Query


def in_each_group(query: Query, figure: Expr) -> Nested:
    """What a figure of a tree comes to in each of its groups, in no order."""
    return Nested(replace(query, select=(figure,), order=()))


@dataclass(frozen=True)
class Agg:
    """An aggregate; `where` restricts what goes into it, `at` is the fraction of a quantile."""

    function: Function
    of: Expr
    distinct: bool = False
    where: tuple[Cond, ...] = ()
    at: float = 0.5


@dataclass(frozen=True)
class Bucket:
    """A date cut to a grain: the period's first day; a number for year, weekday (Monday 1) and what is of a cycle.

    `weekday_name` is how render.py prints a weekday that is shown; no reading holds it.
    """

    grain: Grain
    of: Col | First | Later


@dataclass(frozen=True)
class Band:
    """A range of numbers and what it is called; None where it has no such end."""

    label: str
    low: float | None
    high: float | None
    holds_low: bool = True
    holds_high: bool = False


@dataclass(frozen=True)
class Bands:
    """What the range is called that a number is in, missing where it is in none."""

    of: Expr
    bands: tuple[Band, ...]


@dataclass(frozen=True)
class Steps:
    """A number cut down to a multiple of `width`: a year to its decade."""

    of: Expr
    width: int


@dataclass(frozen=True)
class Ratio:
    """One value by another, times `scale` (1: a fraction, 100: a percentage)."""

    top: Expr
    bottom: Expr
    scale: int = 1


@dataclass(frozen=True)
class Share:
    """A group's part of the total over all groups, or those with the same `by`, times `scale` (1: a fraction, 100: a
    percentage)."""

    of: Expr
    scale: int = 1
    by: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class Growth:
    """(now − before) ÷ before, times `scale`, against the row `lag` buckets earlier among those with the same `by`.

    `is_difference`: now − before alone. `is_wide`: the first bucket of a period compares with the one before it, which
    is not shown.
    """

    of: Expr
    over: Expr
    lag: int = 1
    scale: int = 1
    by: tuple[Expr, ...] = ()
    is_difference: bool = False
    is_wide: bool = False


@dataclass(frozen=True)
class Running:
    """The sum of all rows up to this one, or the mean of the last `last` rows, among those with the same `by`.

    `is_wide`: rows before the query's period count too, and are not shown. `adds`: the last rows' sum, not their mean.
    """

    of: Expr
    over: Expr
    last: int | None = None
    by: tuple[Expr, ...] = ()
    is_wide: bool = False
    adds: bool = False

    @property
    def averages(self) -> bool:
        """Whether it is a mean."""
        return self.last is not None and not self.adds


@dataclass(frozen=True)
class Minus:
    """A difference."""

    left: Expr
    right: Expr


@dataclass(frozen=True)
class Plus:
    """A sum of two values of a row: stock and what is on order."""

    left: Expr
    right: Expr


@dataclass(frozen=True)
class Times:
    """A product that Product has no part for: of what is computed, or with a number."""

    left: Expr
    right: Expr


@dataclass(frozen=True)
class Number:
    """A number within a computation: the 1 of `1 - discount`."""

    value: float


Arithmetic: TypeAlias = Plus | Minus | Times


@dataclass(frozen=True)
class Own:
    """What `of` is over the rows that have the same `by` as this one, `times` it: the average of a track's genre.

    Where there is `here`, over those whose `by` is what this one's `here` points to: the pay of an employee's manager.
    """

    of: Agg
    by: Col
    times: float = 1.0
    here: Col | None = None


@dataclass(frozen=True)
class Fold:
    """A multiple of the one value that a query finds."""

    times: float
    query: Query


Expr: TypeAlias = (
    Col
    | Rows
    | Product
    | Days
    | Age
    | Ago
    | Clock
    | Later
    | Meaning
    | First
    | Nested
    | Agg
    | Bucket
    | Bands
    | Steps
    | Ratio
    | Share
    | Growth
    | Running
    | Arithmetic
    | Number
    | Own
    | Fold
)
