"""Whose rows a table holds that is called `list`, `data` or `register`: the people whom nothing else here is called by.

`how many students are there` over `list (LastName, FirstName, Grade)` and `teachers` counts the rows of `list`.
"""

from __future__ import annotations

from collections.abc import Iterator

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.language.words import stem, table_stems
from pluto_duck_text2sql.trees.term import Term

_GENERIC = frozenset(
    map(stem, "list data record entry table sheet export file master register registry roster roll directory".split())
)
_PEOPLE = tuple(
    "student pupil member person people customer client employee user patient guest participant player resident"
    " subscriber attendee".split()
)
_NAME = stem("name")
_SCORE = 0.9


def whoever(catalog: Catalog) -> list[Term]:
    """People as names of the one table that says nothing of whose rows it holds; none where there are more."""
    unnamed = [table for table in catalog.tables if set(table_stems(table.name)) <= _GENERIC and _is_of_people(table)]
    return list(_names(unnamed[0], catalog)) if len(unnamed) == 1 else []


def _names(table: Table, catalog: Catalog) -> Iterator[Term]:
    called = {stem_ for each in catalog.tables for stem_ in _stems(each)}
    for noun in _PEOPLE:
        if stem(noun) not in called:
            yield Term((stem(noun),), table.name, "the only people", noun, (Target(table, None, _SCORE),))


def _stems(table: Table) -> set[str]:
    return {*table_stems(table.name), *(each for column in table.columns for each in table.stems(column.name))}


def _is_of_people(table: Table) -> bool:
    """Whether its rows have first and last names."""
    names = {table.stems(column.name)[:1] for column in table.columns if _NAME in table.stems(column.name)}
    return {("first",), ("last",)} <= names
