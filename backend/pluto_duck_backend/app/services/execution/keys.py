"""Primary and foreign keys: those declared, then those the data itself bears out.

A key is inferred only where names suggest it (`customer_id` and customers' key; what role_keys.py knows; the same name
in several tables, `sku`, that one of them begins with), the target is unique, and every value of the source is found in
it; it is marked as inferred.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from pluto_duck_backend.app.core.warehouse import Session, quote
from pluto_duck_backend.app.services.execution import role_keys
from pluto_duck_backend.app.services.execution.declared import Declared
from pluto_duck_backend.app.services.execution.guard import Key
from pluto_duck_backend.app.services.execution.key_names import ENDINGS, NUMBERING, SAYING_NOTHING, key_of, without_key
from pluto_duck_text2sql.data.catalog import Column, ForeignKey, Table
from pluto_duck_text2sql.data.date_names import stems_of
from pluto_duck_text2sql.language.words import name_stems, shared_prefix, table_stems

_PLAIN = (("id",), ("key",), ("code",), ("number",), ("name",))
_SAID_OF_MANY = stems_of(
    "name title description label comment note text value type kind status state category group level gender email"
    " year quarter month week weekday day date time period hour currency language color colour size unit"
)
"""Columns called so are of many things, or of times: the same name in two tables says nothing of keys."""
_MOST_LOST = 0.05
"""What part of its rows may point at nothing where a text key has a name of several words that both tables share."""
_KEY_WORDS = SAYING_NOTHING | NUMBERING
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
        called = _Called(tables)
        keyed = [each if each.primary_key else replace(each, primary_key=_unique_id(each, called)) for each in tables]
        keyed = _with_leading_keys(keyed)
        parents = _Parents(keyed, called)
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


class _Called:
    """What tables are called by their stems, without a prefix that most of them share."""

    def __init__(self, tables: Sequence[Table]) -> None:
        names = [table_stems(table.name) for table in tables]
        self._prefix = shared_prefix(names)
        self.all = frozenset(each for name in names for each in (name, self._apart(name)))

    def of(self, table: Table) -> tuple[str, ...]:
        return self._apart(table_stems(table.name))

    def _apart(self, name: tuple[str, ...]) -> tuple[str, ...]:
        return name[1:] if len(name) > 1 and name[0] == self._prefix else name


class _Parents:
    """The tables with a key of one column, by how a column that points there would be called."""

    def __init__(self, tables: Sequence[Table], called: _Called) -> None:
        self._called = called
        self._ending: dict[tuple[str, tuple[str, ...]], dict[int, Table]] = {}
        for place, table in enumerate(tables):
            if len(table.primary_key) == 1:
                own = called.of(table)
                stems = table.stems(table.primary_key[0])
                for ending in {stems, name_stems(table.primary_key[0]), (*own, "id"), own, key_of(stems) or own}:
                    self._ending.setdefault((table.schema, ending), {})[place] = table

    def suggested(self, table: Table, column: Column) -> list[Table]:
        """Those that the name of `column` suggests, the best first."""
        stems = table.stems(column.name)
        names = (stems, name_stems(column.name), key_of(stems) or ())
        called = {each[start:] for each in names for start in range(len(each))}
        endings = [(table.schema, each) for each in called]
        near = {place: parent for ending in endings for place, parent in self._ending.get(ending, {}).items()}
        fitting = [near[place] for place in sorted(near) if self._suggests(table, column, near[place])]
        return sorted(fitting, key=lambda each: (each.schema != table.schema, -each.preference))[:_MOST_PARENTS]

    def _suggests(self, table: Table, column: Column, parent: Table) -> bool:
        """Names: `customer_id`, `fk_customer` or `customer` for customers' `customer_id`, `pk_customer` or `id`, in the
        same schema, of the same kind."""
        key = parent.column(parent.primary_key[0])
        if parent.key == table.key or key is None or key.kind != column.kind or parent.schema != table.schema:
            return False
        stems, key_stems = table.stems(column.name), parent.stems(key.name)
        own, of = self._called.of(parent), key_of(stems)
        names = ((name_stems(column.name), name_stems(key.name)), (stems, key_stems))
        if same := [one for one, other in names if one == other]:
            return same[0] not in _PLAIN
        if len(key_stems) > 1 and stems[-len(key_stems) :] == key_stems:
            return True
        if of and of == key_stems:
            return True
        return _is_of(of, own, key_of(key_stems)) if of else stems == own and _is_used(column, parent)


def _unique_id(table: Table, called: _Called) -> tuple[str, ...]:
    """The first column that is called like a key of this very table and holds a different value in every row.

    So is a key that leads a table and is of no other that is `called` so: `EmpNo` of `hr_export`; and, where none
    is, what leads one that is called as it is: `order` of `web_orders`.
    """
    own = called.of(table)
    glued_to = {f"{each}{ending}" for each in (*own, table.name.casefold()) for ending in ENDINGS}
    for place, column in enumerate(table.columns):
        stems = table.stems(column.name)
        glued = len(stems) == 1 and stems[0] in glued_to
        rest = without_key(stems)
        keyed = _ID.search(column.name) or (len(stems) > 1 and rest != stems)
        leads = place == 0 and rest not in called.all
        named = key_of(stems) == () or glued or (keyed and (leads or set(rest) <= set(own)))
        if named and _tells_apart(column, table):
            return (column.name,)
    first = table.columns[0] if table.columns else None
    is_itself = first is not None and own[-len(table.stems(first.name)) :] == table.stems(first.name)
    return (first.name,) if first and is_itself and _tells_apart(first, table) else ()


def _tells_apart(column: Column, table: Table) -> bool:
    """Whether it holds a different value in every row."""
    return bool(column.n_distinct) and column.n_distinct == table.row_count and not column.null_fraction


def _with_leading_keys(tables: Sequence[Table]) -> list[Table]:
    """The tables, each that begins with what others have too under the same name keyed by that: `sku` of the one that
    tells most of it."""
    others = defaultdict[tuple[str, str], set[Key]](set)
    for table in tables:
        for column in table.columns:
            others[table.schema, column.name.casefold()].add(table.key)
    leading = defaultdict[tuple[str, str], list[Table]](list)
    for table, column in _leading_texts(tables):
        if others[place := (table.schema, column.name.casefold())] - {table.key}:
            leading[place].append(table)
    best = (max(each, key=lambda one: (one.row_count or 0, len(one.columns))) for each in leading.values())
    keys = {table.key: (table.columns[0].name,) for table in best}
    return [replace(table, primary_key=keys[table.key]) if table.key in keys else table for table in tables]


def _leading_texts(tables: Sequence[Table]) -> Iterator[tuple[Table, Column]]:
    """The texts that tables without a key begin with and that tell their rows apart."""
    for table in tables:
        first = None if table.primary_key else next(iter(table.columns), None)
        is_text = first is not None and first.kind == "text" and not first.date_format
        if first and is_text and _tells_apart(first, table) and not _SAID_OF_MANY.issuperset(table.stems(first.name)):
            yield table, first


def _is_of(of: tuple[str, ...], own: tuple[str, ...], key: tuple[str, ...] | None) -> bool:
    """Whether what a column is a key of is called as a table, or as what its key is of."""
    return of[-len(own) :] == own or of == key


def _is_used(column: Column, parent: Table) -> bool:
    """Whether it holds enough of the parent's rows: `rating` from 1 to 5 points at none of a thousand ratings."""
    return column.kind == "text" or (column.n_distinct or 0) * _MOST_UNUSED >= (parent.row_count or 0)


