"""Prints a query tree as DuckDB's SQL, through sqlglot's expressions; joins come from the join graph.

What must stay true: aggregating never counts a row twice. A table that would multiply the anchor's rows and is only
filtered by becomes EXISTS; one that is grouped by makes `count` count keys.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pluto_duck_text2sql.catalog import Catalog
from pluto_duck_text2sql.joins import JoinGraph, Step
from pluto_duck_text2sql.tree import (
    Agg,
    Among,
    Bucket,
    Col,
    Compare,
    Cond,
    During,
    Either,
    Every,
    Expr,
    Growth,
    Inside,
    Minus,
    Missing,
    Order,
    Product,
    Query,
    Ratio,
    Related,
    Rows,
    Running,
    Share,
    TableKey,
    columns_in,
)

if TYPE_CHECKING:
    from sqlglot import exp

_FUNCTIONS = {"sum": "SUM", "avg": "AVG", "min": "MIN", "max": "MAX", "median": "MEDIAN"}


class Unreachable(ValueError):
    """Two tables of a query are not connected by any key."""


def render(query: Query, catalog: Catalog, joins: JoinGraph) -> str:
    """The query as SQL. Raises Unreachable."""
    return _printed(query, catalog, joins).sql(dialect="duckdb", pretty=True)


def _printed(query: Query, catalog: Catalog, joins: JoinGraph) -> Any:
    """The query's expression: one SELECT, or two put together."""
    from sqlglot import exp

    first = _Printer(catalog, joins, query).select()
    if query.then is None:
        return first
    operator, second = query.then
    kinds = {"union": exp.Union, "intersect": exp.Intersect, "except": exp.Except}
    return kinds[operator](this=first, expression=_printed(second, catalog, joins), distinct=True)


