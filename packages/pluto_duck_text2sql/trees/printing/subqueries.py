"""What is told by another query within the query: IN, EXISTS, and values that a query of one finds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlglot import exp

from pluto_duck_text2sql.data.joins import Step, Unreachable
from pluto_duck_text2sql.tree import Col, Fold, Inside, Own, Query, Related, Rows, columns_in
from pluto_duck_text2sql.trees.printing.constants import literal, name
from pluto_duck_text2sql.trees.printing.predicates import signed
from pluto_duck_text2sql.trees.printing.scope import Scope


def _inside(scope: Scope, inside: Inside) -> Any:
    """IN (the query). DuckDB's NOT IN finds nothing where a NULL is among them."""
    inner = scope.inner(inside.query)
    left, shown = scope.sql(inside.left), inside.query.select[0]
    if scope.kind(inside.left) != scope.kind(shown) and isinstance(shown, Col):
        left = exp.cast(left, "VARCHAR")
        inner.set("expressions", [exp.cast(inner.expressions[0], "VARCHAR")])
    if inside.negated and isinstance(inner, exp.Select) and _may_miss(scope, shown):
        inner = inner.where(exp.not_(exp.Is(this=inner.expressions[0].unalias().copy(), expression=exp.Null())))
    found = exp.In(this=left, query=inner.subquery(copy=False))
    return exp.not_(found, copy=False) if inside.negated else found


def _may_miss(scope: Scope, shown: Any) -> bool:
    """Whether NULLs are among the values."""
    column = scope.found(shown)
    return column is not None and bool(column.null_fraction)


def _related(scope: Scope, related: Related) -> Any:
    """EXISTS over the way from the anchor to the related table, correlated on its first step; or how many there are."""
    path = scope.joins.path(scope.query.anchor, related.table, scope.query.through)
    if not path:
        raise Unreachable(f"{scope.query.anchor[1]} is not connected to {related.table[1]}")
    found = _way(scope, related, path)
    if related.count is not None:
        operator, number = related.count
        return signed(found.subquery(copy=False), operator, literal(number))
    exists = exp.Exists(this=found)
    return exp.not_(exists, copy=False) if related.negated else exists


def _way(scope: Scope, related: Related, path: list[Step]) -> exp.Select:
    """The rows on the way that belong to the row around them."""
    first, rest = path[0], path[1:]
    inner = _joined(scope, Query(first.target, (Rows(first.target),), related.where, through=scope.query.through), rest)
    counted = _counted(inner, related) if related.count is not None else "1"
    select = exp.select(counted).from_(inner.table(first.target))
    for step in inner.steps:
        select.append("joins", exp.Join(this=inner.table(step.target), on=inner.on(step)))
    for left, right in first.pairs:
        outer = exp.column(name(left), table=name(scope.names[first.source]), copy=False)
        select = select.where(exp.EQ(this=inner.plain(Col(first.target, right)), expression=outer), copy=False)
    for each in related.where:
        select = select.where(inner.sql(each), copy=False)
    return select


def _joined(scope: Scope, query: Query, rest: list[Step]) -> Scope:
    """The query within this one, joined by the steps of the way before its own."""
    inner = scope.within(query)
    inner.steps = [*rest, *(step for step in inner.steps if step.target not in {each.target for each in rest})]
    inner.names = inner.named_beside(scope.names)
    return inner


def _counted(inner: Scope, related: Related) -> Any:
    """The related rows, or their different keys."""
    keys = [inner.sql(each) for each in inner.key_of(related.table)] if related.distinct else []
    return exp.Count(this=exp.Distinct(expressions=keys) if keys else exp.Star())


def _own(scope: Scope, own: Own) -> Any:
    """An aggregate over the rows with the same value, as a query that looks at this one's row."""
    table = next(columns_in(own.of)).table
    inner = scope.within(Query(table, (own.of,), flat=True, also=(own.by.table,)))
    mine = own.here or own.by
    here = exp.column(name(mine.name), table=scope.name_of(mine.table), copy=False)
    own_by = inner.plain(own.by) if isinstance(own.by, Col) else inner.sql(own.by)
    found = inner.select().where(exp.EQ(this=own_by, expression=here)).subquery()
    return found if own.times == 1 else exp.Mul(this=literal(own.times), expression=found)


def _fold(scope: Scope, fold: Fold) -> Any:
    """What a query of one value finds, times a number."""
    found = scope.inner(fold.query).subquery(copy=False)
    return found if fold.times == 1 else exp.Mul(this=literal(fold.times), expression=found)


SUBQUERIES: Mapping[type, Callable[[Scope, Any], Any]] = {
    Inside: _inside,
    Related: _related,
    Own: _own,
    Fold: _fold,
}
