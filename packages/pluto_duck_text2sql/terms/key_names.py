"""What keys are called by the commonest word for one: the id of a `staff_no`; and kinds by their code: the type code
of a `card_type`.

Called by `analyst`. What a column of the table is called itself is no other's name.
"""

from __future__ import annotations

from collections.abc import Iterator

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.language.words import stem, table_stems
from pluto_duck_text2sql.trees.term import Term

_ID, _CODE = stem("id"), stem("code")
_KEYS = frozenset(map(stem, "number code key reference".split()))
_KINDS = frozenset(map(stem, "type kind status state category class method mode outcome result".split()))
_SORTS = tuple(map(stem, "type kind".split()))
_LIKELY = 0.9
_KEPT = 0.8
_BY_ROWS = 0.75
"""What is an id itself is by what its rows are called for the rules alone: the network has learned of `mID`."""


def key_names(catalog: Catalog) -> list[Term]:
    """The other names of keys and kinds, each as a term with its column."""
    keys = {table.stems(name) for table in catalog.tables for name in table.primary_key}
    found = []
    for table in catalog.tables:
        own = {table.stems(each.name) for each in table.columns}
        for column in table.columns:
            names = dict.fromkeys((*_as_ids(table, column, keys), *_as_codes(table, column)))
            found += [_term(stems, table, column) for stems in names if stems not in own]
    return found


def _term(stems: tuple[str, ...], table: Table, column: Column) -> Term:
    is_other = stems[-1] == _ID and table.stems(column.name)[-1] != _ID
    score = _LIKELY if is_other else _KEPT if stems[-1] == _CODE else _BY_ROWS
    return Term(stems, column.name, "what keys are called", " ".join(stems), (Target(table, column, score),))


def _as_ids(table: Table, column: Column, keys: set[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """What a key that is called a number or a code is as an id; the key of the rows also by what these are called."""
    stems = table.stems(column.name)
    is_own = table.primary_key == (column.name,)
    if is_own and stems[-1] in (*_KEYS, _ID):
        yield (*table_stems(table.name), _ID)
    if is_own and stems[-1] in _KEYS:
        yield (_ID,)
    if len(stems) > 1 and stems[-1] in _KEYS and (is_own or stems in keys or _points(table, column)):
        yield (*stems[:-1], _ID)


def _points(table: Table, column: Column) -> bool:
    return any(column.name in key.columns for key in table.foreign_keys)


def _as_codes(table: Table, column: Column) -> Iterator[tuple[str, ...]]:
    """`status code` of a `status` that is told in words, `type code` of a kind."""
    stems = table.stems(column.name)
    if column.kind == "text" and stems[-1] in _KINDS:
        yield (*stems, _CODE)
    if column.kind == "text" and stems[-1] in _SORTS:
        yield from ((*stems[:-1], each, _CODE) for each in _SORTS if each != stems[-1])
