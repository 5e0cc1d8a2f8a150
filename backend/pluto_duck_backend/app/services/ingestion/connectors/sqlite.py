"""SQLite files through Python's own reader, large tables by DuckDB's extension where it is installed.

Types are those of the values really stored; a column's declared type only says what to wish for: text in an INTEGER
column makes it VARCHAR, ISO dates in a DATE column make it DATE. What must stay true: all tables are read in one
transaction.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote as quote_url

from pluto_duck_backend.app.core.errors import InvalidInput, QueryFailed
from pluto_duck_backend.app.core.warehouse import literal, quote
from pluto_duck_backend.app.services.ingestion.connectors import sqlite_scan
from pluto_duck_backend.app.services.ingestion.connectors.sqlite_types import Plan, plan_believing, plan_columns
from pluto_duck_backend.app.services.ingestion.content import check_is
from pluto_duck_backend.app.services.ingestion.contract import (
    Batch,
    Column,
    Config,
    ForeignKey,
    Keys,
    Since,
    SourceTable,
    Toolbox,
)

_CELLS = 100_000  # of a batch: about 10 MB of ordinary values


@dataclass(frozen=True)
class _Table:
    """A table as it is read row by row, and how its columns are."""

    source: SourceTable
    plans: Sequence[Plan]


class SqliteFiles:
    name = "sqlite"
    summary = "SQLite database files"
    suffixes: tuple[str, ...] = (".sqlite", ".sqlite3", ".db", ".db3")

    @contextlib.contextmanager
    def open(self, config: Config, tools: Toolbox) -> Iterator[Sequence[SourceTable]]:
        """Every ordinary table, under its own name."""
        path = Path(config["path"])
        check_is(path, "SQLite")
        with contextlib.closing(_connect(path)) as connection, _readable(path):
            connection.execute("BEGIN")
            names = _table_names(connection)
            if not names:
                raise InvalidInput(f"{path} holds no tables.", code="no_tables", hint="Views are not loaded.")
            with contextlib.ExitStack() as stack:
                rows = {name: _count(connection, name) for name in names}
                alias = stack.enter_context(_within_reach(connection, path, rows, tools))
                tables = []
                for name in names:
                    tools.check_cancelled()
                    scanned = _scanned(connection, path, name, rows, alias, tools)
                    tables.append(scanned or _table(connection, path, name, rows).source)
                yield tables


@contextlib.contextmanager
def _within_reach(
    connection: sqlite3.Connection, path: Path, rows: Mapping[str, int], tools: Toolbox
) -> Iterator[str | None]:
    """The file under a name in DuckDB where a table is large; None where none is, or all are read row by row."""
    is_wanted = not tools.thorough and max(rows.values()) >= sqlite_scan.LARGE
    if is_wanted and sqlite_scan.is_possible(connection):
        with tools.attached_sqlite(path) as alias:
            yield alias
    else:
        yield None


def _scanned(
    connection: sqlite3.Connection, path: Path, name: str, rows: Mapping[str, int], alias: str | None, tools: Toolbox
) -> SourceTable | None:
    """A large table as DuckDB reads it, which stops at a value that goes against the declared type of its column."""
    if alias is None or rows[name] < sqlite_scan.LARGE:
        return None
    table = _table(connection, path, name, rows, believing=True)
    with tools.read() as session:
        sql = sqlite_scan.select(session, connection, alias, name, table.plans)
    return replace(table.source, sql=sql, explain=sqlite_scan.explain) if sql else None


def _count(connection: sqlite3.Connection, name: str) -> int:
    (count,) = connection.execute(f"SELECT count(*) FROM {quote(name)}").fetchone()
    return int(count)


@contextlib.contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise InvalidInput(
            f"{path} cannot be read as a SQLite file: {error}",
            code="unreadable_file",
            hint="The file is encrypted, damaged or cut off; `PRAGMA integrity_check` in sqlite3 says more.",
        ) from error


def _connect(path: Path) -> sqlite3.Connection:
    """Read-only; a folder that cannot be written needs `immutable` where the file is in WAL mode."""
    address = f"file:{quote_url(str(path))}?mode=ro"
    with _readable(path):
        connection = sqlite3.connect(address, uri=True, check_same_thread=False, isolation_level=None)
        try:
            connection.execute("SELECT 1 FROM sqlite_master")
        except sqlite3.OperationalError:
            connection.close()
            connection = sqlite3.connect(
                f"{address}&immutable=1", uri=True, check_same_thread=False, isolation_level=None
            )
            connection.execute("SELECT 1 FROM sqlite_master")
    connection.text_factory = _text
    return connection


def _text(data: bytes) -> str:
    """UTF-8, or Windows' Western characters where the bytes are none."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _table_names(connection: sqlite3.Connection) -> list[str]:
    """Tables but SQLite's own and those in which virtual tables keep their data."""
    shadows = {row[1] for row in connection.execute("PRAGMA table_list") if row[2] in ("shadow", "virtual")}
    rows = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid"
    )
    return [name for (name,) in rows if name not in shadows]


