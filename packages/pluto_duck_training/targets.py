"""Which nodes of a graph a sketch's words point at, so that the network can be taught to write it."""

from __future__ import annotations

from typing import Any

from pluto_duck_text2sql.learned.grammar import WORDS
from pluto_duck_text2sql.learned.graph import Graph
from pluto_duck_text2sql.learned.literals import Literal
from pluto_duck_text2sql.learned.sketch import Val, Word
from pluto_duck_text2sql.times.periods import Period, period_of
from pluto_duck_text2sql.tree import Col, Rows


class Missed(ValueError):
    """A word of the sketch is no node of the graph."""


def to_targets(line: list[Word], graph: Graph) -> list[int]:
    """Numbers of words: below len(WORDS) a word of the grammar, else a node after the question's words.

    Raises Missed.
    """
    _, columns, tables, _ = graph.sizes
    at_column = {graph.column(n): n for n in range(columns)}
    kinds = {graph.column(n): graph.columns[n][1].kind for n in range(columns)}
    at_table = {table.key: n for n, table in enumerate(graph.tables)}
    found, near = [], None
    for at, word in enumerate(line):
        if isinstance(word, str):
            found.append(WORDS.index(word))
        elif isinstance(word, Col):
            near = near if _is_key(line, at) else word
            found.append(_or_missed(at_column.get(word), word, len(WORDS)))
        elif isinstance(word, Rows):
            found.append(_or_missed(at_table.get(word.table), word, len(WORDS) + columns))
        else:
            is_time = line[at - 1] == "during" or (near is not None and kinds.get(near) == "time")
            period = _period(word, graph.values) if is_time else None
            place = _literal(word, near, graph.values) if period is None else period
            found.append(_or_missed(place, word, len(WORDS) + columns + tables))
    return [*found, WORDS.index("end")]


def _or_missed(place: int | None, word: Any, first: int) -> int:
    if place is None:
        raise Missed(repr(word))
    return first + place


def _is_key(line: list[Word], at: int) -> bool:
    """Whether the column is the key whose first date is meant: what follows is compared with the date."""
    return at > 1 and line[at - 2] in ("firstof", "lastof") and isinstance(line[at - 1], Col)


def _period(word: Val, values: list[Literal]) -> int | None:
    """The node of a period, given as one or in words."""
    period = period_of(word.value) if isinstance(word.value, str) else word.value
    if not isinstance(period, Period):
        return None
    found = (n for n, each in enumerate(values) if each.kind == "period" and str(each.value) == str(period))
    return next(found, None)


def _literal(word: Val, column: Col | None, values: list[Literal]) -> int | None:
    """The value's node: spelt so in the column, else of the same number or text."""
    if column is not None:
        for place, each in enumerate(values):
            if column in each.stored and _plain(each.stored[column]) == _plain(word.value):
                return place
    for place, each in enumerate(values):
        if each.kind != "flag" and _plain(each.value) == _plain(word.value):
            return place
    return None


def _plain(value: Any) -> Any:
    try:
        return float(value)
    except (TypeError, ValueError):
        return str(value).casefold().strip()
