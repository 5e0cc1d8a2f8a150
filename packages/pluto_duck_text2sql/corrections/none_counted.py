"""A number that is to be none: reservations for no kids are those with 0 in `kids`.

Called by `corrections` for every tree that compares the number with anything else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.tree import Col, Compare, Cond, Inside, Missing, Query

_NO = Pattern(r"\b(?:no|zero) (?P<what>[a-z]+)\b(?! (?:than|longer|more|less|one)\b)")


def with_none_of(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree with 0 for each number of which a question says that there is none."""
    said = {stem(found["what"]) for found in _NO.finditer(question.lower())}
    if not said:
        return query
    where = tuple(dict.fromkeys(_as_none(each, said, catalog) for each in query.where))
    return query if where == query.where else replace(query, where=where)


def _as_none(condition: Cond, said: set[str], catalog: Catalog) -> Cond:
    column = next(_compared(condition), None)
    return Compare(column, "=", 0) if column and _counts(column, said, catalog) else condition


def _compared(condition: Cond) -> Iterator[Col]:
    if isinstance(condition, Compare | Inside | Missing) and isinstance(condition.left, Col):
        yield condition.left


def _counts(column: Col, said: set[str], catalog: Catalog) -> bool:
    """Whether it is a number that is called so and may be none."""
    table, stored = catalog.table(*column.table), catalog.column(*column.table, column.name)
    is_called = table is not None and any(table.stems(column.name) == (each,) for each in said)
    return is_called and stored is not None and stored.kind == "number" and stored.minimum == 0
