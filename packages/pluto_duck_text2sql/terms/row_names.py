"""The name of rows that have no column called so but another word for one: wines by the `label` of bottles; the town
name of `towns` by their `town`, whatever other names they have.

Called by `analyst`.
"""

from __future__ import annotations

from collections.abc import Iterator

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.language.words import name_parts, stem, table_stems
from pluto_duck_text2sql.tree import Col
from pluto_duck_text2sql.trees.resolve import Resolver
from pluto_duck_text2sql.trees.term import Term

_NAMES = ("name", "title")
_CALLED_AS_NAMES = frozenset(
    "label designation caption heading headline model alias nickname term callsign handle species".split()
)
_NAME = stem("name")
_LIKELY = 0.8


def row_names(catalog: Catalog, resolver: Resolver) -> list[Term]:
    """`name` for what each such table's rows are told apart by, as a term with its column."""
    return [term for table in catalog.tables for term in _of_table(table, resolver)]


def _of_table(table: Table, resolver: Resolver) -> Iterator[Term]:
    label = resolver.label(table)
    column = table.column(label[0].name) if len(label) == 1 and isinstance(label[0], Col) else None
    if column is not None:
        names = (*_by_its_word(table, column, resolver), *_by_its_rows(table, column))
        yield from (_term(stems, table, column) for stems in dict.fromkeys(names))


def _by_its_word(table: Table, column: Column, resolver: Resolver) -> Iterator[tuple[str, ...]]:
    """`name` of a `label`, where nothing else of the table is called a name."""
    called = {each for other in table.columns for each in table.stems(other.name)}
    is_alone = called.isdisjoint(map(stem, _NAMES)) and not resolver.is_key(table, column.name)
    if is_alone and name_parts(column.name)[-1] in _CALLED_AS_NAMES:
        yield (_NAME,)


def _by_its_rows(table: Table, column: Column) -> Iterator[tuple[str, ...]]:
    """`town name` of the `town` of `towns`."""
    rows = table_stems(table.name)
    own = {table.stems(each.name) for each in table.columns}
    if table.stems(column.name) in (rows, rows[-1:]):
        yield from (stems for stems in ((*rows, _NAME), (*rows[-1:], _NAME)) if stems not in own)


def _term(stems: tuple[str, ...], table: Table, column: Column) -> Term:
    return Term(stems, column.name, "what tells its rows apart", " ".join(stems), (Target(table, column, _LIKELY),))