class _Printer:
    def __init__(
        self, catalog: Catalog, joins: JoinGraph, query: Query, outer: dict[TableKey, str] | None = None
    ) -> None:
        self._catalog = catalog
        self._joins = joins
        self._query = query if query.flat else _with_semi_joins(query, joins)
        self._steps = self._tree()
        self._names = self._aliases(outer or {})
        self._multiplied = any(step.multiplies for step in self._steps)

    def _tree(self) -> list[Step]:
        query = self._query
        needed = {*query.also, *(each.table for each in columns_in(query))}
        steps = self._joins.tree(query.anchor, needed)
        if steps is None:
            raise Unreachable(f"{query.anchor[1]} is not connected to {', '.join(sorted(name for _, name in needed))}")
        return steps

    def _aliases(self, outer: dict[TableKey, str]) -> dict[TableKey, str]:
        names: dict[TableKey, str] = {}
        taken = {name.casefold() for name in outer.values()}
        for key in [self._query.anchor, *(step.target for step in self._steps)]:
            name, number = key[1], 2
            while name.casefold() in taken:
                name, number = f"{key[1]}_{number}", number + 1
            taken.add(name.casefold())
            names[key] = name
        return names

    def select(self) -> exp.Select:
        from sqlglot import exp

        query = self._query
        select = exp.select(*(self._shown(each) for each in query.select)).from_(self._table(query.anchor))
        for step in self._steps:
            select = select.join(self._table(step.target), on=self._on(step), join_type="INNER")
        for condition in query.where:
            select = select.where(self._condition(condition))
        if query.group:
            select = select.group_by(*(self._expr(each) for each in query.group))
        for each in query.having:
            select = select.having(self._condition(each))
        return self._finish(select.distinct() if query.distinct else select)

    def _finish(self, select: exp.Select) -> exp.Select:
        from sqlglot import exp

        query = self._query
        orders = [self._order(each.by, each.descending) for each in query.order]
        if query.flat and self._is_grouped:
            orders = [self._order_of_group(each) for each in query.order]
        if query.per and query.limit is not None:
            window = exp.Window(
                this=exp.RowNumber(),
                partition_by=[self._expr(each) for each in query.per],
                order=exp.Order(expressions=orders),
            )
            select = select.qualify(exp.LTE(this=window, expression=exp.Literal.number(query.limit)))
            return select.order_by(*(self._order(each, False) for each in query.per), *orders)
        if query.limit is not None and not query.flat:
            orders += self._tie_break()
        select = select.order_by(*orders) if orders else select
        return select.limit(query.limit) if query.limit is not None else select

    def _order_of_group(self, order: Order) -> exp.Ordered:
        """By a column that its groups hold several values of: by one of them."""
        from sqlglot import exp

        ordered = self._order(order.by, order.descending)
        if isinstance(order.by, Col) and order.by not in self._query.group:
            ordered.set("this", exp.AnyValue(this=ordered.this))
        return ordered

    def _tie_break(self) -> list[exp.Ordered]:
        """A second sort key where there are ties, so that the same question gives the same rows."""
        query = self._query
        keys = [each for each in query.group or query.select if isinstance(each, Col | Bucket)]
        return [self._order(each, False) for each in keys[:1] if each not in [order.by for order in query.order]]

    def _order(self, by: Expr, descending: bool) -> exp.Ordered:
        from sqlglot import exp

        return exp.Ordered(this=self._expr(by), desc=descending, nulls_first=not descending)

    def _shown(self, expression: Expr) -> Any:
        """A column, or one of its values where its group may hold several: a group of customers has one name each."""
        from sqlglot import exp

        query = self._query
        if isinstance(expression, Rows):
            return exp.Star() if not self._steps else exp.Column(this=exp.Star(), table=self._name_of(expression.table))
        if query.flat and isinstance(expression, Col) and self._is_grouped and expression not in query.group:
            return exp.alias_(exp.AnyValue(this=self._expr(expression)), expression.name, quoted=True)
        return self._item(expression)

    @property
    def _is_grouped(self) -> bool:
        """Whether rows are put into groups, or into one."""
        query = self._query
        shown = (*query.select, *(each.by for each in query.order))
        return bool(query.group or query.having) or any(isinstance(each, Agg) for each in shown)

    def _item(self, expression: Expr) -> Any:
        from sqlglot import exp

        printed = self._expr(expression)
        name = alias_of(expression)
        return exp.alias_(printed, name, quoted=not name.isidentifier()) if name else printed

    def _table(self, key: TableKey) -> Any:
        from sqlglot import exp

        schema = None if key[0] == "main" else _name(key[0])
        table = exp.Table(this=_name(key[1]), db=schema)
        name = self._names[key]
        return table if name == key[1] else exp.alias_(table, name, table=True, quoted=not name.isidentifier())

    def _on(self, step: Step) -> Any:
        from sqlglot import exp

        pairs = [
            exp.EQ(this=self._expr(Col(step.source, left)), expression=self._expr(Col(step.target, right)))
            for left, right in step.pairs
        ]
        return exp.and_(*pairs)

    def _expr(self, expression: Any) -> Any:
        from sqlglot import exp

        match expression:
            case Col(table, name):
                single = not self._steps and table == self._query.anchor and table in self._names
                qualifier = None if single and not self._correlated else self._name_of(table)
                return exp.column(_name(name), table=qualifier)
            case Product(price, quantity, discount):
                product = exp.Mul(this=self._expr(price), expression=self._expr(quantity))
                rest = discount and exp.paren(exp.Sub(this=exp.Literal.number(1), expression=self._expr(discount)))
                return exp.Mul(this=product, expression=rest) if rest else product
            case Agg():
                return self._agg(expression)
            case Bucket(grain, column):
                return self._bucket(grain, self._expr(column))
            case Ratio(top, bottom, scale):
                zero = exp.Nullif(this=self._expr(bottom), expression=exp.Literal.number(0))
                return self._scaled(exp.Div(this=exp.cast(self._expr(top), "DOUBLE"), expression=zero), scale)
            case Minus(left, right):
                return exp.Sub(this=self._expr(left), expression=self._expr(right))
            case Share(of, scale):
                total = exp.Window(this=exp.Sum(this=self._expr(of)))
                return self._scaled(exp.Div(this=exp.cast(self._expr(of), "DOUBLE"), expression=total), scale)
            case Growth(of, over, lag):
                return self._growth(self._expr(of), self._expr(over), lag)
            case Running(of, over, last):
                return self._running(self._expr(of), self._expr(over), last)
        return _literal(expression)

    def _scaled(self, value: exp.Expression, scale: int) -> Any:
        from sqlglot import exp

        return value if scale == 1 else exp.Mul(this=exp.Literal.number(scale), expression=value)

    _correlated = False

    def _name_of(self, table: TableKey) -> exp.Identifier:
        return _name(self._names[table])

    def _agg(self, agg: Agg) -> Any:
        from sqlglot import exp

        if agg.function == "count":
            printed: Any = self._count(agg)
        else:
            of = self._expr(agg.of) if agg.function in ("min", "max") else self._as_number(agg.of)
            printed = exp.func(_FUNCTIONS[agg.function], exp.Distinct(expressions=[of]) if agg.distinct else of)
        if not agg.where:
            return printed
        kept = exp.Where(this=exp.and_(*(self._condition(each) for each in agg.where)))
        return exp.Filter(this=printed, expression=kept)

    def _as_number(self, of: Expr) -> Any:
        """A flag counts as 0 or 1, a text that holds numbers as these; anything else as it is."""
        from sqlglot import exp

        kind = self._kind(of)
        if kind == "text":
            return exp.TryCast(this=self._expr(of), to=exp.DataType.build("DOUBLE"))
        return exp.cast(self._expr(of), "INTEGER") if kind == "flag" else self._expr(of)

    def _kind(self, of: Any) -> str:
        """The kind of a column's type; nothing where `of` is no column."""
        table = self._catalog.table(*of.table) if isinstance(of, Col) else None
        column = table.column(of.name) if table and isinstance(of, Col) else None
        return column.kind if column else ""

    def _count(self, agg: Agg) -> Any:
        from sqlglot import exp

        if isinstance(agg.of, Rows):
            key = () if self._query.flat else self._key(agg.of.table)
            if not key or not (self._multiplies(agg.of.table)):
                return exp.Count(this=exp.Star())
            return exp.Count(this=exp.Distinct(expressions=[self._expr(each) for each in key]))
        of = self._expr(agg.of)
        return exp.Count(this=exp.Distinct(expressions=[of]) if agg.distinct else of)

    def _key(self, table: TableKey) -> list[Col]:
        found = self._catalog.table(*table)
        return [Col(table, name) for name in found.primary_key] if found else []

    def _multiplies(self, table: TableKey) -> bool:
        """Whether the joins repeat a row of `table`."""
        if table == self._query.anchor:
            return self._multiplied
        return any(step.source == table and step.multiplies for step in self._steps) or any(
            step.target == table and not step.multiplies for step in self._steps
        )

    def _bucket(self, grain: str, column: exp.Expression) -> Any:
        from sqlglot import exp

        numbered = {"weekday": "ISODOW", "month_of_year": "MONTH", "year": "YEAR"}
        if grain in numbered:
            return exp.func(numbered[grain], column, dialect="duckdb")
        cut = exp.func("DATE_TRUNC", exp.Literal.string(grain), column, dialect="duckdb")
        return cut if grain == "hour" else exp.cast(cut, "DATE")

    def _growth(self, of: exp.Expression, over: exp.Expression, lag: int) -> Any:
        from sqlglot import exp

        before = exp.Window(
            this=exp.Lag(this=of, offset=exp.Literal.number(lag)), order=exp.Order(expressions=[exp.Ordered(this=over)])
        )
        change = exp.paren(exp.Sub(this=of.copy(), expression=before))
        return exp.Div(
            this=exp.cast(change, "DOUBLE"), expression=exp.Nullif(this=before.copy(), expression=exp.Literal.number(0))
        )

    def _running(self, of: exp.Expression, over: exp.Expression, last: int | None) -> Any:
        from sqlglot import exp

        spec = exp.WindowSpec(
            kind="ROWS",
            start="UNBOUNDED" if last is None else exp.Literal.number(last - 1),
            start_side="PRECEDING",
            end="CURRENT ROW",
        )
        function = exp.Sum(this=of) if last is None else exp.Avg(this=of)
        return exp.Window(this=function, order=exp.Order(expressions=[exp.Ordered(this=over)]), spec=spec)

    def _condition(self, condition: Cond) -> Any:
        from sqlglot import exp

        match condition:
            case Compare(left, operator, right):
                return self._compare(left, operator, right)
            case Among(left, values, negated):
                inside = exp.In(this=self._expr(left), expressions=[_literal(value) for value in values])
                return exp.not_(inside) if negated else inside
            case During(left, start, end):
                column = self._expr(left)
                return exp.and_(
                    exp.GTE(this=column, expression=_literal(start)),
                    exp.LT(this=column.copy(), expression=_literal(end)),
                )
            case Missing(left, negated):
                null = exp.Is(this=self._expr(left), expression=exp.Null())
                return exp.not_(null) if negated else null
            case Either(any_of):
                return exp.or_(*(self._condition(each) for each in any_of))
            case Every(all_of):
                return exp.and_(*(self._condition(each) for each in all_of))
            case Inside():
                return self._inside(condition)
            case Related():
                return self._related(condition)

    def _inside(self, inside: Inside) -> Any:
        from sqlglot import exp

        inner = self._inner(inside.query)
        left, shown = self._expr(inside.left), inside.query.select[0]
        if self._kind(inside.left) != self._kind(shown) and isinstance(shown, Col):
            left = exp.cast(left, "VARCHAR")
            inner.set("expressions", [exp.cast(inner.expressions[0], "VARCHAR")])
        found = exp.In(this=left, query=inner.subquery())
        return exp.not_(found) if inside.negated else found

    def _compare(self, left: Expr, operator: str, right: Any) -> Any:
        from sqlglot import exp

        value = self._right(right)
        number = isinstance(right, int | float) and not isinstance(right, bool)
        if number and self._kind(left) == "text":
            return self._compare_printed(self._as_number(left), operator, value)
        if operator in ("like", "not like"):
            like = exp.ILike(this=self._expr(left), expression=value)
            return exp.not_(like) if operator.startswith("not") else like
        return self._compare_printed(self._expr(left), operator, value)

    def _compare_printed(self, left: exp.Expression, operator: str, right: exp.Expression) -> Any:
        from sqlglot import exp

        kinds = {"=": exp.EQ, "!=": exp.NEQ, "<": exp.LT, "<=": exp.LTE, ">": exp.GT, ">=": exp.GTE}
        return kinds[operator](this=left, expression=right)

    def _right(self, right: Any) -> Any:
        if isinstance(right, Query):
            return self._inner(right).subquery()
        return self._scalar(right) if isinstance(right, Agg) else self._expr(right)

    def _inner(self, query: Query) -> Any:
        """A query within this one, about nothing of it. DuckDB's NOT IN finds nothing where a NULL is among them."""
        return _printed(query, self._catalog, self._joins)

    def _scalar(self, agg: Agg) -> Any:
        """An aggregate over a whole table, as a query of its own."""
        table = next(columns_in(agg.of)).table
        inner = _Printer(self._catalog, self._joins, Query(table, (agg,)))
        return inner.select().subquery()

    def _related(self, related: Related) -> Any:
        """EXISTS over the way from the anchor to the related table, correlated on its first step."""
        from sqlglot import exp

        path = self._joins.path(self._query.anchor, related.table)
        if not path:
            raise Unreachable(f"{self._query.anchor[1]} is not connected to {related.table[1]}")
        first, rest = path[0], path[1:]
        inner = _Printer(
            self._catalog, self._joins, Query(first.target, (Rows(first.target),), where=related.where), self._names
        )
        inner._steps = [*rest, *(step for step in inner._steps if step.target not in {each.target for each in rest})]
        inner._names = inner._aliases(self._names)
        inner._correlated = True
        counted = related.count is not None
        select = exp.select(exp.Count(this=exp.Star()) if counted else "1").from_(inner._table(first.target))
        for step in inner._steps:
            select = select.join(inner._table(step.target), on=inner._on(step))
        for left, right in first.pairs:
            outer = exp.column(_name(left), table=_name(self._names[first.source]))
            select = select.where(exp.EQ(this=inner._expr(Col(first.target, right)), expression=outer))
        for each in related.where:
            select = select.where(inner._condition(each))
        if related.count is not None:
            operator, number = related.count
            return self._compare_printed(select.subquery(), operator, _literal(number))
        exists = exp.Exists(this=select)
        return exp.not_(exists) if related.negated else exists


