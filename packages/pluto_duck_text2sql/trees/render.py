"""Prints a query tree as DuckDB's SQL, through sqlglot's expressions; joins come from the join graph.

What must stay true: aggregating never counts a row twice. A table that would multiply the anchor's rows and is only
filtered by becomes EXISTS; one that is grouped by makes `count` count keys.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from pluto_duck_text2sql.data.catalog import Catalog, Column
from pluto_duck_text2sql.data.joins import JoinGraph, Step
from pluto_duck_text2sql.data.listing import ends_of
from pluto_duck_text2sql.data.numbered_times import read, whole
from pluto_duck_text2sql.data.text_times import AMOUNT, WITH_ZONE, ZONE, without_zone
from pluto_duck_text2sql.tree import (
    Age,
    Agg,
    Ago,
    Among,
    Arithmetic,
    Band,
    Bands,
    Bucket,
    Clock,
    Col,
    Compare,
    Cond,
    Days,
    During,
    Either,
    Every,
    Expr,
    First,
    Fold,
    Growth,
    Holding,
    Inside,
    Item,
    Later,
    Meaning,
    Minus,
    Missing,
    Nested,
    Number,
    Order,
    Own,
    Plus,
    Product,
    Query,
    Ratio,
    Related,
    Rows,
    Running,
    Share,
    Steps,
    TableKey,
    Times,
    columns_in,
    is_total,
    nodes_in,
)
from pluto_duck_text2sql.trees import windows
from pluto_duck_text2sql.trees.by_period import by_period
from pluto_duck_text2sql.trees.column_names import alias_of, names_of, without_repeats
from pluto_duck_text2sql.trees.reserved import needs_quotes
from pluto_duck_text2sql.trees.wide import split_period
from pluto_duck_text2sql.trees.years import holds_years

if TYPE_CHECKING:
    from sqlglot import exp

_FUNCTIONS = {"sum": "SUM", "avg": "AVG", "min": "MIN", "max": "MAX", "median": "MEDIAN", "stddev": "STDDEV"}


class Unreachable(ValueError):
    """Two tables of a query are not connected by any key."""


def render(query: Query, catalog: Catalog, joins: JoinGraph) -> str:
    """The query as SQL, of which the same data gives the same rows in the same order. Raises Unreachable."""
    shown_in_order = query if query.then or query.beside else _with_day_names(_sorted_by(query, query.group))
    return _printed(shown_in_order, catalog, joins).sql(dialect="duckdb", pretty=True, copy=False)


def _with_day_names(query: Query) -> Query:
    """Days of the week by their names where they are shown; they are sorted and compared as numbers."""
    days = [each for each in query.select if isinstance(each, Bucket) and each.grain == "weekday"]
    names = {} if query.distinct else {each: Bucket("weekday_name", each.of) for each in days}
    group = (*query.group, *(names[each] for each in query.group if isinstance(each, Bucket) and each in names))
    return replace(query, select=tuple(_named_day(each, names) for each in query.select), group=group)


def _named_day(shown: Expr, names: Mapping[Bucket, Bucket]) -> Expr:
    return names.get(shown, shown) if isinstance(shown, Bucket) else shown


def with_ties_told(query: Query) -> Query:
    """Where rows are cut, ties are told apart: by what is grouped by, or by the first name shown."""
    if query.limit is None:
        return query
    return _sorted_by(query, query.group or [each for each in query.select if isinstance(each, Col | Bucket)][:1])


def _sorted_by(query: Query, keys: Sequence[Expr]) -> Query:
    """Sorted by these after what it is sorted by, those shown first; each group's first rows are already."""
    known = [each.by for each in query.order]
    shown = [each for each in keys if each in query.select]
    hidden = [each for each in keys if each not in shown and not query.distinct]
    more = [Order(each, settles=True) for each in (*shown, *hidden) if each not in known]
    return query if query.per else replace(query, order=(*query.order, *more))


def _printed(query: Query, catalog: Catalog, joins: JoinGraph) -> Any:
    """The query's expression: one SELECT, or two put together."""
    from sqlglot import exp

    if query.beside:
        every = [replace(each, beside=(), order=()) for each in (query, *query.beside)]
        return by_period(every, [_printed(each, catalog, joins) for each in every])
    query = with_ties_told(query)
    first: Any = _Printer(catalog, joins, query).select()
    if query.then is None:
        return first
    operator, second = query.then
    kinds = {"union": exp.Union, "intersect": exp.Intersect, "except": exp.Except}
    sorted_first = query.order or query.limit is not None
    first = exp.Subquery(this=first) if sorted_first else first
    return kinds[operator](this=first, expression=_printed(second, catalog, joins), distinct=True)


