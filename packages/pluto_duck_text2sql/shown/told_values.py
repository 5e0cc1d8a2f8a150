"""What the lines of a reading tell of stored values and periods, as its tree has them, whatever put that right since.

Rules and network write their lines before `from LIS to JFK` makes one value the origin, or `not` turns a condition
round: a line that the tree does not bear out tells what the tree has. Called by `decision`. Pure.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Among, Col, Compare, During, Query, all_nodes_in
from pluto_duck_text2sql.trees.phrases import range_text, shown_name

_VALUE = Pattern(r"^(?P<said>.+) → (?P<column>\S+) = (?P<value>'[^']*'|\"[^\"]*\")$")
_PERIOD = Pattern(r"^(?P<said>.+) → (?P<range>[^→]+) of (?P<column>\S+)$")


def as_in_tree(lines: Sequence[str], query: Query) -> list[str]:
    """The lines, each with the column and comparison that the tree has for its value or period; none of a value that
    the tree has given up."""
    kept = (each for each in lines if not _is_given_up(each, query))
    return [_value_told(each, query) or _period_told(each, query) or each for each in kept]


def _is_given_up(line: str, query: Query) -> bool:
    """Whether a line tells of a value that is nowhere in the tree."""
    found = _VALUE.match(line)
    value = str(ast.literal_eval(found["value"])) if found else ""
    return found is not None and not any(value in each for each in _texts(query))


def _texts(query: Query) -> Iterator[str]:
    """All that a tree looks for, as texts."""
    for each in all_nodes_in(query):
        if isinstance(each, Compare):
            yield str(each.right)
        elif isinstance(each, Among):
            yield from map(str, each.values)


def _value_told(line: str, query: Query) -> str:
    """A line about a value that the tree looks for elsewhere, or not at all there; nothing for others."""
    found = _VALUE.match(line)
    if found is None:
        return ""
    value = str(ast.literal_eval(found["value"]))
    held = list(dict.fromkeys(_compared(query, value)))
    if len(held) != 1 or held[0] == (found["column"], "="):
        return ""
    column, operator = held[0]
    return f"{found['said']} → {column} {operator} {value!r}"


def _compared(query: Query, value: str) -> Iterator[tuple[str, str]]:
    for each in all_nodes_in(query):
        if isinstance(each, Compare) and isinstance(each.left, Col) and each.right == value:
            yield _name(each.left), each.operator
        elif isinstance(each, Among) and isinstance(each.left, Col) and value in each.values:
            yield _name(each.left), "!=" if each.negated else "="


def _period_told(line: str, query: Query) -> str:
    found = _PERIOD.match(line)
    held = set(_within(query, found["range"])) if found else set[str]()
    if found and not held:
        whole = [each for each in all_nodes_in(query) if isinstance(each, During) and each.anchored]
        if len(whole) == 1 and isinstance(whole[0].left, Col):
            return f"{found['said']} → {range_text(whole[0].start, whole[0].end)} of {_name(whole[0].left)}"
        return next((f"{found['said']} → {column} = {year}" for column, year in _years(query, found["said"])), "")
    if found is None or len(held) != 1 or found["column"] in held:
        return ""
    return f"{found['said']} → {found['range']} of {held.pop()}"


def _within(query: Query, period: str) -> Iterator[str]:
    for each in all_nodes_in(query):
        if isinstance(each, During) and isinstance(each.left, Col) and range_text(each.start, each.end) == period:
            yield _name(each.left)


def _years(query: Query, said: str) -> Iterator[tuple[str, int]]:
    """The numbers of what was said as a period that the tree looks for in a column."""
    compared = (each for each in all_nodes_in(query) if isinstance(each, Compare) and isinstance(each.right, int))
    for each in compared:
        if isinstance(each.left, Col) and str(each.right) in said.split():
            yield _name(each.left), each.right


def _name(column: Col) -> str:
    return f"{shown_name(column.table)}.{column.name}"
