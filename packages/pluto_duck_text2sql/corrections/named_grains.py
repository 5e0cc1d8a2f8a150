"""Whose year: `revenue in 2025 by year of sign-up` has a row for each year in which customers signed up.

Called by `whens` for every tree. The words beside a grain may name another date than the one that the figure goes by:
of the same rows, or of what these belong to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.event_dates import event_date
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.starting import is_start, started
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import STOP, name_stems, table_stems
from pluto_duck_text2sql.tree import (
    Bucket,
    Col,
    During,
    Query,
    Rows,
    TableKey,
    all_nodes_in,
    is_total,
    mapped,
)
from pluto_duck_text2sql.trees.durations import rooted

_GRAIN = r"(?P<grain>year|quarter|month|week)"
_EACH = r"\b(?:by|per|for each|for every|in each|of each|grouped by|split by) (?:the )?"
_THEY = r"(?:they|it|these|those|(?:the |our )?[a-z]+)"
_SAID = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_EACH}{_GRAIN}s? of (?:(?:the|their|its|his or her) )?(?P<words>[a-z]+(?:[- ](?:up|in|out|on|date))?)\b",
        rf"{_EACH}{_GRAIN}s? (?:in which |when |that |on which )?{_THEY} (?:(?:were|was|are|is|had) )?"
        r"(?P<words>[a-z]+ed(?: up| in| out)?|left|began|bought|sold|sent|hired)\b",
        rf"{_EACH}(?P<words>[a-z]+(?:-[a-z]+)?) {_GRAIN}s?\b",
    )
)
_GROUPED = Pattern(
    r"^(?:(?:for|take|split|group|grouping) )?(?:the |our |all (?:the )?)?(?P<who>[a-z]+),? (?:grouped |split )?by"
    r" (?:the )?(?P<grain>year|quarter|month|week)s? (?:in which |when |that )?(?:they|these|it)"
    r" (?P<verb>(?:were |was )?[a-z]+(?: up| in)?)"
    r"(?:,|:|;| and show)(?: and| per (?P=grain),?| for each (?:group|(?P=grain)),?)* (?P<rest>.+)$",
    re.IGNORECASE,
)
_OF_THEM = Pattern(
    r" (?:to|from|by|of|for) (?:them|those)(?: (?:of|in) each (?:group|year|quarter|month))?\b"
    r"| (?:of|in|for) each (?:group|[a-z]+ing (?:year|quarter|month))\b",
    re.IGNORECASE,
)
_ALIKE = 5
_LENGTHS = {"week": 7, "month": 31, "quarter": 92, "year": 366}
"""The most days that one has."""


def grain_last(question: str) -> str:
    """`customers grouped by the year they joined: how much did they spend` with the figure before what it is by."""
    found = _GROUPED.match(question)
    if found is None:
        return question
    figure, end = found["rest"].rstrip(" .?!"), f" by the {found['grain']} the {found['who']} {found['verb']}"
    main, *spec = re.split(r"(?<=[a-z\d])[?.] (?=[A-Z])", figure, maxsplit=1)
    main = re.sub(r"\bthey\b", f"the {found['who']}", _OF_THEM.sub("", main))
    return ". ".join([main + end, *spec])


def _named_in(question: str) -> re.Match[str] | None:
    """The words for a grain and for the date that it is of; None where there are none."""
    return next((found for each in _SAID if (found := each.search(question))), None)


class NamedGrains:
    """Puts the grains of trees over one catalog at the date that is named beside them."""

    def __init__(self, catalog: Catalog, joins: JoinGraph) -> None:
        self._catalog, self._joins = catalog, joins

    def applied(self, query: Query, question: str) -> Query:
        """The tree with its one grain of the date named; unchanged where none is, or several are."""
        found = _named_in(grain_last(question))
        grains = {each for each in query.group if isinstance(each, Bucket) and isinstance(each.of, Col)}
        grain = next(iter(grains)) if len(grains) == 1 else None
        own = grain.of if grain else None
        if found is None or grain is None or not isinstance(own, Col):
            return query
        if not grain.grain.startswith(found["grain"].lower()):
            return query
        said = name_stems(found["words"])
        roots = rooted(said) - rooted(STOP)
        is_own = not roots or self._is_called(own, roots)
        dates = [own] if is_own else list(dict.fromkeys(self._dates(own.table, roots, is_start(said))))
        if dates == [own]:
            return self._of_figure(query, grain, own)
        return _at(query, own, dates[0]) if len(dates) == 1 else query

    def _of_figure(self, query: Query, grain: Bucket, own: Col) -> Query:
        """`revenue in 2025 by the year customers signed up`: what came in then, where else all were of one year."""
        totals = tuple(filter(is_total, query.select))
        of = {each.table for each in all_nodes_in(totals) if isinstance(each, Col | Rows)}
        table = self._catalog.table(*of.pop()) if len(of) == 1 else None
        date = event_date(table) if table and table.key != own.table else None
        if table is None or date is None or not self._joins.is_of(table.key, own.table):
            return query

        def put(node: Any) -> Any:
            is_one = isinstance(node, During) and node.left == own and _days(node) <= _LENGTHS.get(grain.grain, 0)
            return replace(node, left=Col(table.key, date)) if is_one else node

        where = tuple(mapped(each, put) for each in query.where)
        return query if where == query.where else replace(query, where=where)

    def _dates(self, near: TableKey, roots: frozenset[str], of_start: bool) -> Iterator[Col]:
        """The dates called so of the rows of a table, else of those that they belong to; else, where the words are of
        that, when these became what they are."""
        tables = [each for each in self._catalog.tables if each.key == near or self._joins.is_of(near, each.key)]
        called = [date for each in tables for date in _times(each) if self._is_called(date, roots)]
        yield from [each for each in called if each.table == near] or called
        if not called and of_start:
            yield from (date for each in tables if (date := started(each)))

    def _is_called(self, date: Col, roots: frozenset[str]) -> bool:
        """Whether a date's own words, and not those of its table alone, are these."""
        table = self._catalog.table(*date.table)
        stems = rooted(table.stems(date.name) if table else name_stems(date.name))
        every = stems | rooted(table_stems(table.name)) if table else stems
        return all(_is_in(each, every) for each in roots) and any(_is_in(each, stems) for each in roots)


def _is_in(root: str, stems: frozenset[str]) -> bool:
    """Whether a word is among others, or begins as one does: `registered`, `registration`."""
    return root in stems or any(root[:_ALIKE] == each[:_ALIKE] for each in stems if min(len(root), len(each)) >= _ALIKE)


def _days(period: During) -> int:
    return (period.end - period.start).days


def _times(table: Table) -> list[Col]:
    return [Col(table.key, each.name) for each in table.columns if each.is_time]


def _at(query: Query, own: Col, date: Col) -> Query:
    """The tree with the grains of one date at another; what restricts it stays."""

    def moved(node: Any) -> Any:
        return replace(node, of=date) if isinstance(node, Bucket) and node.of == own else node

    parts = {name: mapped(getattr(query, name), moved) for name in ("select", "group", "order")}
    return replace(query, **parts)
