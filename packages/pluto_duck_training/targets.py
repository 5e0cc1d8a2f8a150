"""Which nodes of a graph a sketch's words point at, so that the network can be taught to write it."""

from __future__ import annotations

from typing import Any

from pluto_duck_text2sql.learned.grammar import WORDS
from pluto_duck_text2sql.learned.graph import Graph
from pluto_duck_text2sql.learned.literals import Literal
from pluto_duck_text2sql.learned.sketch import Val, Word
from pluto_duck_text2sql.periods import period_of
from pluto_duck_text2sql.tree import Col, Rows


class Missed(ValueError):
    """A word of the sketch is no node of the graph."""


def to_targets(line: list[Word], graph: Graph) -> list[int]:
    """Numbers of words: below len(WORDS) a word of the grammar, else a node after the question's words.

    Raises Missed.
    """
    _, columns, tables, _ = graph.sizes
    at_column = {graph.column(n): n for n in range(columns)}
    at_table = {table.key: n for n, table in enumerate(graph.tables)}
    found, near = [], None
    for word in line:
        if isinstance(word, str):
            found.append(WORDS.index(word))
        elif isinstance(word, Col):
            near = word
            found.append(_or_missed(at_column.get(word), word, len(WORDS)))
        elif isinstance(word, Rows):
            found.append(_or_missed(at_table.get(word.table), word, len(WORDS) + columns))
        else:
            place = _literal(word, near, graph.values)
            found.append(_or_missed(place, word, len(WORDS) + columns + tables))
    return [*found, WORDS.index("end")]


def _or_missed(place: int | None, word: Any, first: int) -> int:
    if place is None:
        raise Missed(repr(word))
    return first + place


def _literal(word: Val, column: Col | None, values: list[Literal]) -> int | None:
    """The value's node: spelt so in the column, else of the same number or text."""
    if column is not None:
        for place, each in enumerate(values):
            if column in each.stored and _plain(each.stored[column]) == _plain(word.value):
                return place
    period = period_of(str(word.value)) if isinstance(word.value, str) else None
    for place, each in enumerate(values):
        if period is not None and each.kind == "period" and str(each.value) == str(period):
            return place
        if each.kind != "flag" and _plain(each.value) == _plain(word.value):
            return place
    return None


def _plain(value: Any) -> Any:
    try:
        return float(value)
    except (TypeError, ValueError):
        return str(value).casefold().strip()
