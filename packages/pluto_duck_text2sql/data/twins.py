"""One fact, one table: of `raw.orders`, `staging.stg_orders` and `marts.orders` only the best is read.

Called by `analyst`. Tables are twins where one is made from the other or their schemas differ in preference, their
names are the same but for a prefix (`stg_`, `fct_`) or one of another schema holds all columns of the other, and they
share at least half of their columns. A history (a snapshot) is the twin of what it is made from, which is preferred. A
question that names a schema, or a table by its whole name, is read over those.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.values import ValueHit, ValueIndex
from pluto_duck_text2sql.language.words import name_parts, name_stems, stem, table_stems, tokenise
from pluto_duck_text2sql.tree import TableKey

_SHARED = 0.5
_MORE = 4
_HISTORY = frozenset(stem(each) for each in "snapshot snap history scd".split())


def one_of_each(catalog: Catalog, named: Collection[str] = ()) -> Catalog:
    """The catalog with one table for each fact; those in `named`, or of schemas in it, go before the preferred ones."""
    ranked = sorted(
        catalog.tables, key=lambda each: (not _is_named(each, named), -each.preference, -len(each.made_from))
    )
    kept: list[Table] = []
    for table in ranked:
        if not any(_are_twins(other, table, named) for other in kept):
            kept.append(table)
    if len(kept) == len(ranked):
        return catalog
    keys = {table.key for table in kept}
    instead = {
        table.key: next(other.key for other in kept if _are_twins(other, table, named))
        for table in ranked
        if table.key not in keys
    }
    tables = tuple(_without(table, keys) for table in catalog.tables if table.key in keys)
    return replace(catalog, tables=tables, values=_Part(catalog.values, frozenset(keys)), instead=instead)


def named_in(question: str, catalog: Catalog, kept: Catalog) -> frozenset[str]:
    """What the question names of that which is not read: `raw orders`, `staging.stg_orders`, `rows of stg_orders`.

    Schemas of less preferred tables, and tables by a name that no table that is `kept` has and that is not just the
    word for what they hold: `hives` is said of stg_hives, too.
    """
    words = {token.lower for token in tokenise(question.replace(".", " "))}
    best = max((table.preference for table in catalog.tables), default=0.0)
    less = {table.schema for table in catalog.tables if table.preference < best}
    left_out = {table.name for table in catalog.tables} - {table.name for table in kept.tables}
    written = set(re.findall(r"\w+", question.casefold()))
    said_of_others = {table.name for table in catalog.tables if _is_plain_word(table, kept)}
    tables = {name for name in left_out - said_of_others if name.casefold() in written}
    return frozenset(each for each in less if each.casefold() in words) | tables


def _is_plain_word(table: Table, kept: Catalog) -> bool:
    """Whether a table is called by one word, by which what is read in its place goes, too."""
    better = kept.table(*kept.instead[table.key]) if table.key in kept.instead else None
    return len(name_parts(table.name)) == 1 and better is not None and _own_stems(better) == _own_stems(table)


def without_schemas(question: str, named: Collection[str], catalog: Catalog) -> str:
    """The question without these schemas' names: `orders in the raw schema` and `raw.orders` are `orders`."""
    schemas = sorted(re.escape(each) for each in {table.schema for table in catalog.tables} & set(named))
    if not schemas:
        return question
    name = rf"(?:{'|'.join(schemas)})"
    at_end = rf"\s+(?:in|from|of)\s+(?:the\s+)?{name}(?:\s+(?:schema|layer|data))?(?=\s*(?:[?.,;:!]|$))"
    question = re.sub(at_end, "", question, flags=re.IGNORECASE)
    return re.sub(rf"\b{name}(?:\.|\s+)(?=\w)", "", question, flags=re.IGNORECASE)


def _are_twins(better: Table, table: Table, named: Collection[str]) -> bool:
    asked = _is_named(better, named) and not _is_named(table, named)
    is_history = better.key in table.made_from and better.preference > table.preference
    related = table.key in better.made_from or is_history or (asked and better.key in table.made_from)
    layered = better.schema != table.schema and (better.preference > table.preference or asked)
    if not (related or layered):
        return False
    ours, theirs = _column_names(table), _column_names(better)
    shared = len(ours & theirs)
    alike = _own_stems(better) == _own_stems(table) or ((layered or is_history) and theirs <= ours)
    return alike and shared >= _SHARED * min(len(ours), len(theirs))


def _is_named(table: Table, named: Collection[str]) -> bool:
    return table.schema in named or table.name in named


def _own_stems(table: Table) -> tuple[str, ...]:
    return tuple(each for each in table_stems(table.name) if each not in _HISTORY)


def _column_names(table: Table) -> set[tuple[str, ...]]:
    """By their words: `Line total EUR` is staged as `line_total_eur`."""
    return {name_stems(column.name) or (column.name.casefold(),) for column in table.columns}


def _without(table: Table, keys: Collection[TableKey]) -> Table:
    """The table, pointing at tables that are kept only."""
    foreign = tuple(each for each in table.foreign_keys if (each.ref_schema, each.ref_table) in keys)
    return table if len(foreign) == len(table.foreign_keys) else replace(table, foreign_keys=foreign)


class _Part(ValueIndex):
    """The values of some tables of an index."""

    def __init__(self, whole: ValueIndex, keys: frozenset[TableKey]) -> None:
        super().__init__()
        self._whole = whole
        self._keys = keys

    def lookup_all(self, phrases: Sequence[str], limit: int = 10) -> list[list[ValueHit]]:
        return [self._kept(hits, limit) for hits in self._whole.lookup_all(phrases, limit * _MORE)]

    def lookup_fuzzy(self, phrase: str, limit: int = 5) -> list[ValueHit]:
        return self._kept(self._whole.lookup_fuzzy(phrase, limit * _MORE), limit)

    def lookup_part(self, stems: Sequence[str]) -> list[ValueHit]:
        hits = self._whole.lookup_part(stems)
        return self._kept(hits, len(hits))

    def lookup_held(self, stems: Sequence[str]) -> list[ValueHit]:
        hits = self._whole.lookup_held(stems)
        return self._kept(hits, len(hits))

    def held_in(self, schema: str, table: str, column: str) -> Sequence[str]:
        return self._whole.held_in(schema, table, column)

    def count(self, schema: str, table: str) -> int:
        return self._whole.count(schema, table) if (schema, table) in self._keys else 0

    def __len__(self) -> int:
        return sum(self._whole.count(*key) for key in self._keys)

    def _kept(self, hits: Sequence[ValueHit], limit: int) -> list[ValueHit]:
        return [hit for hit in hits if (hit.schema, hit.table) in self._keys][:limit]
