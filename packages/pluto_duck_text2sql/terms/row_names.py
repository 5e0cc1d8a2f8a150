"""The name of rows that have no column called so but another word for one: wines by the `label` of bottles.

Called by `analyst`.
"""

from __future__ import annotations

from collections.abc import Iterator

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.language.words import name_parts, stem
from pluto_duck_text2sql.tree import Col
from pluto_duck_text2sql.trees.resolve import Resolver
from pluto_duck_text2sql.trees.term import Term

_NAMES = ("name", "title")
_CALLED_AS_NAMES = frozenset(
    "label designation caption heading headline model alias nickname term callsign handle species".split()
)
_LIKELY = 0.8


def row_names(catalog: Catalog, resolver: Resolver) -> list[Term]:
    """`name` for what each such table's rows are told apart by, as a term with its column."""
    return [term for table in catalog.tables for term in _of_table(table, resolver)]


def _of_table(table: Table, resolver: Resolver) -> Iterator[Term]:
    called = {each for column in table.columns for each in table.stems(column.name)}
    label = resolver.label(table) if called.isdisjoint(map(stem, _NAMES)) else []
    column = table.column(label[0].name) if len(label) == 1 and isinstance(label[0], Col) else None
    if column and name_parts(column.name)[-1] in _CALLED_AS_NAMES and not resolver.is_key(table, column.name):
        target = Target(table, column, _LIKELY)
        yield Term((stem(_NAMES[0]),), column.name, "what tells its rows apart", _NAMES[0], (target,))