def _lost(column: Column, parent: Table) -> float:
    """What part of the rows may point at nothing: a few where a name of several words tells that texts are the same."""
    name = name_stems(column.name)
    is_same = len(name) > 1 and name == name_stems(parent.primary_key[0]) and name[-1] not in _KEY_WORDS
    return _MOST_LOST if is_same and column.kind == "text" else 0.0


def _included(session: Session, table: Table, column: Column, parent: Table) -> bool:
    if not table.row_count or table.row_count > _MOST_ROWS_CHECKED:
        return False
    source, target = quote(column.name), quote(parent.primary_key[0])
    most = int(_lost(column, parent) * table.row_count)
    missing = session.row(
        f"SELECT 1 FROM {quote(table.schema)}.{quote(table.name)} AS s WHERE s.{source} IS NOT NULL AND NOT EXISTS "
        f"(SELECT 1 FROM {quote(parent.schema)}.{quote(parent.name)} AS p WHERE p.{target} = s.{source})"
        f" LIMIT 1 OFFSET {most}"
    )
    return missing is None and (table.key != parent.key or not _is_same(session, table, source, target))


def _is_same(session: Session, table: Table, source: str, target: str) -> bool:
    """Whether no row points at another one."""
    of = f"{quote(table.schema)}.{quote(table.name)}"
    return session.row(f"SELECT 1 FROM {of} WHERE {source} <> {target} LIMIT 1") is None
