"""What is so now, of what is kept with its history: `current salaries`, `what do men and women make today`.

A history is a table whose rows begin and end, where what still holds has no end, an end that stands for none
(open_ends.py) or a flag (`is_current`), and which nothing points at: versions that other rows point at are those of
their time. Every history on a query's way is as it is now: the salaries and the departments of the employees. Where
none is on its way, the rows of the question are those of which some history has a row that holds: `how many people work
here now`. Taken out of the question by asides.py, and put into the tree of the rest.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.asides.aside import Aside
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.yes_no import is_yes_or_no, yes_of
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import name_stems, stem
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    Compare,
    Cond,
    Days,
    Missing,
    Query,
    Related,
    TableKey,
    all_nodes_in,
    columns_in,
    mapped,
)
from pluto_duck_text2sql.trees.durations import Durations
from pluto_duck_text2sql.trees.expressions import contrary
from pluto_duck_text2sql.trees.semi_joins import with_semi_joins

_UNTIL = (
    r"(?<!until )(?<!till )(?<!up to )(?<!by )(?<!than )(?<!from )(?<!before )(?<!to )(?<!since )(?<!with )(?<!and )"
)
_TIMES = r"(?:days?|dates?|times?|weeks?|months?|quarters?|years?|periods?|seasons?|fiscal|financial|calendar|balance)"
_NOW = Pattern(
    rf",? ?{_UNTIL}\b(?:as of (?:now|today)|right now|just now|at (?:the|this) moment|at present|these days"
    rf"|nowadays|presently|currently|now|today|(?:current|present)(?= [a-z])(?! {_TIMES}\b))\b(?!['’-])",
    re.IGNORECASE,
)
_CURRENT = stem("current")
_ALL = 0.9
"""Of so many rows a history has some, for those without one that holds to be gone."""
_TOLD = "What is so now is what has no end yet."


class HeldNow:
    """Finds what a question says of the present, over one catalog."""

    def __init__(self, reader: Reader) -> None:
        self._catalog, self._joins, self._today = reader.catalog, reader.joins, reader.today
        self._durations = Durations(reader.catalog, reader.resolver)
        pointed = {(key.ref_schema, key.ref_table) for table in self._catalog.tables for key in table.foreign_keys}
        held = ((table.key, self._holds(table)) for table in self._catalog.tables if table.key not in pointed)
        self._histories = {key: condition for key, condition in held if condition}
        self.ended = {key: contrary(condition) for key, condition in self._histories.items()}
        columns = [each for table in self._catalog.tables for each in table.columns] if self._histories else []
        self._is_a_name = any(_CURRENT in name_stems(each.name) and not is_yes_or_no(each) for each in columns)
        self._is_a_name |= any(each.score == 1 for each in self._catalog.values.lookup("current", 5))

    def aside(self, question: str) -> Aside | None:
        """The question without its words for the present; None where it has none, or nothing is kept with a history."""
        said = [each[0].strip(" ,").lower() for each in _NOW.finditer(question)] if self._histories else []
        if not said or (self._is_a_name and "current" in said):
            return None
        return Aside(tidy(_NOW.sub("", question)).strip(" ,"), self.now, (_TOLD,))

    def now(self, query: Query) -> Query | None:
        """The query of what is so now; None where no history has to do with it."""
        made: Query = mapped(query, self._as_now)
        return made if self._has_any(made) else self._of_those_there(query)

    def gone(self, query: Query) -> Query | None:
        """The query of those of which no row holds any more."""
        history = self._of_all(query.anchor)
        there = Related(history, (self._histories[history],), negated=True) if history else None
        return replace(query, where=(*query.where, there)) if there and not query.then else None

    def owners(self) -> Iterator[TableKey]:
        """The tables of whose rows a history tells whether they are still there."""
        return (table.key for table in self._catalog.tables if self._histories and self._of_all(table.key))

    def _holds(self, table: Table) -> Cond | None:
        """That a row still holds, where the table is a history that tells it."""
        flags = [each for each in table.columns if _CURRENT in table.stems(each.name) and is_yes_or_no(each)]
        if len(flags) == 1:
            return Compare(Col(table.key, flags[0].name), "=", yes_of(flags[0]))
        days = self._durations.pair(table)
        return Missing(days.end) if days and isinstance(days.end, Col) and self._is_history(table, days) else None

    def _is_history(self, table: Table, days: Days) -> bool:
        """Whether the end of its rows tells which still hold: none of these has one that is to come."""
        end = table.column(days.end.name) if isinstance(days.end, Col) else None
        last = end.maximum if end else None
        last = last.date() if isinstance(last, dt.datetime) else last
        is_over = last is None or (isinstance(last, dt.date) and last <= self._today)
        return end is not None and bool(end.null_fraction) and is_over and bool(end.open_end or end.meets_next)

    def _as_now(self, node: Any) -> Any:
        if isinstance(node, Query):
            return self._of_query(node)
        if isinstance(node, Compare) and isinstance(node.right, Agg):
            held = self._holding({each.table for each in columns_in(node.right)}, node.right.where)
            return replace(node, right=replace(node.right, where=(*node.right.where, *held)))
        return node

    def _of_query(self, query: Query) -> Query:
        """One query, with each history on its way as it is now, and on the way to what its rows have."""
        joined = query if query.flat else with_semi_joins(query, self._joins)
        needed = {*joined.also, *(each.table for each in columns_in(joined))}
        steps = self._joins.tree(query.anchor, needed, query.through) or ()
        related = tuple(self._of_related(each, query) for each in joined.where)
        held = self._holding({query.anchor, *(each.target for each in steps)}, joined.where)
        changed = bool(held) or related != joined.where
        return replace(joined, where=(*related, *held)) if changed else query

    def _of_related(self, condition: Cond, query: Query) -> Cond:
        if not isinstance(condition, Related):
            return condition
        steps = self._joins.path(query.anchor, condition.table, query.through) or ()
        held = self._holding({condition.table, *(each.target for each in steps)}, condition.where)
        return replace(condition, where=(*condition.where, *held))

    def _holding(self, tables: set[TableKey], where: tuple[Cond, ...]) -> list[Cond]:
        """What says that the rows of these tables hold, of those whose days no condition is on."""
        told = {each for each in columns_in(where) if isinstance(each, Col)}
        held = [self._histories[key] for key in sorted(tables) if key in self._histories]
        return [each for each in held if told.isdisjoint(columns_in(each))]

    def _has_any(self, query: Query) -> bool:
        held = self._histories.values()
        return any(each in held for each in all_nodes_in(query) if isinstance(each, Missing | Compare))

    def _of_those_there(self, query: Query) -> Query | None:
        """The query of the rows of which some history has one that holds."""
        history = self._of_all(query.anchor)
        if history is None or query.then or query.beside:
            return None
        return replace(query, where=(*query.where, Related(history, (self._histories[history],))))

    def _of_all(self, key: TableKey) -> TableKey | None:
        """The history that nearly all rows of a table have some row of: one that tells where they are, else the first;
        None where the rows tell themselves when they end."""
        table = self._catalog.table(*key)
        if table is None or self._durations.pair(table) or not self._histories:
            return None
        found = [each for each in self._histories if self._is_of_all(each, table)]
        return min(found, key=lambda each: (-len(self._points_at(each)), each), default=None)

    def _is_of_all(self, history: TableKey, table: Table) -> bool:
        steps = self._joins.path(table.key, history) or []
        pointer = self._catalog.column(*history, steps[0].pairs[0][1]) if len(steps) == 1 else None
        if pointer is None or not steps[0].multiplies:
            return False
        return (pointer.n_distinct or 0) >= _ALL * (table.row_count or 0) > 0

    def _points_at(self, history: TableKey) -> set[TableKey]:
        return {step.target for step in self._joins.neighbours(history) if not step.multiplies}
