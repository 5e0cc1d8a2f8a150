"""The query tree: what a question means, without tables to join. SQL is printed from it alone (render.py).

Expressions name columns and tables; which tables are joined, and how, follows from them and the keys (joins.py).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, fields, is_dataclass, replace
from operator import is_
from types import NoneType
from typing import Any, Literal, TypeAlias

TableKey: TypeAlias = tuple[str, str]
Pointer: TypeAlias = tuple[TableKey, str]
"""A column that points at the key of another table, by its own table and its name."""
Function = Literal["count", "sum", "avg", "min", "max", "median", "stddev", "quantile"]
Grain = Literal[
    "hour",
    "day",
    "week",
    "month",
    "quarter",
    "half",
    "year",
    "weekday",
    "weekday_name",
    "month_of_year",
    "quarter_of_year",
    "hour_of_day",
]
Unit = Literal["day", "hour", "minute", "second"]
Passed = Literal["week", "month", "quarter", "year"]
Operator = Literal["=", "!=", "<", "<=", ">", ">=", "like", "not like"]
SetOperator = Literal["union", "intersect", "except"]


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
    """A group's part of the total over all groups, times `scale` (1: a fraction, 100: a percentage)."""

    of: Expr
    scale: int = 1


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


class Holding(str):
    """A text in lower case that stored values hold; what equals it is what holds it, in any case. No plain text."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and str.__eq__(self, str(other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


class Item(Holding):
    """A text in lower case that is one of those which a cell lists, whole: `niger` is no part of Nigeria."""

    __slots__ = ()


def sign_shown(operator: str, right: Any) -> str:
    """A comparison as a reading shows it: what equals a `Holding` holds it."""
    return {"=": "holds", "!=": "does not hold"}.get(operator, operator) if isinstance(right, Holding) else operator


@dataclass(frozen=True)
class Compare:
    """`left operator right`; `right` is a value, a column, an aggregate over the whole table, or a query of one.

    It may also be Own or Fold. `said` and `anchored` are as in During.
    """

    left: Expr
    operator: Operator
    right: Any
    said: Any = field(default=None, compare=False)
    anchored: dt.date | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Among:
    """The column holds one of the values."""

    left: Col
    values: tuple[Any, ...]
    negated: bool = False


@dataclass(frozen=True)
class During:
    """A date within the half-open range from `start` to before `end`.

    `said` is the question's period, `anchored` the day a relative one counts from; None where there is none.
    """

    left: Col | First
    start: dt.date
    end: dt.date
    said: Any = field(default=None, compare=False)
    anchored: dt.date | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Missing:
    """The column is NULL (or is not)."""

    left: Col
    negated: bool = False


@dataclass(frozen=True)
class Related:
    """There is (`negated`: there is no) row of `table` that belongs to the query's anchor and meets `where`.

    With `count` = `(operator, n)`: the number of such rows compares so; `distinct`: of those that differ in their key.
    """

    table: TableKey
    where: tuple[Cond, ...] = ()
    negated: bool = False
    count: tuple[Operator, float] | None = None
    distinct: bool = False


@dataclass(frozen=True)
class Either:
    """At least one of the conditions holds."""

    any_of: tuple[Cond, ...]


@dataclass(frozen=True)
class Every:
    """All of the conditions hold."""

    all_of: tuple[Cond, ...]


@dataclass(frozen=True)
class Inside:
    """The value is among those that a query of one column finds."""

    left: Col
    query: Query
    negated: bool = False


Cond: TypeAlias = Compare | Among | During | Missing | Related | Either | Every | Inside


@dataclass(frozen=True)
class Order:
    """A sort key; one that only `settles` ties, for which nobody asked, has missing values last as DuckDB does."""

    by: Expr
    descending: bool = False
    settles: bool = False


@dataclass(frozen=True)
class Query:
    """One SELECT. `anchor` is the table whose rows are listed, counted or measured; `per` makes `limit` one a group,
    where rows that sort alike share a place. `nth`: only the last of the `limit` rows is wanted.

    `flat`: a condition on another table joins it, and counts are of joined rows, as people write SQL by hand; else
    such conditions never multiply rows. `also` are tables that are joined though nothing of them is shown, `through`
    the columns that joins go by where two keys lead from one table to another (ways.py).
    `then` puts a second query's rows with, or takes them from, this one's. `beside` are queries of other rows by the
    same period, whose figures stand beside this one's. `outer`: a row of the anchor stays though none of the other
    tables belongs to it; counts and sums of none are 0.
    """

    anchor: TableKey
    select: tuple[Expr, ...]
    where: tuple[Cond, ...] = ()
    group: tuple[Expr, ...] = ()
    having: tuple[Cond, ...] = ()
    order: tuple[Order, ...] = ()
    limit: int | None = None
    distinct: bool = False
    per: tuple[Expr, ...] = field(default=())
    flat: bool = False
    also: tuple[TableKey, ...] = ()
    then: tuple[SetOperator, Query] | None = None
    nth: bool = False
    beside: tuple[Query, ...] = ()
    through: tuple[Pointer, ...] = ()
    outer: bool = False
    percent: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether it shows all that it finds, once, and nothing of another query."""
        return not (self.having or self.limit or self.then or self.per or self.distinct or self.beside)


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


def _nodes_below(kind: type) -> tuple[str, ...] | None:
    """Those of `parts_of` in which nodes may be."""
    if kind not in _BELOW:
        typed = fields(kind) if is_dataclass(kind) else None
        _BELOW[kind] = None if typed is None else tuple(each.name for each in typed if each.type not in _PLAIN)
    return _BELOW[kind]


def columns_in(node: Any) -> Iterator[Col | Rows]:
    """Every column and row set below `node`, but not those of queries within it, which join for themselves."""
    found: list[Col | Rows] = []
    _gather_columns(node, found)
    return iter(found)


def _gather_columns(node: Any, found: list[Col | Rows]) -> None:
    kind = type(node)
    if kind is tuple:
        for each in node:
            _gather_columns(each, found)
    elif kind is Col or kind is Rows:
        found.append(node)
    elif kind is First or kind is Own:
        found.append(node.by)
    elif kind is not Related:
        for name in _nodes_below(kind) or ():
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
            _gather(each, found, but, within=within)
    elif (names := _nodes_below(kind)) is not None:
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
        kept["_kinds"] = frozenset(map(type, _gathered(query, (), within=True)))
    found: frozenset[type] = kept["_kinds"]
    return found


def mapped(node: Any, change: Callable[[Any], Any], of: tuple[type, ...] = ()) -> Any:
    """`node` with every part of it, queries within it too, replaced by what `change` makes of it, inner parts first.

    `of` are the types that `change` makes something else of, where it is known: a query without any is left as it is.
    """
    kind = type(node)
    if of and kind is Query and kinds_in(node).isdisjoint(of):
        return node
    if kind is tuple:
        made = tuple([each if type(each) in _LEAVES else mapped(each, change) for each in node])
        return node if all(map(is_, made, node)) else made
    names = None if kind in _LEAVES else _nodes_below(kind)
    if names is None:
        return node
    differ = {}
    for name in names:
        part = getattr(node, name)
        if type(part) in _LEAVES or part == () or name in _UNCHANGED:
            continue
        new = mapped(part, change)
        if new is not part and new != part:
            differ[name] = new
    return change(replace(node, **differ) if differ else node)
