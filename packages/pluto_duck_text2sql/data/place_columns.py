"""Columns that hold countries, or states of the USA, whatever they are called: `location`, `residence`, `Province`.

Told by what is stored in columns that hold few; codes count as names do.
"""

from __future__ import annotations

from collections.abc import Iterator

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.language.otherwise import countries, states_of_usa
from pluto_duck_text2sql.language.words import stem

_KINDS = {
    ("country", "nation"): countries,
    ("state",): states_of_usa,
}
_LEAST, _MOST = 3, 300
_PART = 0.7
"""What part of the different values must be such places: others are regions, or misspelt."""


def place_nouns(table: Table, column: Column, catalog: Catalog) -> tuple[str, ...]:
    """The nouns for the places that a column holds; none where it holds other texts, or is called so itself."""
    if column.kind != "text" or not _LEAST <= (column.n_distinct or 0) <= _MOST:
        return ()
    held = {str(each).casefold() for each in column.samples or catalog.values.held_in(*table.key, column.name)}
    if len(held) < _LEAST:
        return ()
    return next((nouns for nouns, known in _KINDS.items() if len(held & known()) >= _PART * len(held)), ())


def place_columns(catalog: Catalog) -> Iterator[tuple[Table, Column, tuple[str, ...]]]:
    """The columns of places with their nouns, in tables of which no column is called so."""
    for table in catalog.tables:
        called = {each for column in table.columns for each in table.stems(column.name)}
        for column in table.columns:
            nouns = place_nouns(table, column, catalog)
            if nouns and called.isdisjoint(map(stem, nouns)):
                yield table, column, nouns
