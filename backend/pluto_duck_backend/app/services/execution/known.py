"""The tables, views and macros of a warehouse, read from its catalog for the guard."""

from __future__ import annotations

import re
from collections import defaultdict

from pluto_duck_backend.app.core.warehouse import Session, Warehouse
from pluto_duck_backend.app.services.execution.guard import Key, Known, Relation

_DEFINITION = re.compile(
    r"^\s*CREATE\s+(?:OR\s+REPLACE\s+)?(?:TEMP\w*\s+)?(?:RECURSIVE\s+)?VIEW\s+.*?\sAS\s+(?=\(|SELECT|WITH|FROM|VALUES|PIVOT)",
    re.IGNORECASE | re.DOTALL,
)


def known_tables(warehouse: Warehouse) -> Known:
    """What SQL may name now."""
    with warehouse.read() as session:
        catalog = (session.row("SELECT current_database()") or ("",))[0]
        relations = _relations(session)
        macros = _macros(session)
        types = session.rows("SELECT DISTINCT lower(type_name) FROM duckdb_types() WHERE NOT internal")
    return Known(relations, macros, frozenset(row[0] for row in types), str(catalog).casefold())


def _relations(session: Session) -> dict[Key, Relation]:
    columns = defaultdict(list)
    listed = "SELECT schema_name, table_name, column_name FROM duckdb_columns() WHERE NOT internal AND {}"
    for schema, name, column in session.rows(_here(listed) + " ORDER BY table_oid, column_index"):
        columns[schema, name].append(column)
    tables = session.rows(_here("SELECT schema_name, table_name, NULL FROM duckdb_tables() WHERE NOT internal AND {}"))
    views = session.rows(_here("SELECT schema_name, view_name, sql FROM duckdb_views() WHERE NOT internal AND {}"))
    found = (
        Relation(schema, name, tuple(columns[schema, name]), None if sql is None else _query(sql))
        for schema, name, sql in [*tables, *views]
    )
    return {relation.key: relation for relation in found}


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
