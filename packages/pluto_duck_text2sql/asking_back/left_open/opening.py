"""What a question leaves open, and what is looked at to find it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, root, spoken_stems, stem, tokenise
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    During,
    Query,
    Rows,
    TableKey,
    columns_in,
    is_total,
    nodes_in,
)
from pluto_duck_text2sql.trees.phrases import shown_name
from pluto_duck_text2sql.trees.resolve import Resolver

_ANY_DATE = frozenset(map(root, map(stem, "date time day on at dt ts month year".split())))

_BEFORE_PERIODS = frozenset(("in", "by", "of", "during"))
"""A day of checking in is not said by `in 2025`."""

_ASKED = Pattern(r"^\W*(?P<what>when|where)\b", re.IGNORECASE)
_TOLD = {
    "when": frozenset(map(stem, "date time day year month".split())),
    "where": frozenset(map(stem, "place location city town country state address region".split())),
}
"""What columns are called that tell when and where."""


@dataclass(frozen=True)
class Opening:
    """What is asked back, and the ways to read it: what each is called, and its tree."""

    asked: str
    ways: tuple[tuple[str, Query], ...]


@dataclass(frozen=True)
class Data:
    """The data that a question is asked of."""

    catalog: Catalog
    joins: JoinGraph
    names: NameIndex
    resolver: Resolver

    def belongs(self, home: TableKey, owner: TableKey) -> bool:
        """Whether each row of `home` is of at most one of `owner`, so that no join repeats what is added up."""
        if home == owner:
            return True
        steps = self.joins.path(home, owner)
        return bool(steps) and not any(step.multiplies for step in steps or ())

    def carries(self, query: Query, home: TableKey) -> bool:
        """Whether a tree can start at the rows of a table: each of them has one of all that the tree looks at."""
        return all(self.belongs(home, each.table) for each in columns_in(query))

    def day(self, home: TableKey) -> Col | None:
        """By which date the rows of a table happen, their own or that of what they are part of."""
        dates = (each for _, each in self.resolver.time_column([home], frozenset()))
        return next((each for each in dates if self.belongs(home, each.table)), None)

    def table(self, key: TableKey) -> Table:
        """A table that is there."""
        table = self.catalog.table(*key)
        assert table is not None
        return table

    def column(self, col: Col) -> Column:
        """A column that is there."""
        column = self.catalog.column(*col.table, col.name)
        assert column is not None
        return column


def says_day(question: str, dates: Iterable[str]) -> bool:
    """Whether a word of the question is in the names of some of these dates alone: `by pick-up date` of `pick_dt`."""
    said = set(map(root, spoken_stems(tokenise(question)))) - _ANY_DATE - _BEFORE_PERIODS
    names = [{root(each) for each in name_stems(name)} for name in dates]
    return any(said & name - set().union(*(each for each in names if each is not name)) for name in names)


def is_asked(question: str, meant: str, other: str) -> bool:
    """Whether `when` or `where` asks for what one column tells by its name, and the other does not: a birth date, no
    birth place."""
    asked = _ASKED.match(question)
    told = _TOLD[asked["what"].lower()] if asked else frozenset()
    return bool(told & {*name_stems(meant)}) and not told & {*name_stems(other)}


def full_name(col: Col) -> str:
    """What an option calls a column."""
    return f"{shown_name(col.table)}.{col.name}"


def only_total(query: Query) -> Agg | None:
    """The one figure of a plain tree; None where it has several, or is made in steps."""
    totals = [each for each in query.select if is_total(each)]
    is_plain = len(totals) == 1 and query.then is None and not query.having
    return totals[0] if is_plain and isinstance(totals[0], Agg) else None


def counted(query: Query) -> TableKey | None:
    """The table whose rows the one figure of a tree counts."""
    total = only_total(query)
    is_count = total is not None and total.function == "count" and isinstance(total.of, Rows) and not total.distinct
    return total.of.table if is_count and total and isinstance(total.of, Rows) else None


def days(query: Query) -> set[Col]:
    """The columns of its periods: those it restricts its rows to, those it groups by."""
    return set(_days(query))


def _days(query: Query) -> Iterator[Col]:
    for each in nodes_in(query):
        of = each.left if isinstance(each, During) else each.of if isinstance(each, Bucket) else None
        if isinstance(of, Col):
            yield of