class _Printer:
    def __init__(
        self, catalog: Catalog, joins: JoinGraph, query: Query, outer: dict[TableKey, str] | None = None
    ) -> None:
        self._catalog = catalog
        self._joins = joins
        query, self._buckets_shown = split_period(query)
        self._query = query if query.flat else with_semi_joins(query, joins)
        self._steps = self._tree()
        self._names = self._aliases(outer or {})
        firsts = dict.fromkeys(each for each in nodes_in(self._query) if isinstance(each, First))
        self._firsts = {each: f"dates_{number}" for number, each in enumerate(firsts, 1)}
        self._shown_as = names_of(query.select)
        self._multiplied = any(step.multiplies for step in self._steps)

    def _tree(self) -> list[Step]:
        query = self._query
        needed = {*query.also, *(each.table for each in columns_in(query))}
        steps = self._joins.tree(query.anchor, needed, query.through)
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
        if next(columns_in(query), None) is None:
            return self._of_queries()
        shown = (self._shown(each) for each in without_repeats(query.select))
        select = exp.select(*shown, copy=False).from_(self._table(query.anchor), copy=False)
        for step in self._steps:
            kind = {"side": "LEFT"} if query.outer else {"kind": "INNER"}
            select.append("joins", exp.Join(this=self._table(step.target), on=self._on(step), **kind))
        for first in self._firsts:
            select.append("joins", exp.Join(this=self._dates(first), on=self._same_key(first), side="LEFT"))
        for condition in without_repeats(query.where):
            select = select.where(self._condition(condition), copy=False)
        if query.group:
            select = select.group_by(*(self._expr(each) for each in query.group), copy=False)
        for each in query.having:
            select = select.having(self._condition(each), copy=False)
        for each in self._buckets_shown:
            select = select.qualify(self._condition(each), copy=False)
        return self._finish(select.distinct(copy=False) if query.distinct else select)

    def _of_queries(self) -> exp.Select:
        """Aggregates over the rows that queries find, of which nothing else is shown."""
        from sqlglot import exp

        shown = self._query.select
        if len(shown) == 1 and isinstance(shown[0], Agg):
            return self._over(shown[0], alias_of(shown[0]))
        if self._query.group and isinstance(shown[0], Nested):
            return self._by_value(shown[0])
        return exp.select(*(self._item(each) for each in shown))

    def _over(self, agg: Agg, alias: str = "") -> Any:
        """SELECT avg(value) FROM (the query's rows)."""
        from sqlglot import exp

        assert isinstance(agg.of, Nested)
        printed = self._function(agg, exp.column("value"))
        shown = exp.alias_(printed, alias, quoted=needs_quotes(alias)) if alias else printed
        return exp.select(shown).from_(self._values(agg.of))

    def _values(self, of: Nested) -> Any:
        """(the query's rows) AS found(value)."""
        from sqlglot import exp

        name = exp.TableAlias(this=exp.to_identifier("found"), columns=[exp.to_identifier("value")])
        return exp.Subquery(this=self._inner(of.query), alias=name)

    def _by_value(self, of: Nested) -> Any:
        """SELECT value, count(*) FROM (the query's rows) GROUP BY value ORDER BY value."""
        from sqlglot import exp

        value, name = exp.column("value"), alias_of(Agg("count", of.query.group[0]))
        number = exp.alias_(value, alias_of(of.query.select[0]), quoted=True)
        many = exp.alias_(exp.Count(this=exp.Star()), name, quoted=needs_quotes(name))
        return exp.select(number, many).from_(self._values(of)).group_by(value).order_by(value)

    def _dates(self, first: First) -> Any:
        """Each key's first or last date."""
        from sqlglot import exp

        aggregate = Agg("max" if first.last else "min", first.of)
        inner = self._inner(Query(first.of.table, (first.by, aggregate), first.where, (first.by,), flat=True))
        columns = [exp.to_identifier("key"), exp.to_identifier("day")]
        name = exp.TableAlias(this=exp.to_identifier(self._firsts[first]), columns=columns)
        return exp.Subquery(this=inner, alias=name)

    def _same_key(self, first: First) -> Any:
        from sqlglot import exp

        return exp.EQ(this=self._expr(first.by), expression=exp.column("key", table=self._firsts[first]))

    def _finish(self, select: exp.Select) -> exp.Select:
        query = self._query
        orders = [self._order(each) for each in query.order]
        if query.per and query.limit is not None:
            return self._of_each(select, orders)
        if query.percent and query.limit is not None:
            return self._of_a_hundred(select, orders)
        select = select.order_by(*orders, copy=False) if orders else select
        if query.nth and query.limit is not None:
            return select.limit(1).offset(query.limit - 1)
        return select.limit(query.limit, copy=False) if query.limit is not None else select

    def _of_a_hundred(self, select: exp.Select, orders: list[exp.Ordered]) -> exp.Select:
        """The first so many of a hundred rows, at least one."""
        from sqlglot import exp

        place = exp.Window(this=exp.RowNumber(), order=exp.Order(expressions=orders))
        every = exp.Window(this=exp.Count(this=exp.Star()))
        hundred = exp.Mul(this=every, expression=exp.Literal.number(self._query.limit or 0))
        part = exp.Ceil(this=exp.Div(this=hundred, expression=exp.Literal.number(100)))
        return select.qualify(exp.LTE(this=place, expression=part)).order_by(*(each.copy() for each in orders))

    def _of_each(self, select: exp.Select, orders: list[exp.Ordered]) -> exp.Select:
        """The first rows of each group, or one of them."""
        from sqlglot import exp

        query = self._query
        keys = [self._of_group(each) for each in query.per]
        if any(isinstance(each, Growth | Running | Share) for order in query.order for each in nodes_in(order)):
            return self._of_each_below(select, keys, orders)
        order = exp.Order(expressions=orders) if orders else None
        window = exp.Window(this=self._place(), partition_by=keys, order=order)
        place = (exp.EQ if query.nth else exp.LTE)(this=window, expression=exp.Literal.number(query.limit or 1))
        by = [self._order(Order(each)) for each in query.per]
        return select.qualify(place).order_by(*by, *(each.copy() for each in orders))

    def _place(self) -> Any:
        """A row's place in its group: those that are alike have the same, unless one place alone is wanted."""
        from sqlglot import exp

        return exp.RowNumber() if self._query.nth or not self._query.order else exp.Rank()

    def _of_each_below(self, select: exp.Select, keys: list[Any], orders: list[exp.Ordered]) -> exp.Select:
        """Where a window sorts the rows: DuckDB takes none within another, so they are numbered around the query."""
        from sqlglot import exp

        hidden = [f"key_{n}" for n in range(len(keys))] + [f"sorted_{n}" for n in range(len(orders))]
        for name, printed in zip(hidden, [*keys, *(each.this for each in orders)], strict=True):
            select = select.select(exp.alias_(printed, name))
        for order, name in zip(orders, hidden[len(keys) :], strict=True):
            order.set("this", exp.column(name))
        by = [exp.column(name) for name in hidden[: len(keys)]]
        window = exp.Window(this=self._place(), partition_by=by, order=exp.Order(expressions=orders))
        limit = exp.Literal.number(self._query.limit or 1)
        place = (exp.EQ if self._query.nth else exp.LTE)(this=window, expression=limit)
        shown = exp.Star(except_=[exp.to_identifier(name) for name in hidden])
        rows = exp.select(shown).from_(select.subquery("ranked")).qualify(place)
        return rows.order_by(*(each.copy() for each in (*by, *orders)))

    def _order(self, order: Order) -> exp.Ordered:
        """Missing values come first, or last where the largest do and where they are but what cannot be computed."""
        from sqlglot import exp

        computed = self._query.flat and isinstance(order.by, Ratio | Growth | Running | Share)
        is_cut = self._query.limit is not None and isinstance(order.by, Col)
        is_best = is_cut or (self._query.limit is not None and is_total(order.by))  # what has none is not the least
        first = not order.descending and not computed and not order.settles and not is_best
        desc = None if order.settles else order.descending
        by = self._of_group(order.by)
        column = self._found(order.by)
        if column is not None and column.of_numbers:
            by = _number(by, bool(column.unit))
        elif column is not None and column.of_dates and not self._query.distinct:
            by = _date(by, column)
        return exp.Ordered(this=by, desc=desc, nulls_first=first)

    def _of_group(self, expression: Expr) -> Any:
        """What groups are sorted by or shown with: one of its values where a group may hold several."""
        from sqlglot import exp

        query = self._query
        key = expression.of if isinstance(expression, Meaning) else expression
        plain = key not in query.group and not any(isinstance(each, Agg) for each in nodes_in(expression))
        several = query.flat and self._is_grouped and plain
        return exp.AnyValue(this=self._expr(expression)) if several else self._expr(expression)

    def _shown(self, expression: Expr) -> Any:
        """A column, or one of its values where its group may hold several: a group of customers has one name each."""
        from sqlglot import exp

        if isinstance(expression, Rows):
            alone = not self._steps and not self._firsts
            star = exp.Star(**self._read(expression.table))
            return star if alone else exp.Column(this=star, table=self._name_of(expression.table))
        return self._item(expression)

    def _read(self, key: TableKey) -> dict[str, Any]:
        """What stands in all columns of a table in place of times that are numbers: these as times."""
        from sqlglot import exp

        table = self._catalog.table(*key)
        numbered = [each.name for each in table.columns if each.is_numbered] if table else []
        shown = [exp.alias_(self._expr(Col(key, each)), each, quoted=needs_quotes(each)) for each in numbered]
        return {"replace": shown} if shown else {}

    @cached_property
    def _is_grouped(self) -> bool:
        """Whether rows are put into groups, or into one."""
        query = self._query
        shown = (*query.select, *(each.by for each in query.order))
        aggregates = (each for each in nodes_in(shown) if isinstance(each, Agg))
        return bool(query.group or query.having) or any(not isinstance(each.of, Nested) for each in aggregates)

    def _item(self, expression: Expr) -> Any:
        from sqlglot import exp

        printed = self._of_group(expression)
        name = self._shown_as.get(expression) or alias_of(expression)
        if not name and isinstance(expression, Col) and not isinstance(printed, exp.Column):
            name = expression.name
        return exp.alias_(printed, name, quoted=needs_quotes(name), copy=False) if name else printed

    def _table(self, key: TableKey) -> Any:
        from sqlglot import exp

        table, name = _stored(key), self._names[key]
        return table if name == key[1] else exp.alias_(table, name, table=True, quoted=not name.isidentifier())

    def _on(self, step: Step) -> Any:
        from sqlglot import exp

        pairs = [
            exp.EQ(this=self._plain(Col(step.source, left)), expression=self._plain(Col(step.target, right)))
            for left, right in step.pairs
        ]
        return exp.and_(*pairs, copy=False)

    def _product(self, product: Product) -> Any:
        from sqlglot import exp

        whole = exp.Mul(this=self._expr(product.price), expression=self._expr(product.quantity))
        if product.off:
            none = exp.Literal.number(0)
            return exp.Sub(this=whole, expression=exp.Coalesce(this=self._expr(product.off), expressions=[none]))
        if product.discount is None:
            return whole
        rest = exp.paren(exp.Sub(this=exp.Literal.number(1), expression=self._expr(product.discount)))
        return exp.Mul(this=whole, expression=rest)

    def _expr(self, expression: Any) -> Any:
        from sqlglot import exp

        match expression:
            case Col():
                column = self._found(expression)
                plain = self._plain(expression)
                return _numbered(plain, column) if column is not None and column.is_numbered else plain
            case Product():
                return self._product(expression)
            case Agg():
                return self._agg(expression)
            case Bucket(grain, of):
                is_year = grain == "year" and self._holds_years(of)
                return self._operand(of) if is_year else windows.bucket(grain, self._time(of))
            case Bands(of, bands):
                return self._bands(of, bands)
            case Steps(of, width):
                return windows.steps(self._operand(of), width)
            case Days(start, end, unit):
                return windows.elapsed(self._ended(start), self._ended(end), unit)
            case Ago(of, day):
                return windows.elapsed(self._time(of), _literal(day), "day")
            case Clock(of):
                return exp.cast(self._time(of), exp.DType.TIME, copy=False)
            case Age(of, on):
                return windows.years(self._time(of), self._time(on) if isinstance(on, Col) else _literal(on))
            case Later(of, count, unit):
                return windows.later(self._time(of), count, unit)
            case Meaning():
                return self._meaning(expression)
            case First():
                return exp.column("day", table=self._firsts[expression])
            case Ratio(top, bottom, scale):
                return windows.ratio(self._expr(top), self._expr(bottom), scale)
            case Plus() | Minus() | Times():
                return self._arithmetic(expression)
            case Number(value):
                return _literal(value)
            case Own():
                return self._own(expression)
            case Fold():
                return self._fold(expression)
            case Share(of, scale):
                return windows.share(self._expr(of), scale)
            case Growth():
                return self._growth(expression)
            case Running(of, over, last, by):
                keys = [self._apart(each, over) for each in by]
                return windows.running(self._expr(of), self._expr(over), keys, last, expression.averages)
        return _literal(expression)

    def _plain(self, column: Col) -> Any:
        """A column as it is stored."""
        from sqlglot import exp

        table = column.table
        single = not self._steps and not self._firsts and table == self._query.anchor and table in self._names
        qualifier = None if single and not self._correlated else self._name_of(table)
        return exp.column(_name(column.name), table=qualifier, copy=False)

    def _bands(self, of: Expr, bands: Sequence[Band]) -> Any:
        """CASE WHEN … THEN 'under 30' …"""
        from sqlglot import exp

        found = exp.Case()
        for band in bands:
            ends = [(band.low, ">=" if band.holds_low else ">"), (band.high, "<=" if band.holds_high else "<")]
            bounds = [self._compare(of, operator, end) for end, operator in ends if end is not None]
            found = found.when(exp.and_(*bounds, copy=False), exp.Literal.string(band.label), copy=False)
        return found

    def _meaning(self, meaning: Meaning) -> Any:
        """(SELECT any_value(text) FROM codes WHERE kind = … AND code = the column), else the column."""
        from sqlglot import exp

        of = exp.column(_name(meaning.of.name), table=self._name_of(meaning.of.table))
        same = [exp.EQ(this=exp.column(_name(meaning.code)), expression=of)]
        if meaning.kind:
            column, value = meaning.kind
            same.insert(0, exp.EQ(this=exp.column(_name(column)), expression=_literal(value)))
        text = exp.AnyValue(this=exp.column(_name(meaning.text)))
        told = exp.Subquery(this=exp.select(text).from_(_stored(meaning.table)).where(*same))
        return exp.Coalesce(this=told, expressions=[of.copy()])

    def _apart(self, by: Expr, over: Expr) -> Any:
        """What a window's rows are apart by: the year of months that are grouped is that of each month's first day."""
        if isinstance(by, Bucket) and isinstance(over, Bucket) and by.of == over.of and by not in self._query.group:
            return windows.bucket(by.grain, self._expr(over))
        return self._expr(by)

    def _growth(self, growth: Growth) -> Any:
        """The change against an earlier row: as a part of what it was, or in its own unit."""
        of, by = self._expr(growth.of), [self._expr(each) for each in growth.by]
        then = windows.before(of, self._expr(growth.over), by, growth.lag)
        if growth.is_difference:
            return windows.minus(of.copy(), then)
        return windows.growth(of, then, growth.scale)

    def _arithmetic(self, expression: Arithmetic) -> Any:
        """A sum, a difference or a product, with what binds less in parentheses."""
        from sqlglot import exp

        left, right = self._operand(expression.left), self._operand(expression.right)
        if isinstance(expression, Minus):
            return windows.minus(left, right)
        if isinstance(expression, Plus):
            return exp.Add(this=left, expression=right)
        factors = [exp.paren(each) if isinstance(each, exp.Add | exp.Sub) else each for each in (left, right)]
        return exp.Mul(this=factors[0], expression=factors[1])

    def _operand(self, of: Expr) -> Any:
        """What is computed with: texts that are numbers as these."""
        column = self._found(of)
        return self._as_number(of) if column is not None and column.of_numbers else self._expr(of)

    def _time(self, of: Expr) -> Any:
        """A date; a text is read as one where it is one."""
        from sqlglot import exp

        printed = self._expr(of)
        column = self._found(of.of if isinstance(of, First) else of)
        if column is None or column.kind != "text":
            return printed
        if column.of_dates:
            return _date(printed, column)
        return exp.TryCast(this=printed, to=exp.DataType.build("TIMESTAMP"))

    _correlated = False

    def _name_of(self, table: TableKey) -> exp.Identifier:
        return _name(self._names[table])

    def _agg(self, agg: Agg) -> Any:
        from sqlglot import exp

        if isinstance(agg.of, Nested):
            return self._over(agg).subquery(copy=False)
        if agg.function == "count":
            printed: Any = self._count(agg)
        else:
            of = self._sortable(agg.of) if agg.function in ("min", "max") else self._as_number(agg.of)
            printed = self._function(agg, of)
        if agg.where:
            kept = exp.Where(this=exp.and_(*(self._condition(each) for each in without_repeats(agg.where)), copy=False))
            printed = exp.Filter(this=printed, expression=kept)
        of_none = self._query.outer and agg.function == "sum"
        return exp.Coalesce(this=printed, expressions=[exp.Literal.number(0)]) if of_none else printed

    def _function(self, agg: Agg, of: exp.Expression) -> Any:
        from sqlglot import exp

        if agg.function == "quantile":
            return exp.Anonymous(this="QUANTILE_CONT", expressions=[of, exp.Literal.number(agg.at)])
        argument = exp.Distinct(expressions=[of]) if agg.distinct else of
        if agg.function == "count":
            return exp.Count(this=argument)
        return exp.func(_FUNCTIONS[agg.function], argument, copy=False)

    def _sortable(self, of: Expr) -> Any:
        """As it is sorted and compared: texts that all are numbers, or dates, by these."""
        column = self._found(of)
        if column is not None and column.open_end:
            return self._ended(of)
        return _date(self._expr(of), column) if column is not None and column.of_dates else self._operand(of)

    def _as_number(self, of: Expr) -> Any:
        """A flag counts as 0 or 1, a text that holds numbers as these; anything else as it is."""
        from sqlglot import exp

        kind = self._kind(of)
        if kind == "text":
            return _number(self._expr(of), bool((column := self._found(of)) and column.unit))
        return exp.cast(self._expr(of), exp.DType.INT, copy=False) if kind == "flag" else self._expr(of)

    def _kind(self, of: Any) -> str:
        """The kind of a column's type, that of numbers kept as texts too; nothing where `of` is no column."""
        column = self._found(of)
        return "" if column is None else "text" if column.of_numbers else column.kind

    def _found(self, of: Any) -> Column | None:
        """The catalog's column, where `of` is one."""
        return self._catalog.column(*of.table, of.name) if isinstance(of, Col) else None

    def _count(self, agg: Agg) -> Any:
        from sqlglot import exp

        if isinstance(agg.of, Rows):
            beside = not self._query.flat or agg.of.table != self._query.anchor or self._is_beside_others(agg.of.table)
            key = self._key(agg.of.table) if beside and not self._is_one(agg.of.table) else []
            if not key or not (self._multiplies(agg.of.table)):
                joined = self._joined_by(agg.of.table) if self._query.outer else None
                return exp.Count(this=self._expr(joined) if joined else exp.Star())
            return exp.Count(this=exp.Distinct(expressions=[self._expr(each) for each in key]))
        return self._function(agg, self._expr(agg.of))

    def _joined_by(self, table: TableKey) -> Col | None:
        """A column that every row of a joined table holds something in: that by which it is joined."""
        step = next((each for each in self._steps if each.target == table), None)
        return Col(table, step.pairs[0][1]) if step else None

    def _is_one(self, table: TableKey) -> bool:
        """Whether one row of a table is left, so that the rows that point at it are counted: `number of cleaning jobs`,
        where cleaning is one of the kinds."""
        rows, where = self._catalog.table(*table), self._query.where
        fixed = (each.left for each in where if isinstance(each, Compare) and each.operator == "=")
        columns = (self._found(each) for each in fixed if isinstance(each, Col) and each.table == table)
        return any(each is not None and rows is not None and each.n_distinct == rows.row_count for each in columns)

    def _is_beside_others(self, table: TableKey) -> bool:
        """Whether another aggregate of the query is of another table: orders are counted where lines are summed."""
        query = self._query
        shown = (query.select, query.having, tuple(each.by for each in query.order))
        aggregates = (each for each in nodes_in(shown) if isinstance(each, Agg))
        return any(column.table != table for each in aggregates for column in columns_in(each.of))

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

    def _condition(self, condition: Cond) -> Any:
        from sqlglot import exp

        match condition:
            case Compare(left, operator, right):
                return self._compare(left, operator, right)
            case Among(left, values, negated) if any(isinstance(each, Holding) for each in values):
                inside = exp.or_(*(self._compare(left, "=", each) for each in values), copy=False)
                return exp.not_(exp.paren(inside), copy=False) if negated else inside
            case Among(left, values, negated):
                inside = exp.In(this=self._expr(left), expressions=[_literal(value) for value in values])
                return exp.not_(inside, copy=False) if negated else inside
            case During(left, start, end) if self._holds_years(left):
                return self._during_years(left, start.year, end.year)
            case During(left, start, end) if self._holds_days(left):
                bounds = (exp.Literal.number(f"{each:%Y%m%d}") for each in (start, end))
                return self._between(self._plain(left), *bounds)  # type: ignore[arg-type]
            case During(left, start, end):
                column = self._time(left)
                return self._between(column, _literal(start), _literal(end))
            case Missing(left, negated):
                return self._missing(left, negated)
            case Either(any_of):
                return exp.or_(*(self._condition(each) for each in any_of), copy=False)
            case Every(all_of):
                return exp.and_(*(self._condition(each) for each in all_of), copy=False)
            case Inside():
                return self._inside(condition)
            case Related():
                return self._related(condition)

    def _between(self, of: Any, start: Any, end: Any) -> Any:
        from sqlglot import exp

        return exp.and_(exp.GTE(this=of, expression=start), exp.LT(this=of.copy(), expression=end), copy=False)

    def _holds_days(self, of: Any) -> bool:
        """Whether a column keeps days as numbers, which sort and compare as these do."""
        column = self._found(of)
        return column is not None and column.is_numbered and column.is_day

    def _missing(self, left: Expr, negated: bool) -> Any:
        """That a value is missing, or a date stands for none."""
        from sqlglot import exp

        end = column.open_end if (column := self._found(left)) else None
        null = exp.Is(this=self._operand(left), expression=exp.Null())
        if end is None:
            return exp.not_(null, copy=False) if negated else null
        day = _literal(end.day)
        if negated:
            return exp.LT(this=self._expr(left), expression=day)
        far = exp.GTE(this=self._expr(left), expression=day)
        return exp.or_(null, far, copy=False) if end.beside_gaps else far

    def _ended(self, of: Expr) -> Any:
        """A date as one to reckon with: none where it stands for none."""
        from sqlglot import exp

        end = column.open_end if (column := self._found(of)) else None
        printed = self._time(of)
        if end is None:
            return printed
        return exp.Case().when(exp.LT(this=printed, expression=_literal(end.day)), printed.copy(), copy=False)

    def _holds_years(self, of: Any) -> bool:
        """Whether a column keeps years as numbers."""
        return isinstance(of, Col) and holds_years(of, self._catalog)

    def _during_years(self, of: Expr, first: int, end: int) -> Any:
        """A year as a number from the first to before the end."""
        from sqlglot import exp

        if first + 1 == end:
            return self._compare(of, "=", first)
        return exp.and_(self._compare(of, ">=", first), self._compare(of, "<", end), copy=False)

    def _inside(self, inside: Inside) -> Any:
        from sqlglot import exp

        inner = self._inner(inside.query)
        left, shown = self._expr(inside.left), inside.query.select[0]
        if self._kind(inside.left) != self._kind(shown) and isinstance(shown, Col):
            left = exp.cast(left, "VARCHAR")
            inner.set("expressions", [exp.cast(inner.expressions[0], "VARCHAR")])
        if inside.negated and isinstance(inner, exp.Select) and self._may_miss(shown):
            inner = inner.where(exp.not_(exp.Is(this=inner.expressions[0].unalias().copy(), expression=exp.Null())))
        found = exp.In(this=left, query=inner.subquery(copy=False))
        return exp.not_(found, copy=False) if inside.negated else found

    def _may_miss(self, shown: Any) -> bool:
        """Whether NULLs are among the values: NOT IN finds nothing then."""
        column = self._catalog.column(*shown.table, shown.name) if isinstance(shown, Col) else None
        return column is not None and bool(column.null_fraction)

    def _compare(self, left: Expr, operator: str, right: Any) -> Any:
        from sqlglot import exp

        if isinstance(right, Item):
            return self._lists(left, operator, right)
        if isinstance(right, Holding):
            right, operator = f"%{right}%", "like" if operator == "=" else "not like"
        value = self._right(right)
        if isinstance(right, dt.date):
            return self._compare_printed(self._time(left), operator, value)
        number = isinstance(right, int | float) and not isinstance(right, bool)
        if number and self._kind(left) == "text":
            return self._compare_printed(self._as_number(left), operator, value)
        if operator in ("like", "not like"):
            like = exp.ILike(this=self._expr(left), expression=value)
            return exp.not_(like, copy=False) if operator.startswith("not") else like
        return self._compare_printed(self._expr(left), operator, value)

    def _lists(self, left: Expr, operator: str, item: Item) -> Any:
        """Whether a cell lists an item, told by what stands around it."""
        from sqlglot import exp

        column = self._catalog.column(*left.table, left.name) if isinstance(left, Col) else None
        mark = column.listed_by if column else ""
        before, behind = ends_of(mark)
        cell = self._expr(left)
        if not before:
            before, behind = mark, mark.rstrip()
            opened = exp.DPipe(this=exp.Literal.string(before), expression=cell)
            cell = exp.paren(exp.DPipe(this=opened, expression=exp.Literal.string(behind)), copy=False)
        plain = re.sub(r"([%_\\])", r"\\\1", item)
        like: exp.Expression = exp.ILike(this=cell, expression=_literal(f"%{before}{plain}{behind}%"))
        if len(plain) > len(item):
            like = exp.Escape(this=like, expression=_literal("\\"))
        return like if operator == "=" else exp.not_(like, copy=False)

    def _compare_printed(self, left: exp.Expression, operator: str, right: exp.Expression) -> Any:
        from sqlglot import exp

        kinds = {"=": exp.EQ, "!=": exp.NEQ, "<": exp.LT, "<=": exp.LTE, ">": exp.GT, ">=": exp.GTE}
        return kinds[operator](this=left, expression=right)

    def _right(self, right: Any) -> Any:
        if isinstance(right, Query):
            return self._inner(right).subquery(copy=False)
        if isinstance(right, Own):
            return self._own(right)
        return self._scalar(right) if isinstance(right, Agg) else self._expr(right)

    def _fold(self, fold: Fold) -> Any:
        """What a query of one value finds, times a number."""
        from sqlglot import exp

        found = self._inner(fold.query).subquery(copy=False)
        return found if fold.times == 1 else exp.Mul(this=_literal(fold.times), expression=found)

    def _inner(self, query: Query) -> Any:
        """A query within this one, about nothing of it. DuckDB's NOT IN finds nothing where a NULL is among them."""
        return _printed(query, self._catalog, self._joins)

    def _scalar(self, agg: Agg) -> Any:
        """An aggregate over a whole table, as a query of its own."""
        table = next(columns_in(agg.of)).table
        inner = _Printer(self._catalog, self._joins, Query(table, (agg,)))
        return inner.select().subquery(copy=False)

    def _own(self, own: Own) -> Any:
        """An aggregate over the rows with the same value, as a query that looks at this one's row."""
        from sqlglot import exp

        table = next(columns_in(own.of)).table
        query = Query(table, (own.of,), flat=True, also=(own.by.table,))
        inner = _Printer(self._catalog, self._joins, query, self._names)
        inner._correlated = True
        mine = own.here or own.by
        here = exp.column(_name(mine.name), table=self._name_of(mine.table), copy=False)
        own_by = inner._plain(own.by) if isinstance(own.by, Col) else inner._expr(own.by)
        found = inner.select().where(exp.EQ(this=own_by, expression=here)).subquery()
        return found if own.times == 1 else exp.Mul(this=_literal(own.times), expression=found)

    def _related(self, related: Related) -> Any:
        """EXISTS over the way from the anchor to the related table, correlated on its first step."""
        from sqlglot import exp

        path = self._joins.path(self._query.anchor, related.table, self._query.through)
        if not path:
            raise Unreachable(f"{self._query.anchor[1]} is not connected to {related.table[1]}")
        first, rest = path[0], path[1:]
        query = Query(first.target, (Rows(first.target),), where=related.where, through=self._query.through)
        inner = _Printer(self._catalog, self._joins, query, self._names)
        inner._steps = [*rest, *(step for step in inner._steps if step.target not in {each.target for each in rest})]
        inner._names = inner._aliases(self._names)
        inner._correlated = True
        counted = related.count is not None
        select = exp.select(inner._counted(related) if counted else "1").from_(inner._table(first.target))
        for step in inner._steps:
            select.append("joins", exp.Join(this=inner._table(step.target), on=inner._on(step)))
        for left, right in first.pairs:
            outer = exp.column(_name(left), table=_name(self._names[first.source]), copy=False)
            select = select.where(exp.EQ(this=inner._plain(Col(first.target, right)), expression=outer), copy=False)
        for each in related.where:
            select = select.where(inner._condition(each), copy=False)
        if related.count is not None:
            operator, number = related.count
            return self._compare_printed(select.subquery(copy=False), operator, _literal(number))
        exists = exp.Exists(this=select)
        return exp.not_(exists, copy=False) if related.negated else exists

    def _counted(self, related: Related) -> Any:
        """The related rows, or their different keys."""
        from sqlglot import exp

        keys = [self._expr(each) for each in self._key(related.table)] if related.distinct else []
        return exp.Count(this=exp.Distinct(expressions=keys) if keys else exp.Star())


