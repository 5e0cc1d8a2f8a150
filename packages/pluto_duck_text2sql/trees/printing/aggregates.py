"""Aggregates as SQL: what is added up, averaged and counted, each row once; and those of what another query finds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlglot import exp

from pluto_duck_text2sql.tree import Agg, Col, Compare, Nested, Rows, TableKey, columns_in, nodes_in
from pluto_duck_text2sql.trees.column_names import alias_of, without_repeats
from pluto_duck_text2sql.trees.printing.coercions import as_number, sortable
from pluto_duck_text2sql.trees.printing.scope import Scope
from pluto_duck_text2sql.trees.reserved import needs_quotes

_FUNCTIONS = {"sum": "SUM", "avg": "AVG", "min": "MIN", "max": "MAX", "median": "MEDIAN", "stddev": "STDDEV"}


def _aggregate(scope: Scope, agg: Agg) -> Any:
    """An aggregate of the rows that it is restricted to; a sum of none is 0 where rows stay that have none."""
    if isinstance(agg.of, Nested):
        return over(scope, agg).subquery(copy=False)
    printed = _computed(scope, agg)
    if agg.where:
        kept = exp.and_(*(scope.sql(each) for each in without_repeats(agg.where)), copy=False)
        printed = exp.Filter(this=printed, expression=exp.Where(this=kept))
    of_none = scope.query.outer and agg.function == "sum"
    return exp.Coalesce(this=printed, expressions=[exp.Literal.number(0)]) if of_none else printed


def _computed(scope: Scope, agg: Agg) -> Any:
    if agg.function == "count":
        of = agg.of
        return _rows_counted(scope, of.table) if isinstance(of, Rows) else _function(agg, scope.sql(of))
    printed = sortable(scope, agg.of) if agg.function in ("min", "max") else as_number(scope, agg.of)
    return _function(agg, printed)


def _function(agg: Agg, of: exp.Expression) -> Any:
    if agg.function == "quantile":
        return exp.Anonymous(this="QUANTILE_CONT", expressions=[of, exp.Literal.number(agg.at)])
    argument = exp.Distinct(expressions=[of]) if agg.distinct else of
    if agg.function == "count":
        return exp.Count(this=argument)
    return exp.func(_FUNCTIONS[agg.function], argument, copy=False)


def _rows_counted(scope: Scope, table: TableKey) -> Any:
    """COUNT(*), or of the different keys where joins repeat the rows."""
    beside = not scope.query.flat or table != scope.query.anchor or _is_beside_others(scope, table)
    key = scope.key_of(table) if beside and not _is_one(scope, table) else []
    if not key or not scope.multiplies(table):
        joined = _joined_by(scope, table) if scope.query.outer else None
        return exp.Count(this=scope.sql(joined) if joined else exp.Star())
    return exp.Count(this=exp.Distinct(expressions=[scope.sql(each) for each in key]))


def _joined_by(scope: Scope, table: TableKey) -> Col | None:
    """A column that every row of a joined table holds something in: that by which it is joined."""
    step = next((each for each in scope.steps if each.target == table), None)
    return Col(table, step.pairs[0][1]) if step else None


def _is_one(scope: Scope, table: TableKey) -> bool:
    """Whether one row of a table is left, so that the rows that point at it are counted: `number of cleaning jobs`,
    where cleaning is one of the kinds."""
    rows, where = scope.catalog.table(*table), scope.query.where
    fixed = (each.left for each in where if isinstance(each, Compare) and each.operator == "=")
    columns = (scope.found(each) for each in fixed if isinstance(each, Col) and each.table == table)
    return any(each is not None and rows is not None and each.n_distinct == rows.row_count for each in columns)


def _is_beside_others(scope: Scope, table: TableKey) -> bool:
    """Whether another aggregate of the query is of another table: orders are counted where lines are summed."""
    query = scope.query
    shown = (query.select, query.having, tuple(each.by for each in query.order))
    aggregates = (each for each in nodes_in(shown) if isinstance(each, Agg))
    return any(column.table != table for each in aggregates for column in columns_in(each.of))


def over(scope: Scope, agg: Agg, alias: str = "") -> Any:
    """SELECT avg(value) FROM (the query's rows)."""
    assert isinstance(agg.of, Nested)
    printed = _function(agg, exp.column("value"))
    shown = exp.alias_(printed, alias, quoted=needs_quotes(alias)) if alias else printed
    return exp.select(shown).from_(_values(scope, agg.of))


def by_value(scope: Scope, of: Nested) -> Any:
    """SELECT value, count(*) FROM (the query's rows) GROUP BY value ORDER BY value."""
    value, name = exp.column("value"), alias_of(Agg("count", of.query.group[0]))
    number = exp.alias_(value, alias_of(of.query.select[0]), quoted=True)
    many = exp.alias_(exp.Count(this=exp.Star()), name, quoted=needs_quotes(name))
    return exp.select(number, many).from_(_values(scope, of)).group_by(value).order_by(value)


def _values(scope: Scope, of: Nested) -> Any:
    """(the query's rows) AS found(value)."""
    name = exp.TableAlias(this=exp.to_identifier("found"), columns=[exp.to_identifier("value")])
    return exp.Subquery(this=scope.inner(of.query), alias=name)


AGGREGATES: Mapping[type, Callable[[Scope, Any], Any]] = {Agg: _aggregate}