def _table(
    connection: sqlite3.Connection, path: Path, name: str, rows: Mapping[str, int], *, believing: bool = False
) -> _Table:
    info = connection.execute(f"PRAGMA table_xinfo({quote(name)})").fetchall()
    declared = [(row[1], row[2]) for row in info if row[6] != 1]
    plans, warnings = (plan_believing if believing else plan_columns)(connection, name, declared)
    source = SourceTable(
        name=name,
        own_name=True,
        origin=f"{path}, table {name}",
        columns=tuple(Column(each.name, each.type, each.wishes) for each in plans),
        batches=partial(_batches, connection, name, plans),
        batches_since=partial(_batches_since, connection, name, plans),
        keys=_keys(connection, name, info, list(rows)),
        total_rows=rows[name],
        warnings=tuple(warnings),
    )
    return _Table(source, plans)


def _batches_since(connection: sqlite3.Connection, name: str, plans: Sequence[Plan], since: Since) -> Iterator[Batch]:
    plan = next((each for each in plans if each.name.casefold() == since.column.casefold()), None)
    column, bound = quote(since.column), _bound(connection, plan, since) if plan else ""
    return _batches(connection, name, plans, f" WHERE {column} >= {bound} OR {column} IS NULL" if bound else "")


def _bound(connection: sqlite3.Connection, plan: Plan, since: Since) -> str:
    """Where SQLite begins, empty for all rows. Only what it is sure to compare as DuckDB does is left out: numbers, the
    days of ISO times, and texts from one of ASCII on, whatever the bytes of the others mean."""
    if plan.type in ("BIGINT", "DOUBLE") and since.type.startswith(("BIGINT", "DOUBLE", "DECIMAL")):
        return since.value
    if plan.type == "VARCHAR" and since.type in ("DATE", "TIMESTAMP"):
        return literal(since.value[:10])
    is_binary = connection.execute("PRAGMA encoding").fetchone() == ("UTF-8",) and not plan.change
    is_text = plan.type == since.type == "VARCHAR" and since.value.isascii()
    return f"{literal(since.value)} COLLATE BINARY" if is_text and is_binary else ""


def _batches(connection: sqlite3.Connection, name: str, plans: Sequence[Plan], where: str = "") -> Iterator[Batch]:
    columns = ", ".join(quote(each.name) for each in plans)
    cursor = connection.execute(f"SELECT {columns} FROM {quote(name)}{where}")
    changes = [(i, each.change or partial(_checked, each)) for i, each in enumerate(plans) if each.change or each.kinds]
    size = max(100, _CELLS // len(plans))
    while rows := cursor.fetchmany(size):
        yield [_changed(row, changes) for row in rows] if changes else rows


def _changed(row: Sequence[Any], changes: Sequence[tuple[int, Any]]) -> list[Any]:
    cells = list(row)
    for i, change in changes:
        if cells[i] is not None:
            cells[i] = change(cells[i])
    return cells


def _checked(plan: Plan, value: Any) -> Any:
    if not isinstance(value, plan.kinds):
        raise QueryFailed(f"Column {plan.name} holds {value!r} against its type.", code="types_from_sample")
    return value


def _keys(connection: sqlite3.Connection, name: str, info: Sequence[Any], names: Sequence[str]) -> Keys:
    primary = tuple(row[1] for row in sorted((row for row in info if row[5]), key=lambda row: row[5]))
    return Keys(primary, _unique(connection, name), _foreign_keys(connection, name, names))


def _unique(connection: sqlite3.Connection, name: str) -> tuple[tuple[str, ...], ...]:
    found = []
    indexes = connection.execute(f"PRAGMA index_list({quote(name)})").fetchall()
    for _, index, is_unique, origin, *_ in indexes:
        if is_unique and origin == "u":
            rows = connection.execute(f"PRAGMA index_info({quote(index)})").fetchall()
            found.append(tuple(row[2] for row in rows))
    return tuple(found)


def _foreign_keys(connection: sqlite3.Connection, name: str, names: Sequence[str]) -> tuple[ForeignKey, ...]:
    """Foreign keys to tables that exist, spelt as those tables spell themselves."""
    grouped: dict[int, list[Any]] = {}
    for row in connection.execute(f"PRAGMA foreign_key_list({quote(name)})").fetchall():
        grouped.setdefault(row[0], []).append(row)
    own = {each.casefold(): each for each in _column_names(connection, name)}
    spelt = {each.casefold(): each for each in names}
    keys = []
    for rows in grouped.values():
        parent = spelt.get(str(rows[0][2]).casefold())
        columns = tuple(own.get(str(row[3]).casefold(), "") for row in rows)
        referred = _referred(connection, parent, rows) if parent else ()
        if parent and all(columns) and len(referred) == len(columns) and all(referred):
            keys.append(ForeignKey(columns, parent, referred))
    return tuple(keys)


def _referred(connection: sqlite3.Connection, parent: str, rows: Sequence[Any]) -> tuple[str, ...]:
    """The parent's columns; its primary key where the declaration names none."""
    info = connection.execute(f"PRAGMA table_xinfo({quote(parent)})").fetchall()
    if rows[0][4] is None:
        return tuple(row[1] for row in sorted((row for row in info if row[5]), key=lambda row: row[5]))
    spelt = {row[1].casefold(): row[1] for row in info}
    return tuple(spelt.get(str(row[4]).casefold(), "") for row in rows)


def _column_names(connection: sqlite3.Connection, name: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA table_xinfo({quote(name)})")]
