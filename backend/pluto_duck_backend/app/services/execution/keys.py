"""Primary and foreign keys: those declared, then those the data itself bears out.

A key is inferred only where names suggest it (`customer_id` and customers' key; what role_keys.py knows),
the target is unique, and every value of the source is found in it; it is marked as inferred.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from pluto_duck_backend.app.core.warehouse import Session, quote
from pluto_duck_backend.app.services.execution import role_keys
from pluto_duck_backend.app.services.execution.declared import Declared
from pluto_duck_backend.app.services.execution.guard import Key
from pluto_duck_backend.app.services.execution.key_names import ENDINGS, key_of, without_key
from pluto_duck_text2sql.data.catalog import Column, ForeignKey, Table
from pluto_duck_text2sql.language.words import table_stems

_PLAIN = (("id",), ("key",), ("code",), ("number",), ("name",))
_MOST_ROWS_CHECKED = 5_000_000
_MOST_PARENTS = 50
_ID = re.compile(r"(?:^|_)(?:id|key|code|no|number|nr)$|(?<=[a-z])(?:ID|Id|Key|Code)$", re.IGNORECASE)
_MOST_UNUSED = 2
"""A column that is called just as a table points at its rows only where it uses one in so many of them."""

Constraint = tuple[str, tuple[str, ...], str | None, tuple[str, ...]]
"""As `duckdb_constraints()` has it: kind, columns, the table referenced and its columns."""


def key_columns(
    key: Key, constraints: Sequence[Constraint], declared: Declared
) -> tuple[tuple[str, ...], tuple[ForeignKey, ...]]:
    """The declared keys of a table: its constraints in DuckDB, then those that its source or dbt's tests declare."""
    own = (columns for kind, columns, _, _ in constraints if kind == "PRIMARY KEY")
    primary = next(own, declared.primary_key)
    foreign = [
        ForeignKey(columns, key[0], table or "", ref_columns)
        for kind, columns, table, ref_columns in constraints
        if kind == "FOREIGN KEY"
    ]
    for each in declared.foreign_keys:
        foreign.append(
            ForeignKey(tuple(each["columns"]), each["ref_schema"], each["ref_table"], tuple(each["ref_columns"]))
        )
    return primary, tuple(dict.fromkeys(foreign))


class KeyFinder:
    """Finds the keys that nobody declared and the data bears out; what was checked is remembered by marks."""

    def __init__(self) -> None:
        self._checked: dict[tuple[Key, str, Key, str], tuple[Any, bool]] = {}

    def tables(self, session: Session, tables: Sequence[Table], marks: Mapping[Key, Any]) -> tuple[Table, ...]:
        """The tables with those keys. A pair of tables with the same marks as before is not looked at again."""
        called = frozenset(table_stems(table.name) for table in tables)
        keyed = [each if each.primary_key else replace(each, primary_key=_unique_id(each, called)) for each in tables]
        parents = _Parents(keyed)
        found = [self._inferred(session, table, keyed, parents, marks) for table in keyed]
        there = {table.key for table in keyed}
        self._checked = {pair: known for pair, known in self._checked.items() if {pair[0], pair[2]} <= there}
        return tuple(
            replace(table, foreign_keys=(*table.foreign_keys, *some)) if some else table
            for table, some in zip(keyed, found, strict=True)
        )

    def _inferred(
        self, session: Session, table: Table, tables: Sequence[Table], parents: _Parents, marks: Mapping[Key, Any]
    ) -> list[ForeignKey]:
        declared = {each.casefold() for key in table.foreign_keys for each in key.columns}
        columns = [each for each in table.columns if each.name.casefold() not in declared]
        found = []
        for column in (each for each in columns if (each.name,) != table.primary_key):
            fitting = chain(parents.suggested(table, column), role_keys.suggested(session, column, table, tables))
            parent = next((each for each in fitting if self._included(session, table, column, each, marks)), None)
            if parent:
                key = ForeignKey((column.name,), parent.schema, parent.name, parent.primary_key, inferred=True)
                found.append(key)
        return found

    def _included(
        self, session: Session, table: Table, column: Column, parent: Table, marks: Mapping[Key, Any]
    ) -> bool:
        pair = (table.key, column.name, parent.key, parent.primary_key[0])
        mark = (marks.get(table.key), marks.get(parent.key))
        known = self._checked.get(pair)
        if known is None or known[0] != mark:
            known = self._checked[pair] = (mark, _included(session, table, column, parent))
        return known[1]


