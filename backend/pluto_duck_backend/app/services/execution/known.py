"""The tables, views and macros of a warehouse, read from its catalog for the guard."""

from __future__ import annotations

import re
import threading
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

from pluto_duck_backend.app.core.warehouse import DEFINITIONS, Session, Warehouse
from pluto_duck_backend.app.services.execution.guard import Key, Known, Relation, no_step

_DEFINITION = re.compile(
    r"^\s*CREATE\s+(?:OR\s+REPLACE\s+)?(?:TEMP\w*\s+)?(?:RECURSIVE\s+)?VIEW\s+.*?\sAS\s+(?=\(|SELECT|WITH|FROM|VALUES|PIVOT)",
    re.IGNORECASE | re.DOTALL,
)


class KnownTables:
    """What SQL may name in one warehouse, looked up again after a write. Thread-safe; one thread looks, all profit."""

    def __init__(self, warehouse: Warehouse, step_to: Callable[[str], str] = no_step) -> None:
        self._warehouse = warehouse
        self._step_to = step_to
        self._lock = threading.Lock()
        self._version = 0
        self._known = Known()
        self._parts: dict[str, tuple[int, Any]] = {}

    def now(self) -> Known:
        """As of the last commit; the same object for as long as nothing in it changes."""
        with self._lock:
            version = self._warehouse.version
            if version != self._version:
                found = self._look({kind: self._warehouse.version_of(kind) for kind in DEFINITIONS})
                self._known = self._known if found == self._known else found
                self._version = version
            return self._known

    def _look(self, versions: Mapping[str, int]) -> Known:
        """`versions` are older than what is seen here, or the same: what changes meanwhile is looked up once more."""
        with self._warehouse.read() as session:
            catalog = self._known.catalog or str((session.row("SELECT current_database()") or ("",))[0]).casefold()
            for kind, look in _PARTS.items():
                if self._parts.get(kind, (0, None))[0] != versions[kind]:
                    self._parts[kind] = (versions[kind], look(session))
            parts = {kind: part for kind, (_, part) in self._parts.items()}
            return Known(_relations(session, parts["view"]), parts["macro"], parts["type"], catalog, self._step_to)


def _relations(session: Session, views: Mapping[tuple[str, str], str]) -> dict[Key, Relation]:
    columns = defaultdict(list)
    types = defaultdict(list)
    listed = "SELECT schema_name, table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal AND {}"
    for schema, name, column, kind in session.rows(_here(listed) + " ORDER BY table_oid, column_index"):
        columns[schema, name].append(column)
        types[schema, name].append(kind)
    found = (
        Relation(*key, tuple(columns[key]), _query(views[key]) if key in views else None, tuple(types[key]))
        for key in {**columns, **views}
    )
    return {relation.key: relation for relation in found}


def _views(session: Session) -> dict[tuple[str, str], str]:
    """The definition of each view, as DuckDB writes it."""
    rows = session.rows(_here("SELECT schema_name, view_name, sql FROM duckdb_views() WHERE NOT internal AND {}"))
    return {(schema, name): sql for schema, name, sql in rows}


def _types(session: Session) -> frozenset[str]:
    rows = session.rows("SELECT DISTINCT lower(type_name) FROM duckdb_types() WHERE NOT internal")
    return frozenset(row[0] for row in rows)


def _here(sql: str) -> str:
    """Only what is in the warehouse itself, no temporary or attached database."""
    return sql.format("database_name = current_database()")


def _query(definition: str) -> str:
    return _DEFINITION.sub("", definition).strip().rstrip(";")


def _macros(session: Session) -> dict[str, tuple[str, ...]]:
    """The user's macros: a table macro is a query, a scalar one an expression."""
    rows = session.rows(
        "SELECT lower(function_name), function_type, macro_definition FROM duckdb_functions() "
        "WHERE NOT internal AND function_type IN ('macro', 'table_macro')"
    )
    found: dict[str, list[str]] = defaultdict(list)
    for name, kind, definition in rows:
        found[name].append(definition if kind == "table_macro" else f"SELECT {definition}")
    return {name: tuple(definitions) for name, definitions in found.items()}


_PARTS: dict[str, Callable[[Session], Any]] = {"view": _views, "type": _types, "macro": _macros}
