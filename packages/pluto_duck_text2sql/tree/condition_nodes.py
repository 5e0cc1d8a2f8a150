"""Conditions: comparisons, lists of values, periods, what is missing, related or inside, and these put together."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from pluto_duck_text2sql.tree.expression_nodes import Col, Expr, First
from pluto_duck_text2sql.tree.vocabulary import Operator, TableKey

if TYPE_CHECKING:
    from pluto_duck_text2sql.tree.query_node import Query


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