def with_semi_joins(query: Query, joins: JoinGraph) -> Query:
    """Conditions on tables that would multiply the anchor's rows become Related, unless what is shown needs these rows:
    pets with a visit in 2024 by clinic, by the clinic of that visit."""
    shown = {each.table for part in (query.select, query.group, query.order, query.having) for each in columns_in(part)}
    on_the_way = {step.target for step in joins.tree(query.anchor, shown, query.through) or ()}
    kept: list[Cond] = []
    related: dict[TableKey, list[Cond]] = {}
    for condition in query.where:
        tables = {each.table for each in columns_in(condition)} - shown - {query.anchor}
        table = next(iter(tables), None)
        path = joins.path(query.anchor, table) if table and len(tables) == 1 else None
        via_shown = path and any(step.multiplies and step.target in shown for step in path)
        if table and path and any(step.multiplies for step in path) and not via_shown and table not in on_the_way:
            related.setdefault(table, []).append(condition)
        else:
            kept.append(condition)
    return replace(query, where=(*kept, *(Related(table, tuple(each)) for table, each in related.items())))


def _number(text: Any, has_unit: bool = False) -> Any:
    """A text that holds a number as this, without the unit behind it."""
    from sqlglot import exp

    if has_unit:
        text = exp.func("REGEXP_EXTRACT", text, exp.Literal.string(AMOUNT), dialect="duckdb")

    return exp.TryCast(this=text, to=exp.DataType.build("DOUBLE"))