class _Parents:
    """The tables with a key of one column, by how a column that points there would be called."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self._ending: dict[tuple[str, tuple[str, ...]], dict[int, Table]] = {}
        for place, table in enumerate(tables):
            if len(table.primary_key) == 1:
                own = table_stems(table.name)
                stems = table.stems(table.primary_key[0])
                for ending in {stems, (*own, "id"), own, key_of(stems) or own}:
                    self._ending.setdefault((table.schema, ending), {})[place] = table

    def suggested(self, table: Table, column: Column) -> list[Table]:
        """Those that the name of `column` suggests, the best first."""
        stems = table.stems(column.name)
        called = {each[start:] for each in (stems, key_of(stems) or ()) for start in range(len(each))}
        endings = [(table.schema, each) for each in called]
        near = {place: parent for ending in endings for place, parent in self._ending.get(ending, {}).items()}
        fitting = [near[place] for place in sorted(near) if _suggests(table, column, near[place])]
        return sorted(fitting, key=lambda each: (each.schema != table.schema, -each.preference))[:_MOST_PARENTS]


def _unique_id(table: Table, called: frozenset[tuple[str, ...]]) -> tuple[str, ...]:
    """The first column that is called like a key of this very table and holds a different value in every row.

    So is a key that leads a table and is of no other that is `called` so: `EmpNo` of `hr_export`.
    """
    own = table_stems(table.name)
    glued_to = {f"{each}{ending}" for each in (*own, table.name.casefold()) for ending in ENDINGS}
    for place, column in enumerate(table.columns):
        stems = table.stems(column.name)
        glued = len(stems) == 1 and stems[0] in glued_to
        rest = without_key(stems)
        keyed = _ID.search(column.name) or (len(stems) > 1 and rest != stems)
        leads = place == 0 and rest not in called
        named = key_of(stems) == () or glued or (keyed and (leads or set(rest) <= set(own)))
        if named and column.n_distinct and column.n_distinct == table.row_count and not column.null_fraction:
            return (column.name,)
    return ()


def _suggests(table: Table, column: Column, parent: Table) -> bool:
    """Names: `customer_id`, `fk_customer` or `customer` for customers' `customer_id`, `pk_customer` or `id`, in the
    same schema, of the same kind."""
    key = parent.column(parent.primary_key[0])
    if parent.key == table.key or key is None or key.kind != column.kind or parent.schema != table.schema:
        return False
    stems, key_stems = table.stems(column.name), parent.stems(key.name)
    own, of = table_stems(parent.name), key_of(stems)
    if stems == key_stems:
        return key_stems not in _PLAIN
    if len(key_stems) > 1 and stems[-len(key_stems) :] == key_stems:
        return True
    return _is_of(of, own, key_of(key_stems)) if of else stems == own and _is_used(column, parent)


def _is_of(of: tuple[str, ...], own: tuple[str, ...], key: tuple[str, ...] | None) -> bool:
    """Whether what a column is a key of is called as a table, or as what its key is of."""
    return of[-len(own) :] == own or of == key


def _is_used(column: Column, parent: Table) -> bool:
    """Whether it holds enough of the parent's rows: `rating` from 1 to 5 points at none of a thousand ratings."""
    return column.kind == "text" or (column.n_distinct or 0) * _MOST_UNUSED >= (parent.row_count or 0)


def _included(session: Session, table: Table, column: Column, parent: Table) -> bool:
    if not table.row_count or table.row_count > _MOST_ROWS_CHECKED:
        return False
    source, target = quote(column.name), quote(parent.primary_key[0])
    missing = session.row(
        f"SELECT 1 FROM {quote(table.schema)}.{quote(table.name)} AS s WHERE s.{source} IS NOT NULL AND NOT EXISTS "
        f"(SELECT 1 FROM {quote(parent.schema)}.{quote(parent.name)} AS p WHERE p.{target} = s.{source}) LIMIT 1"
    )
    return missing is None and (table.key != parent.key or not _is_same(session, table, source, target))


def _is_same(session: Session, table: Table, source: str, target: str) -> bool:
    """Whether no row points at another one."""
    of = f"{quote(table.schema)}.{quote(table.name)}"
    return session.row(f"SELECT 1 FROM {of} WHERE {source} <> {target} LIMIT 1") is None
