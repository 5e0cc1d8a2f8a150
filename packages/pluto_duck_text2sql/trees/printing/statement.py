"""A query as one SELECT, or two put together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlglot import exp

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.tree import Agg, Bucket, First, Nested, Query, columns_in
from pluto_duck_text2sql.trees.column_names import alias_of, without_repeats
from pluto_duck_text2sql.trees.printing.aggregates import AGGREGATES, by_value, over
from pluto_duck_text2sql.trees.printing.by_group import by_group
from pluto_duck_text2sql.trees.printing.by_period import by_period
from pluto_duck_text2sql.trees.printing.constants import literal
from pluto_duck_text2sql.trees.printing.ordering import ordered
from pluto_duck_text2sql.trees.printing.predicates import PREDICATES
from pluto_duck_text2sql.trees.printing.scalars import SCALARS
from pluto_duck_text2sql.trees.printing.scope import Scope
from pluto_duck_text2sql.trees.printing.select_list import select_list
from pluto_duck_text2sql.trees.printing.subqueries import SUBQUERIES
from pluto_duck_text2sql.trees.row_order import with_ties_told

_NODES = {**SCALARS, **AGGREGATES, **PREDICATES, **SUBQUERIES}
"""How each type of node is printed; what is none of them is a constant."""
_SETS = {"union": exp.Union, "intersect": exp.Intersect, "except": exp.Except}


def printed(query: Query, catalog: Catalog, joins: JoinGraph) -> Any:
    """The query's expression. Raises Unreachable."""
    are_timed = any(isinstance(each, Bucket) for each in query.group)
    if query.beside and not (are_timed and any(each.group != query.group for each in query.beside)):
        return by_group((query, *query.beside), lambda each: printed(each, catalog, joins))
    if query.beside:
        every = [replace(each, beside=(), order=()) for each in (query, *query.beside)]
        return by_period(every, [printed(each, catalog, joins) for each in every])
    query = with_ties_told(query)
    first: Any = Statement(catalog, joins, query).select()
    if query.then is None:
        return first
    operator, second = query.then
    sorted_first = query.order or query.limit is not None
    first = exp.Subquery(this=first) if sorted_first else first
    return _SETS[operator](this=first, expression=printed(second, catalog, joins), distinct=True)


class Statement(Scope):
    """One SELECT."""

    def sql(self, node: Any) -> Any:
        """A part of the tree; a constant for what is none."""
        printer = _NODES.get(type(node))
        return printer(self, node) if printer else literal(node)

    def inner(self, query: Query) -> Any:
        """A query within this one, about nothing of it."""
        return printed(query, self.catalog, self.joins)

    def within(self, query: Query) -> Statement:
        """A query within this one that looks at this one's row."""
        inner = Statement(self.catalog, self.joins, query, self.names)
        inner.correlated = True
        return inner

    def select(self) -> exp.Select:
        """SELECT … FROM … JOIN … WHERE … GROUP BY … HAVING … QUALIFY … ORDER BY … LIMIT."""
        query = self.query
        if next(columns_in(query), None) is None:
            return self._of_queries()
        select = self._joined(exp.select(*select_list(self), copy=False).from_(self.table(query.anchor), copy=False))
        for condition in without_repeats(query.where):
            select = select.where(self.sql(condition), copy=False)
        if query.group:
            select = select.group_by(*(self.sql(each) for each in query.group), copy=False)
        for each in query.having:
            select = select.having(self.sql(each), copy=False)
        for each in self.buckets_shown:
            select = select.qualify(self.sql(each), copy=False)
        return ordered(self, select.distinct(copy=False) if query.distinct else select)

    def _joined(self, select: exp.Select) -> exp.Select:
        """With the tables on the way, and the first dates that it compares with."""
        for step in self.steps:
            kind = {"side": "LEFT"} if self.query.outer else {"kind": "INNER"}
            select.append("joins", exp.Join(this=self.table(step.target), on=self.on(step), **kind))
        for first in self.firsts:
            select.append("joins", exp.Join(this=self._dates(first), on=self._same_key(first), side="LEFT"))
        return select

    def _dates(self, first: First) -> Any:
        """Each key's first or last date."""
        aggregate = Agg("max" if first.last else "min", first.of)
        inner = self.inner(Query(first.of.table, (first.by, aggregate), first.where, (first.by,), flat=True))
        columns = [exp.to_identifier("key"), exp.to_identifier("day")]
        name = exp.TableAlias(this=exp.to_identifier(self.firsts[first]), columns=columns)
        return exp.Subquery(this=inner, alias=name)

    def _same_key(self, first: First) -> Any:
        return exp.EQ(this=self.sql(first.by), expression=exp.column("key", table=self.firsts[first]))

    def _of_queries(self) -> exp.Select:
        """Aggregates over the rows that queries find, of which nothing else is shown."""
        shown = self.query.select
        if len(shown) == 1 and isinstance(shown[0], Agg):
            return over(self, shown[0], alias_of(shown[0]))
        if self.query.group and isinstance(shown[0], Nested):
            return by_value(self, shown[0])
        return exp.select(*select_list(self))