def _date(text: exp.Expression, column: Column) -> Any:
    """A text that holds a date in the column's format as this."""
    from sqlglot import exp

    if column.date_format.endswith(WITH_ZONE):
        cut = (exp.Literal.string(ZONE), exp.Literal.string(""))
        return _parsed(exp.func("REGEXP_REPLACE", text, *cut, dialect="duckdb"), without_zone(column.date_format))
    return _parsed(text, column.date_format)


def _parsed(text: Any, form: str) -> Any:
    from sqlglot import exp

    return exp.func("TRY_STRPTIME", text, exp.Literal.string(form), dialect="duckdb", copy=False)


def _numbered(number: Any, column: Column) -> Any:
    """A number that is a time as this."""
    return _read_as(whole("?", column.type), column.date_format, column.no_times).transform(
        lambda each: number.copy() if each.key == "placeholder" else each
    )


@lru_cache(maxsize=256)
def _read_as(number: str, form: str, without: tuple[int, ...]) -> Any:
    """How numbers of a form are read, with `?` in them where the column stands."""
    from sqlglot import parse_one

    return parse_one(read(number, form, without), dialect="duckdb")


def _name(text: str) -> exp.Identifier:
    from sqlglot import exp

    return exp.to_identifier(text, quoted=needs_quotes(text))


def _stored(key: TableKey) -> exp.Table:
    from sqlglot import exp

    return exp.Table(this=_name(key[1]), db=None if key[0] == "main" else _name(key[0]))


def _literal(value: Any) -> Any:
    from sqlglot import exp

    if isinstance(value, bool):
        return exp.Boolean(this=value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int | float):
        return exp.Literal.number(value) if value >= 0 else exp.Neg(this=exp.Literal.number(-value))
    if isinstance(value, dt.time):
        return exp.cast(exp.Literal.string(value.isoformat()), exp.DType.TIME, copy=False)
    if isinstance(value, dt.date):
        return exp.cast(exp.Literal.string(value.isoformat()), exp.DType.DATE, copy=False)
    return exp.Literal.string(str(value))
