"""Other DuckDB files, attached read-only; every base table of every schema, with keys and comments."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.core.warehouse import Session, literal, quote
from pluto_duck_backend.app.services.ingestion.content import check_is
from pluto_duck_backend.app.services.ingestion.contract import Config, ForeignKey, Keys, SourceTable, Toolbox

_Tables = dict[tuple[str, str], Keys]


class DuckdbFiles:
    name = "duckdb"
    summary = "DuckDB database files"
    suffixes: tuple[str, ...] = (".duckdb", ".ddb")

    @contextlib.contextmanager
    def open(self, config: Config, tools: Toolbox) -> Iterator[Sequence[SourceTable]]:
        """Every table; types, names and schemas stay as they are."""
        path = Path(config["path"])
        check_is(path, "DuckDB")
        with tools.attached(path) as alias:
            with tools.read() as session:
                tables = _tables(session, alias, path)
            if not tables:
                raise InvalidInput(f"{path} holds no tables.", code="no_tables", hint="Views are not loaded.")
            yield tables


def _tables(session: Session, alias: str, path: Path) -> list[SourceTable]:
    keys, notes = _keys(session, alias), _column_comments(session, alias)
    rows = session.rows(
        "SELECT schema_name, table_name, coalesce(comment, ''), estimated_size FROM duckdb_tables()"
        f" WHERE database_name = {literal(alias)} AND NOT internal AND NOT temporary ORDER BY table_oid"
    )
    return [
        SourceTable(
            name=table,
            schema=schema,
            own_name=True,
            origin=f"{path}, table {table}",
            sql=f"SELECT * FROM {alias}.{quote(schema)}.{quote(table)}",
            keys=keys.get((schema, table), Keys()),
            comment=comment,
            column_comments=notes.get((schema, table), {}),
            total_rows=size,
        )
        for schema, table, comment, size in rows
    ]


def _keys(session: Session, alias: str) -> _Tables:
    grouped: dict[tuple[str, str], list[tuple[Any, ...]]] = defaultdict(list)
    for schema, table, *rest in session.rows(
        "SELECT schema_name, table_name, constraint_type, constraint_column_names, referenced_table,"
        " referenced_column_names FROM duckdb_constraints()"
        f" WHERE database_name = {literal(alias)}"
    ):
        grouped[(schema, table)].append(tuple(rest))
    return {name: _keys_of(name[0], rows) for name, rows in grouped.items()}


def _keys_of(schema: str, rows: Sequence[tuple[Any, ...]]) -> Keys:
    primary = [tuple(columns) for kind, columns, *_ in rows if kind == "PRIMARY KEY"]
    unique = tuple(tuple(columns) for kind, columns, *_ in rows if kind == "UNIQUE")
    foreign = tuple(
        ForeignKey(tuple(columns), table, tuple(names), schema)
        for kind, columns, table, names in rows
        if kind == "FOREIGN KEY"
    )
    return Keys(primary[0] if primary else (), unique, foreign)


def _column_comments(session: Session, alias: str) -> dict[tuple[str, str], dict[str, str]]:
    found: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for schema, table, column, text in session.rows(
        "SELECT schema_name, table_name, column_name, comment FROM duckdb_columns()"
        f" WHERE database_name = {literal(alias)} AND comment IS NOT NULL"
    ):
        found[(schema, table)][column] = text
    return found
