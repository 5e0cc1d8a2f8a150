"""What the parts of a query are printed in: its tables by the names that they have in it, and the catalog.

What must stay true: aggregating never counts a row twice. A table that would multiply the anchor's rows and is only
filtered by becomes EXISTS (semi_joins.py); one that is grouped by makes `count` count keys.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

from sqlglot import exp

from pluto_duck_text2sql.data.catalog import Catalog, Column
from pluto_duck_text2sql.data.joins import JoinGraph, Step, Unreachable
from pluto_duck_text2sql.tree import Agg, Col, First, Nested, Query, TableKey, columns_in, nodes_in
from pluto_duck_text2sql.trees.printing.constants import name, stored
from pluto_duck_text2sql.trees.semi_joins import with_semi_joins
from pluto_duck_text2sql.trees.wide import split_period


class Scope(ABC):
    """A query that is printed. `outer` are the names of the tables around it; `correlated`: it looks at a row of these.

    `steps` are its joins, `names` its tables' names, `firsts` the names of the tables of first dates that are joined.
    """

    correlated = False

    def __init__(
        self, catalog: Catalog, joins: JoinGraph, query: Query, outer: dict[TableKey, str] | None = None
    ) -> None:
        self.catalog, self.joins = catalog, joins
        query, self.buckets_shown = split_period(query)
        self.query = query if query.flat else with_semi_joins(query, joins)
        self.steps = self._steps()
        self.names = self.named_beside(outer or {})
        firsts = dict.fromkeys(each for each in nodes_in(self.query) if isinstance(each, First))
        self.firsts = {each: f"dates_{number}" for number, each in enumerate(firsts, 1)}
        self._multiplied = any(step.multiplies for step in self.steps)

    @abstractmethod
    def sql(self, node: Any) -> Any:
        """A part of the tree; a constant for what is none."""

    @abstractmethod
    def select(self) -> exp.Select:
        """The query."""

    @abstractmethod
    def inner(self, query: Query) -> Any:
        """A query within this one, about nothing of it."""

    @abstractmethod
    def within(self, query: Query) -> Scope:
        """A query within this one that looks at this one's row."""

    def _steps(self) -> list[Step]:
        query = self.query
        needed = {*query.also, *(each.table for each in columns_in(query))}
        steps = self.joins.tree(query.anchor, needed, query.through)
        if steps is None:
            raise Unreachable(f"{query.anchor[1]} is not connected to {', '.join(sorted(name for _, name in needed))}")
        return steps

    def named_beside(self, outer: dict[TableKey, str]) -> dict[TableKey, str]:
        """The names of its tables, each another than those around it have."""
        names: dict[TableKey, str] = {}
        taken = {each.casefold() for each in outer.values()}
        for key in [self.query.anchor, *(step.target for step in self.steps)]:
            said, number = key[1], 2
            while said.casefold() in taken:
                said, number = f"{key[1]}_{number}", number + 1
            taken.add(said.casefold())
            names[key] = said
        return names

    @property
    def is_alone(self) -> bool:
        """Whether nothing is joined."""
        return not self.steps and not self.firsts

    @cached_property
    def is_grouped(self) -> bool:
        """Whether rows are put into groups, or into one."""
        query = self.query
        shown = (*query.select, *(each.by for each in query.order))
        aggregates = (each for each in nodes_in(shown) if isinstance(each, Agg))
        return bool(query.group or query.having) or any(not isinstance(each.of, Nested) for each in aggregates)

    def plain(self, column: Col) -> Any:
        """A column as it is stored."""
        table = column.table
        single = self.is_alone and table == self.query.anchor and table in self.names
        qualifier = None if single and not self.correlated else self.name_of(table)
        return exp.column(name(column.name), table=qualifier, copy=False)

    def name_of(self, table: TableKey) -> exp.Identifier:
        """The name that a table has here."""
        return name(self.names[table])

    def table(self, key: TableKey) -> Any:
        """A table under its name, as FROM and JOIN have it."""
        table, said = stored(key), self.names[key]
        return table if said == key[1] else exp.alias_(table, said, table=True, quoted=not said.isidentifier())

    def on(self, step: Step) -> Any:
        """By what a table is joined."""
        pairs = [
            exp.EQ(this=self.plain(Col(step.source, left)), expression=self.plain(Col(step.target, right)))
            for left, right in step.pairs
        ]
        return exp.and_(*pairs, copy=False)

    def found(self, of: Any) -> Column | None:
        """The catalog's column, where `of` is one."""
        return self.catalog.column(*of.table, of.name) if isinstance(of, Col) else None

    def kind(self, of: Any) -> str:
        """The kind of a column's type, that of numbers kept as texts too; nothing where `of` is no column."""
        column = self.found(of)
        return "" if column is None else "text" if column.of_numbers else column.kind

    def key_of(self, table: TableKey) -> list[Col]:
        """The primary key of a table."""
        found = self.catalog.table(*table)
        return [Col(table, each) for each in found.primary_key] if found else []

    def multiplies(self, table: TableKey) -> bool:
        """Whether the joins repeat a row of `table`."""
        if table == self.query.anchor:
            return self._multiplied
        return any(
            (step.source == table and step.multiplies) or (step.target == table and not step.multiplies)
            for step in self.steps
        )