def _with_semi_joins(query: Query, joins: JoinGraph) -> Query:
    """Conditions on tables that would multiply the anchor's rows, and are needed for nothing else, become Related."""
    shown = {each.table for part in (query.select, query.group, query.order, query.having) for each in columns_in(part)}
    kept: list[Cond] = []
    related: dict[TableKey, list[Cond]] = {}
    for condition in query.where:
        tables = {each.table for each in columns_in(condition)} - shown - {query.anchor}
        table = next(iter(tables), None)
        path = joins.path(query.anchor, table) if table and len(tables) == 1 else None
        via_shown = path and any(step.multiplies and step.target in shown for step in path)
        if table and path and any(step.multiplies for step in path) and not via_shown:
            related.setdefault(table, []).append(condition)
        else:
            kept.append(condition)
    return replace(query, where=(*kept, *(Related(table, tuple(each)) for table, each in related.items())))


def alias_of(expression: Expr) -> str:
    """A name for a computed column; plain columns keep their own."""
    match expression:
        case Col() | Rows():
            return ""
        case Agg("count", of):
            return f"{of.table[1]}_count" if isinstance(of, Rows) else f"{_tail(of)}_count"
        case Agg(function, of):
            return f"{function}_{_tail(of)}"
        case Bucket(grain):
            return str(grain)
        case Share():
            return "share"
        case Growth():
            return "growth"
        case Running(_, _, last):
            return "moving_average" if last else "running_total"
        case Ratio():
            return "ratio"
    return "change"


