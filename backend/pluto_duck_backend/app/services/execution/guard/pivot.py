"""PIVOT whose values are not listed: they are looked up first and written in, so that the statement has a syntax tree.

`PIVOT t ON b USING sum(a)` becomes `PIVOT t ON b IN ('x', 'y') USING sum(a)`, which is what DuckDB itself makes of it,
in two statements of which one creates a type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pluto_duck_backend.app.core.errors import Refused
from pluto_duck_backend.app.core.warehouse import literal
from pluto_duck_backend.app.services.execution.guard.text import Token, tokens, until_closed

MAX_VALUES = 1_000
_PIVOT = ("PIVOT", "PIVOT_WIDER")
_AFTER_ON = ("USING", "GROUP", "ORDER", "LIMIT", "OFFSET", "UNION", "INTERSECT", "EXCEPT")
_QUERY_WORDS = ("SELECT", "FROM", "WITH", "VALUES")

Values = Callable[[str], Sequence[str]]
#   the first column of a query, as texts


@dataclass(frozen=True)
class _Element:
    """An expression of ON to be written anew: its place in the SQL, and its values.

    They come from `query`, or are listed already but DuckDB 2.0 would take their list for a part of the expression.
    """

    start: int
    end: int
    expression: str
    query: str
    listed: str = ""


def write_out(sql: str, values: Values) -> str:
    """`sql` with a list of values in every PIVOT that has none. Raises Refused for more than MAX_VALUES."""
    while element := next(_elements(sql), None):
        found = values(element.query) if element.query else []
        if len(found) > MAX_VALUES:
            raise Refused(
                f"PIVOT ON {element.expression} makes more than {MAX_VALUES:,} columns.",
                code="too_large",
                hint="List the values wanted: ON column IN ('a', 'b').",
            )
        listed = "(" + (", ".join(literal(value) for value in found) or "NULL") + ")"
        listed = listed if element.query else element.listed
        sql = f"{sql[: element.start]}({element.expression}) IN {listed}{sql[element.end :]}"
    return sql


def _elements(sql: str) -> Iterator[_Element]:
    found = tokens(sql)
    for place, token in enumerate(found):
        if token.is_word(*_PIVOT) and not _is_clause(found, place):
            yield from _of_pivot(sql, found, place)


def _is_clause(found: list[Token], place: int) -> bool:
    """`t PIVOT (sum(a) FOR b IN (…))` lists its values always."""
    inside = found[place].depth + 1
    following = found[place + 1 :]
    if not following or following[0].text != "(":
        return False
    return any(token.is_word("FOR") and token.depth == inside for token in until_closed(following[1:], inside))


def _of_pivot(sql: str, found: list[Token], place: int) -> Iterator[_Element]:
    pivot = found[place]
    rest = list(until_closed(found[place + 1 :], pivot.depth))
    on = next((n for n, token in enumerate(rest) if token.is_word("ON") and token.depth == pivot.depth), None)
    if on is None:
        return
    source = sql[pivot.end : rest[on].start]
    prefix = _ctes_before(sql, found, place)
    for part in _parts(rest[on + 1 :], pivot.depth):
        query = _values_query(sql, part, prefix, source, pivot.depth)
        expression, place_of_in = _expression(sql, part, pivot.depth), _in_place(part, pivot.depth)
        if query:
            yield _Element(part[0].start, part[-1].end, expression, query)
        elif place_of_in is not None and _is_computed(part[:place_of_in], pivot.depth):
            listed = sql[part[place_of_in].end : part[-1].end]
            yield _Element(part[0].start, part[-1].end, expression, "", listed)


def _parts(rest: list[Token], depth: int) -> Iterator[list[Token]]:
    """The expressions between ON and what follows it, each as its tokens."""
    part: list[Token] = []
    for token in rest:
        if token.depth == depth and (token.is_word(*_AFTER_ON) or token.text == ","):
            if part:
                yield part
            part = []
            if token.text != ",":
                return
        else:
            part.append(token)
    if part:
        yield part


def _in_place(part: list[Token], depth: int) -> int | None:
    return next((n for n, token in enumerate(part) if token.is_word("IN") and token.depth == depth), None)


def _is_computed(expression: list[Token], depth: int) -> bool:
    brackets = set("()[]{}.")
    return any(each.depth == depth and each.kind == "operator" and each.text not in brackets for each in expression)


def _expression(sql: str, part: list[Token], depth: int) -> str:
    place = _in_place(part, depth)
    end = part[-1].end if place is None else part[place].start
    return sql[part[0].start : end].strip()


def _values_query(sql: str, part: list[Token], prefix: str, source: str, depth: int) -> str:
    """The query for an expression's values; empty where they are listed."""
    place = _in_place(part, depth)
    if place is None:
        expression = _expression(sql, part, depth)
        kept = f"FROM (SELECT DISTINCT {expression} AS v FROM {source}) WHERE v IS NOT NULL"
        return f"{prefix} SELECT CAST(v AS VARCHAR) {kept} ORDER BY v LIMIT {MAX_VALUES + 1}"
    listed = part[place + 1 :]
    if len(listed) > 2 and listed[1].is_word(*_QUERY_WORDS):
        inner = sql[listed[1].start : listed[-1].start]
        return f"{prefix} SELECT DISTINCT CAST(v AS VARCHAR) FROM ({inner}) AS q(v) LIMIT {MAX_VALUES + 1}"
    return ""


def _ctes_before(sql: str, found: list[Token], place: int) -> str:
    """The statement's own WITH, up to the last CTE that is whole before the PIVOT."""
    if not found or not found[0].is_word("WITH"):
        return ""
    end, body = 0, False
    for before, token in pairwise(found[:place]):
        if token.depth == 0 and token.text == "(":
            body = before.is_word("AS", "MATERIALIZED")
        if token.depth == 0 and token.text == ")" and body:
            end = token.end
    return sql[:end]
