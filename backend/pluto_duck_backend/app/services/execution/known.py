"""The tables, views and macros of the warehouse as the guard wants to know them."""

from __future__ import annotations

import re

from pluto_duck_backend.app.core.warehouse import Session, Warehouse
from pluto_duck_backend.app.services.execution.guard import KnownTables, names_of

_DEFINITION = re.compile(r"^CREATE\s+(?:TEMP\w*\s+)?VIEW\s+.*?\sAS\s+(?=\(|SELECT|WITH|FROM|VALUES|PIVOT)", re.I | re.S)


def known_tables(warehouse: Warehouse) -> KnownTables:
    """What SQL may read now."""
    with warehouse.read() as session:
        tables = session.rows("SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT internal")
        views = _views(session)
        macros = session.rows("SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE NOT internal")
    names = frozenset(names_of([*tables, *views]))
    return KnownTables(names, views, frozenset(row[0] for row in macros))


def _views(session: Session) -> dict[tuple[str, str], str]:
    rows = session.rows("SELECT lower(schema_name), lower(view_name), sql FROM duckdb_views() WHERE NOT internal")
    return {(schema, name): _DEFINITION.sub("", sql).strip().rstrip(";") for schema, name, sql in rows}
