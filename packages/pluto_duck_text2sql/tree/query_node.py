"""A query: what is shown of which rows, in which groups and order."""

from __future__ import annotations

from dataclasses import dataclass, field

from pluto_duck_text2sql.tree.condition_nodes import Cond
from pluto_duck_text2sql.tree.expression_nodes import Expr
from pluto_duck_text2sql.tree.vocabulary import Pointer, SetOperator, TableKey


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
    same period or group, whose figures stand beside this one's. `outer`: a row of the anchor stays though none of the
    other tables belongs to it; counts and sums of none are 0.
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
