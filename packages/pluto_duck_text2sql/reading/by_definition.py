"""Puts a metric's own column in the place of one of the same name in a table with more detail: `orders.revenue`.

Called by `gathered` on every reading. Only where the question says the metric's name and not that table's, and where
the groups do not count the metric's rows again: revenue by category stays that of the lines.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.language.words import name_stems, table_stems, tokenise
from pluto_duck_text2sql.reading.reader import Reading
from pluto_duck_text2sql.terms.metrics import says_itself
from pluto_duck_text2sql.tree import Agg, Col, Query, columns_in
from pluto_duck_text2sql.trees.grain import counted_again
from pluto_duck_text2sql.trees.parts import swapped
from pluto_duck_text2sql.trees.phrases import shown_name
from pluto_duck_text2sql.trees.term import Term


class ByDefinition:
    """Of one catalog's metrics."""

    def __init__(self, metrics: Iterable[Term], joins: JoinGraph) -> None:
        self._joins = joins
        summed = (each.measure for each in metrics)
        self._columns = [
            each.of
            for each in summed
            if isinstance(each, Agg) and isinstance(each.of, Col) and says_itself(name_stems(each.of.name), each)
        ]

    def applied(self, query: Query, question: str) -> Query:
        """The query by the metrics that the question names."""
        stems = {token.stem for token in tokenise(question)}
        for own in self._said_in(question):
            others = {each for each in columns_in(query.select) if isinstance(each, Col) and self._is_like(each, own)}
            for other in others:
                changed = self._changed(query, other, own)
                if not set(table_stems(other.table[1])) <= stems and not counted_again(changed, self._joins):
                    query = changed
        return query

    def _is_like(self, other: Col, own: Col) -> bool:
        """Whether it is called the same, in a table whose rows belong to rows of the metric's."""
        steps = self._joins.path(other.table, own.table) if other.name == own.name else None
        return bool(steps) and not any(step.multiplies for step in steps or ())

    def _changed(self, query: Query, other: Col, own: Col) -> Query:
        changed = swapped(query, other, own)
        used = {each.table for each in columns_in(changed)}
        return replace(changed, anchor=own.table) if query.anchor == other.table not in used else changed

    def reading(self, reading: Reading, question: str) -> Reading:
        """The rules' reading, its lines and choices told of the columns that are read now."""
        query = self.applied(reading.query, question)
        used = set(columns_in(query.select))
        labels = {f"{shown_name(own.table)}.{own.name}" for own in self._said_in(question) if own in used}
        if not labels:
            return reading
        choices = [each for each in reading.choices if not labels & set(each.labels)]
        return replace(reading, query=query, choices=choices, lines=[_told(line, labels) for line in reading.lines])

    def _said_in(self, question: str) -> list[Col]:
        """The metrics' columns whose names the question says."""
        stems = {token.stem for token in tokenise(question)}
        return [own for own in self._columns if set(name_stems(own.name)) <= stems]


def _told(line: str, labels: Collection[str]) -> str:
    """A line of a reading that names a column, with the metric's of that name."""
    said, arrow, meant = line.partition(" → ")
    own = next((each for each in labels if arrow and each.rpartition(".")[2] == meant.rpartition(".")[2]), None)
    return f"{said} → {own}" if own else line
