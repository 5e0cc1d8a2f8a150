"""Large tables of SQLite through DuckDB's extension, which reads them several times as fast as Python row by row.

The SQLite connector asks for each table. What must stay true: the rows are those that Python's reader would give. So a
column is read this way where all of its stored values are of the one kind that the extension reads, and what turns out
not to be as promised stops the statement, so that the table is read row by row.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from pluto_duck_backend.app.core.errors import PlutoDuckError, QueryFailed
from pluto_duck_backend.app.core.warehouse import Session, literal, quote
from pluto_duck_backend.app.services.ingestion.connectors.sqlite_types import Plan

LARGE = 50_000  # rows; fewer are there before an extension is loaded
_ODD = "a value of another kind"
_DIGITS = "[0-9][0-9]"
_DAY = f"{_DIGITS * 2}-{_DIGITS}-{_DIGITS}"
_SHAPES = {"DATE": _DAY, "TIMESTAMP": f"{_DAY} {_DIGITS}:{_DIGITS}:{_DIGITS}"}


def is_possible(connection: sqlite3.Connection) -> bool:
    """Whether rows that the extension reads by connections of its own are those of this connection's transaction.

    They are where no other program can write meanwhile, which is so unless the file keeps a write-ahead log.
    """
    (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
    return str(mode).casefold() != "wal"


def select(
    session: Session, connection: sqlite3.Connection, alias: str, table: str, plans: Sequence[Plan]
) -> str | None:
    """A SELECT over the attached table in the plans' types, None where a column has to be read row by row."""
    there = {str(row[0]): str(row[1]) for row in session.rows(f"DESCRIBE FROM {alias}.{quote(table)}")}
    columns = [_column(connection, table, plan, there.get(plan.name, "")) for plan in plans]
    read = ", ".join(f"{column} AS {quote(plan.name)}" for column, plan in zip(columns, plans, strict=True))
    return f"SELECT {read} FROM {alias}.{quote(table)}" if all(columns) else None


def _column(connection: sqlite3.Connection, table: str, plan: Plan, there: str) -> str:
    """The column as SQL, empty where the extension would read something else."""
    name = quote(plan.name)
    if plan.change:
        return ""
    if there == plan.type and not plan.wishes:
        return name
    if there == plan.type and plan.wishes == ("BOOLEAN",):
        return _unless(f"{name} NOT IN (0, 1)", f"CAST({name} AS BOOLEAN)")
    if there == plan.type and plan.wishes[0].startswith("DECIMAL"):
        value = f"CAST({name} AS {plan.wishes[0]})"
        return _unless(f"CAST({value} AS DOUBLE) <> CAST({name} AS DOUBLE)", value)
    if there in plan.wishes and there in _SHAPES:
        odd = f"SELECT 1 FROM {quote(table)} WHERE {name} NOT GLOB '{_SHAPES[there]}' LIMIT 1"
        return "" if connection.execute(odd).fetchone() else name
    return ""


def _unless(is_odd: str, value: str) -> str:
    return f"CASE WHEN {is_odd} THEN error({literal(_ODD)}) ELSE {value} END"


def explain(error: PlutoDuckError) -> PlutoDuckError:
    """Whatever the extension refuses is looked at row by row."""
    return QueryFailed(error.message, code="types_from_sample")