def _tail(expression: Expr) -> str:
    return expression.name if isinstance(expression, Col) else "revenue" if isinstance(expression, Product) else "value"


def _name(text: str) -> exp.Identifier:
    from sqlglot import exp

    return exp.to_identifier(text, quoted=not text.isidentifier() or text.upper() in _RESERVED)


_RESERVED = frozenset(
    """ALL ANALYSE ANALYZE AND ANY ARRAY AS ASC ASYMMETRIC BOTH CASE CAST CHECK COLLATE COLUMN CONSTRAINT CREATE
    DEFAULT DEFERRABLE DESC DESCRIBE DISTINCT DO ELSE END EXCEPT FALSE FETCH FOR FOREIGN FROM GRANT GROUP HAVING
    IN INITIALLY INTERSECT INTO LAMBDA LATERAL LEADING LIMIT NOT NULL OFFSET ON ONLY OR ORDER PIVOT PLACING
    PRIMARY QUALIFY REFERENCES RETURNING SELECT SHOW SOME SUMMARIZE SYMMETRIC TABLE THEN TO TRAILING TRUE UNION
    UNIQUE UNPIVOT USING VARIADIC WHEN WHERE WINDOW WITH LEFT RIGHT FULL INNER OUTER CROSS JOIN NATURAL POSITIONAL
    ANTI SEMI ASOF GLOB ILIKE IS ISNULL LIKE NOTNULL OVERLAPS SIMILAR TABLESAMPLE""".split()
)


def _literal(value: Any) -> Any:
    from sqlglot import exp

    if isinstance(value, bool):
        return exp.Boolean(this=value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int | float):
        return exp.Literal.number(value) if value >= 0 else exp.Neg(this=exp.Literal.number(-value))
    if isinstance(value, dt.date):
        return exp.cast(exp.Literal.string(value.isoformat()), "DATE")
    return exp.Literal.string(str(value))
