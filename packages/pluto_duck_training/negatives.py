"""Questions that their data cannot answer: the same words over a catalog from which what they need was taken away.

The wording gives nothing away, since it is that of questions that can be answered (DTE, Qin et al. 2023).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from pluto_duck_text2sql.catalog import Catalog, Table
from pluto_duck_text2sql.learned.sketch import Word
from pluto_duck_text2sql.tree import Col
from pluto_duck_text2sql.values import ValueHit, ValueIndex

EVERY = 5


def is_chosen(id_: str) -> bool:
    """One question in five, by its id."""
    return int(hashlib.sha256(id_.encode()).hexdigest(), 16) % EVERY == 0


def without_needed(line: Sequence[Word], catalog: Catalog) -> Catalog | None:
    """The catalog without the last column of the line that nothing else could stand for; None where there is none."""
    for word in reversed(line):
        if isinstance(word, Col) and _is_alone(word, catalog):
            return _without(word, catalog)
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


def _without(column: Col, catalog: Catalog) -> Catalog:
    tables = tuple(
        replace(table, columns=tuple(each for each in table.columns if each.name != column.name))
        if table.key == column.table
        else table
        for table in catalog.tables
    )
    return replace(catalog, tables=tables, values=cast(ValueIndex, _Values(catalog.values, column)))


@dataclass(frozen=True)
class _Values:
    """An index of values that finds none of one column."""

    inner: Any
    hidden: Col

    def lookup(self, phrase: str, limit: int = 10) -> list[ValueHit]:
        return self._seen(self.inner.lookup(phrase, limit=limit))

    def lookup_fuzzy(self, phrase: str, limit: int = 5) -> list[ValueHit]:
        return self._seen(self.inner.lookup_fuzzy(phrase, limit=limit))

    def _seen(self, hits: list[ValueHit]) -> list[ValueHit]:
        return [each for each in hits if Col((each.schema, each.table), each.column) != self.hidden]
