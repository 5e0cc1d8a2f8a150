"""Questions that their data cannot answer: the same words over a catalog from which what they need was taken away.

The wording gives nothing away, since it is that of questions that can be answered (DTE, Qin et al. 2023). Where a
column or a table is gone, the answer is `nothing`; where a stored value is, the query that looks for it by its text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, cast

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.values import ValueHit, ValueIndex
from pluto_duck_text2sql.learned.sketch import Val, Word
from pluto_duck_text2sql.tree import Col, Rows, TableKey

EVERY = 3
_NOTHING: list[Word] = ["nothing"]
"""The line of what the data does not answer."""


@dataclass(frozen=True)
class Lesser:
    """A catalog that lacks something, and the line that answers the question over it."""

    catalog: Catalog
    line: list[Word]


def has_answer(question: Mapping[str, Any]) -> bool:
    """Whether the database holds an answer to a question whose line is known."""
    return bool(question["line"] != _NOTHING)


def is_chosen(id_: str) -> bool:
    """One question in three, by its id."""
    return _mark(id_) % EVERY == 0


def lesser(id_: str, line: list[Word], catalog: Catalog) -> Lesser | None:
    """The catalog without something that the line needs: a column, a table or a value, by the id; None without one."""
    ways = (_without_column, _without_table, _without_value)
    first = _mark(f"way/{id_}") % len(ways)
    found = (way(line, catalog) for way in (*ways[first:], *ways[:first]))
    return next((each for each in found if each), None)


def _mark(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest(), 16)


def _without_column(line: Sequence[Word], catalog: Catalog) -> Lesser | None:
    """Without the last column of the line that nothing else could stand for."""
    for word in reversed(line):
        if isinstance(word, Col) and _is_alone(word, catalog):
            return Lesser(_dropped(word, catalog), _NOTHING)
    return None


def _is_alone(column: Col, catalog: Catalog) -> bool:
    """No key, and no other column shares the last part of its name."""
    table = catalog.table(*column.table)
    if table is None or column.name in _keys(table) or len(table.columns) < 2:
        return False
    last = table.stems(column.name)[-1:]
    others = [(each, other) for each in catalog.tables for other in each.columns]
    return sum(each.stems(other.name)[-1:] == last for each, other in others) == 1


def _keys(table: Table) -> set[str]:
    return {*table.primary_key, *(name for key in table.foreign_keys for name in key.columns)}


def _dropped(column: Col, catalog: Catalog) -> Catalog:
    tables = tuple(
        replace(table, columns=tuple(each for each in table.columns if each.name != column.name))
        if table.key == column.table
        else table
        for table in catalog.tables
    )
    hidden = _Values(catalog.values, lambda hit: (hit.schema, hit.table, hit.column) == (*column.table, column.name))
    return replace(catalog, tables=tables, values=cast(ValueIndex, hidden))


def _without_table(line: Sequence[Word], catalog: Catalog) -> Lesser | None:
    """Without a table whose rows the line speaks of and that no other table points to."""
    for word in line:
        if isinstance(word, Rows) and len(catalog.tables) > 1 and not _is_pointed_at(word.table, catalog):
            tables = tuple(each for each in catalog.tables if each.key != word.table)
            hidden = _Values(catalog.values, lambda hit, key=word.table: (hit.schema, hit.table) == key)
            return Lesser(replace(catalog, tables=tables, values=cast(ValueIndex, hidden)), _NOTHING)
    return None


def _is_pointed_at(key: TableKey, catalog: Catalog) -> bool:
    """Whether a foreign key leads to the table, or another name speaks of the same thing."""
    if any((each.ref_schema, each.ref_table) == key for table in catalog.tables for each in table.foreign_keys):
        return True
    name = _singular(key[1])
    return any(name in _singular(each.name) for table in catalog.tables if table.key != key for each in _named(table))


def _named(table: Table) -> Iterator[Any]:
    yield table
    yield from table.columns


def _singular(name: str) -> str:
    return name.casefold().removesuffix("s")


def _without_value(line: list[Word], catalog: Catalog) -> Lesser | None:
    """Without a text that the line compares with: the same line then looks for what is not stored."""
    for before, word in pairwise(line):
        if isinstance(word, Val) and isinstance(word.value, str) and before in ("=", "!="):
            said = word.value.casefold()
            hidden = _Values(catalog.values, lambda hit, said=said: str(hit.value).casefold() == said)
            return Lesser(replace(catalog, values=cast(ValueIndex, hidden)), line)
    return None


@dataclass(frozen=True)
class _Values:
    """An index of values that finds none of those hidden."""

    inner: Any
    hides: Any

    def lookup(self, phrase: str, limit: int = 10) -> list[ValueHit]:
        return self._seen(self.inner.lookup(phrase, limit=limit))

    def lookup_all(self, phrases: Sequence[str], limit: int = 10) -> list[list[ValueHit]]:
        return [self._seen(hits) for hits in self.inner.lookup_all(phrases, limit=limit)]

    def lookup_fuzzy(self, phrase: str, limit: int = 5) -> list[ValueHit]:
        return self._seen(self.inner.lookup_fuzzy(phrase, limit=limit))

    def lookup_part(self, stems: Sequence[str]) -> list[ValueHit]:
        return self._seen(self.inner.lookup_part(stems))

    def lookup_held(self, stems: Sequence[str]) -> list[ValueHit]:
        return self._seen(self.inner.lookup_held(stems))

    def held_in(self, schema: str, table: str, column: str) -> list[str]:
        every = self.inner.held_in(schema, table, column)
        return [each.value for each in self._seen([ValueHit(schema, table, column, value, 1.0) for value in every])]

    def _seen(self, hits: list[ValueHit]) -> list[ValueHit]:
        return [each for each in hits if not self.hides(each)]
