"""Bounds that a tree sets and its question does not: on keys, twice, on one column for two that are said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pluto_duck_text2sql.data.identifiers import is_identifier
from pluto_duck_text2sql.language.words import name_words, stem
from pluto_duck_text2sql.tree import Col, Compare, Cond, Every, Query, all_nodes_in

if TYPE_CHECKING:
    from pluto_duck_text2sql.reading.reader import Pass

_BOUNDS = ("=", "<", "<=", ">", ">=")


def bounded_keys(roles: Pass, query: Query) -> Iterator[str]:
    """`people under 30` are no employees whose number is below 30, unless numbers are spoken of."""
    said = {token.stem for token in roles.tokens}
    for left, operator, _ in _numbers(query):
        table, column = roles.reader.catalog.table(*left.table), roles.reader.catalog.column(*left.table, left.name)
        is_key = table is not None and column is not None and operator != "=" and is_identifier(table, column)
        if is_key and stem(name_words(left.name)[-1]) not in said:
            yield left.name


def bounds_twice(roles: Pass, query: Query) -> Iterator[str]:
    """A number that is said once bounds one column."""
    said = Counter(token.number for token in roles.tokens if token.number is not None)
    bounded = {(right, left) for left, operator, right in _numbers(query) if operator != "="}
    for number, times in Counter(right for right, _ in bounded).items():
        if times > 1 and said[number] == 1:
            yield f"{number:g}"


def _numbers(query: Query) -> Iterator[tuple[Col, str, float]]:
    """The numbers that columns are compared with: the column, how, and the number."""
    for each in all_nodes_in(query, but=("said", "anchored")):
        is_number = (
            isinstance(each, Compare) and isinstance(each.right, int | float) and not isinstance(each.right, bool)
        )
        if is_number and isinstance(each.left, Col):
            yield each.left, each.operator, float(each.right)


def doubled(roles: Pass, query: Query) -> Iterator[str]:
    """`price > 2 and price > 200`, or one value and another at once: one of the two is of another column."""
    bounds = Counter(
        (each.left, each.operator)
        for each in _joined(query.where)
        if isinstance(each, Compare) and isinstance(each.left, Col) and each.operator in _BOUNDS
    )
    yield from (left.name for (left, _), count in bounds.items() if count > 1)


def _joined(conditions: Sequence[Cond]) -> Iterator[Cond]:
    """The conditions that must all hold."""
    for each in conditions:
        yield from _joined(each.all_of) if isinstance(each, Every) else (each,)
