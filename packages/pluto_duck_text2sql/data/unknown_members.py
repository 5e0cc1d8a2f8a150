"""Rows kept for what is not known, or not there: the customer -1 called `Unknown`, the promotion `No Promotion`.

Warehouses point at such a row where others leave a key empty. It is told by its key, which is below zero, else by the
one of its texts that tells most rows apart. Found once; asked by leftouts.py and for_none.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.values import ValueHit
from pluto_duck_text2sql.language.words import table_words
from pluto_duck_text2sql.tree import Col, Compare, TableKey

_WORDS = ("unknown", "not known", "n/a", "not applicable", "unassigned", "unspecified", "unidentified")
_PREFIXES = frozenset("dim dimension lookup lkp d ref".split())
_SURE = 1.0


def unknown_members(catalog: Catalog) -> dict[TableKey, Compare]:
    """By table that other rows point at, what tells its row for the unknown; those that have none are left out."""
    pointed = _pointed(catalog)
    hits = [each for some in catalog.values.lookup_all(_WORDS, 50) for each in some] if pointed else []
    below = {at.table: made for at in pointed.values() if (made := _below(at, catalog))}
    return {**_by_texts(hits, pointed, catalog), **below}


def members_for_none(catalog: Catalog) -> dict[TableKey, Compare]:
    """By table that other rows point at, what tells its row for none: the promotion that is called `No Promotion`."""
    pointed = _pointed(catalog)
    phrases = {key: [f"no {each}" for each in _called(key[1])] for key in pointed}
    every = list(dict.fromkeys(each for some in phrases.values() for each in some))
    hits = [each for some in catalog.values.lookup_all(every, 50) for each in some] if every else []
    own = [each for each in hits if each.value.casefold() in phrases.get((each.schema, each.table), ())]
    return _by_texts(own, pointed, catalog)


def _called(name: str) -> Iterator[str]:
    """What rows of a table are called, one and several."""
    words = [each for each in table_words(name) if each not in _PREFIXES]
    yield " ".join(words)
    yield words[-1] if words else name
    yield (words[-1] if words else name).removesuffix("s")


def _pointed(catalog: Catalog) -> dict[TableKey, Col]:
    """The tables that other rows point at by one column, with their key."""
    keys = (key for table in catalog.tables for key in table.foreign_keys if len(key.ref_columns) == 1)
    return {(key.ref_schema, key.ref_table): Col((key.ref_schema, key.ref_table), key.ref_columns[0]) for key in keys}


def _below(key: Col, catalog: Catalog) -> Compare | None:
    """The row whose key is below zero."""
    column = catalog.column(*key.table, key.name)
    is_below = column is not None and column.kind == "number" and isinstance(column.minimum, int) and column.minimum < 0
    return Compare(key, "=", column.minimum) if column and is_below else None


def _by_texts(hits: list[ValueHit], pointed: dict[TableKey, Col], catalog: Catalog) -> dict[TableKey, Compare]:
    """Of each table the text that tells most of its rows apart."""
    found: dict[TableKey, tuple[int, Compare]] = {}
    for hit in hits:
        key = (hit.schema, hit.table)
        table = catalog.table(*key)
        column = table.column(hit.column) if table else None
        if key in pointed and hit.score >= _SURE and table and column and _is_name(column, table):
            told = (column.n_distinct or 0, Compare(Col(key, hit.column), "=", hit.value))
            found[key] = max(found.get(key, told), told, key=lambda each: each[0])
    return {key: condition for key, (_, condition) in found.items()}


def _is_name(column: Column, table: Table) -> bool:
    """Whether a text tells most rows apart."""
    return 2 * (column.n_distinct or 0) > (table.row_count or 0)
