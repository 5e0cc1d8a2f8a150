"""What the dates of a catalog are of, and which of them a question says: their rows' own day, a later stage, a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.date_names import ends
from pluto_duck_text2sql.data.event_dates import (
    came_about,
    event_date,
    happened,
    is_later_stage,
    is_only_planned,
    own_dates,
)
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.starting import says_start, started
from pluto_duck_text2sql.language.words import STOP, table_stems
from pluto_duck_text2sql.tree import (
    Bucket,
    Col,
    Cond,
    Days,
    During,
    First,
    Query,
    Rows,
    TableKey,
    all_nodes_in,
    columns_in,
    is_total,
    kinds_in,
)
from pluto_duck_text2sql.trees.durations import rooted
from pluto_duck_text2sql.trees.years import holds_years, is_of_years, own_year

_TIMES = frozenset((During, Bucket, Days, First))
OF_TIME = frozenset("date time timestamp datetime year day at on dt ts month first last".split())


class DateColumns:
    """The date columns of one catalog: what each is the date of, and whether a question says it."""

    def __init__(self, catalog: Catalog, joins: JoinGraph) -> None:
        self.catalog, self.joins = catalog, joins

    def link(self, key: TableKey, other: TableKey) -> TableKey | None:
        """The rows on the way from one table to another that are of several of its rows: admissions, of a patient and a
        ward."""
        way = self.joins.path(key, other) or []
        first = way[0].target if way else None
        return first if first and self.joins.belongs(first, key) else None

    def own_day(self, table: Table) -> Col | None:
        """When the rows of a table happen; of lines, which keep no date, those that they are of."""
        own = own_dates(table)
        date = event_date(table) or (own[0] if len(own) == 1 else None)
        if date or any(each.is_time for each in table.columns):
            return Col(table.key, date) if date else None
        above = [each for each in self.catalog.tables if self.joins.is_of(table.key, each.key) and event_date(each)]
        nearest = min(above, key=lambda each: self.joins.distance(table.key, each.key), default=None)
        day = event_date(nearest) if nearest else None
        return Col(nearest.key, day) if nearest and day else None

    def measured(self, query: Query) -> Table | None:
        """The one table whose amounts are added up, or whose rows are counted."""
        totals = [each for each in (*query.select, *(o.by for o in query.order)) if is_total(each)]
        of = {each.table for total in totals for each in all_nodes_in(total) if isinstance(each, Col | Rows)}
        return self.catalog.table(*of.pop()) if len(of) == 1 else None

    def is_owners(self, date: Col, table: Table, said: frozenset[str]) -> bool:
        """Whether a date that no word names is of what the rows of a table belong to, and not of itself."""
        owner = self.catalog.table(*date.table)
        own = set(owner.stems(date.name)) - set(table_stems(owner.name)) - OF_TIME if owner else set()
        is_named = self.is_named(date, frozenset(own) & said if own else said)
        return date.table != table.key and not is_named and self.joins.belongs(table.key, date.table)

    def is_unsaid(self, date: Col, said: frozenset[str], measured: Table) -> bool:
        """Whether neither a date nor its rows are spoken of: what the measured rows have too is said of these."""
        own = {each for column in measured.columns if not column.is_time for each in measured.stems(column.name)}
        is_of_others = not rooted(said).isdisjoint(rooted(table_stems(date.table[1])))
        return not is_of_others and not self.is_named(date, said - own)

    def is_date(self, column: Col) -> bool:
        stored = self.catalog.column(*column.table, column.name)
        return stored is not None and (stored.is_time or is_of_years(column, self.catalog))

    def tells_time(self, query: Query) -> bool:
        """Whether a tree says a period or a grain, counts days, or has a date or a year."""
        columns = {each for each in all_nodes_in(query) if isinstance(each, Col)}
        return not _TIMES.isdisjoint(kinds_in(query)) or any(map(self.is_date, columns))

    def own_year_of(self, year: Col, said: frozenset[str]) -> Col | None:
        """The year that is the rows' own, where another is that of their end and no word says so."""
        table = self.catalog.table(*year.table)
        own = own_year(table) if table and holds_years(year, self.catalog) else None
        if table is None or own is None or own.name == year.name or not ends(table.stems(year.name)):
            return None
        told = rooted(set(table.stems(year.name)) - OF_TIME)
        return Col(table.key, own.name) if said.isdisjoint(told) else None

    def came_about(self, date: Col) -> Col | None:
        """The date by which the rows of a later one came to be; None where one is no later one."""
        table = self.catalog.table(*date.table)
        name = came_about(table) if table else None
        is_later = table is not None and name != date.name and is_later_stage(table, date.name)
        return Col(date.table, name) if name and is_later else None

    def is_told(self, date: Col, said: frozenset[str]) -> bool:
        """Whether some word tells a date, beside those for its rows."""
        table = self.catalog.table(*date.table)
        own = set(table.stems(date.name)) - OF_TIME - set(table_stems(table.name)) if table else set()
        return not own or not rooted(said).isdisjoint(rooted(own))

    def is_plan(self, column: Col | Rows, said: frozenset[str]) -> bool:
        table = self.catalog.table(*column.table)
        return table is not None and isinstance(column, Col) and is_only_planned(table, column.name, said)

    def happened(self, column: Col, said: frozenset[str]) -> Col:
        table = self.catalog.table(*column.table)
        is_of_date = table and self.is_date(column)
        return replace(column, name=happened(table, column.name, said)) if table and is_of_date else column

    def is_named(self, column: Col | Rows, said: frozenset[str]) -> bool:
        """Whether the question says the column's own words: `created in 2005`; or what it tells: `signed up`."""
        table = self.catalog.table(*column.table)
        if table is None or isinstance(column, Rows):
            return False
        if started(table) == column and says_start(said):
            return True
        own = set(table.stems(column.name)) - OF_TIME
        return not said.isdisjoint(own - STOP or own)

    def times(self, query: Query) -> Iterator[Col]:
        """The dates and years of the query's tables, first those of what is measured."""
        totals = [each for each in (*query.select, *(o.by for o in query.order)) if is_total(each)]
        tables = dict.fromkeys(each.table for part in (totals, [query]) for node in part for each in columns_in(node))
        for key in (*tables, query.anchor):
            table = self.catalog.table(*key)
            for column in table.columns if table else ():
                if column.is_time or is_of_years(Col(key, column.name), self.catalog):
                    yield Col(key, column.name)


def with_day(query: Query, day: Col, is_other: Callable[[Col], bool]) -> Query:
    """The query with its periods of such other dates as those of a day."""

    def put(node: Cond) -> Cond:
        left = node.left if isinstance(node, During) else None
        return (
            replace(node, left=day) if isinstance(node, During) and isinstance(left, Col) and is_other(left) else node
        )

    where = tuple(map(put, query.where))
    return query if where == query.where else replace(query, where=where)


def tables_of(query: Query) -> dict[TableKey, None]:
    """The tables of a query."""
    return dict.fromkeys([query.anchor, *(each.table for each in columns_in(query))])
