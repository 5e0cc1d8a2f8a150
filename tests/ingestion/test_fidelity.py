"""SQLite databases of the shared data: each row and each value as Python's sqlite3 reads them, keys kept.

Every sixth of them; all 138 with PLUTODUCK_ALL_DATABASES=1. Small tables are read row by row; with
PLUTODUCK_SCAN_ALL=1 DuckDB's extension reads each that it can, as it does large ones.
"""

import datetime as dt
import decimal
import os
import sqlite3
from collections import Counter

import pytest
from tests.conftest import SHARED

from pluto_duck_backend.app.core import lineage
from pluto_duck_backend.app.core.warehouse import quote
from pluto_duck_backend.app.services.ingestion.connectors import sqlite_scan

FOLDER = SHARED / "nl2sql" / "databases"
_EVERY = 1 if os.environ.get("PLUTODUCK_ALL_DATABASES") else 6  # all of them take two minutes
_IS_SCANNED = bool(os.environ.get("PLUTODUCK_SCAN_ALL"))


def _same(value):
    """A value in the form in which both sides can be compared."""
    if isinstance(value, bool | int):
        return float(value) if abs(value) < 2**53 else int(value)
    if isinstance(value, decimal.Decimal):
        return float(value)
    if isinstance(value, dt.datetime):
        return value.isoformat(" ", "seconds" if not value.microsecond else "microseconds")
    return value.isoformat() if isinstance(value, dt.date | dt.time) else value


def _stored(value, kind):
    """What SQLite holds, in the type that the column has become."""
    if isinstance(value, str) and kind == "TIMESTAMP":
        return _same(dt.datetime.fromisoformat(value))
    if isinstance(value, str) and kind == "TIME":
        return dt.time.fromisoformat(value).isoformat()
    if kind == "VARCHAR" and isinstance(value, int | float):
        return str(value)
    return value.decode("utf-8", "replace") if kind == "VARCHAR" and isinstance(value, bytes) else _same(value)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.sqlite"))[::_EVERY], ids=lambda path: path.stem)
def test_every_value_is_as_sqlite_has_it(bench, path, monkeypatch):
    if _IS_SCANNED:
        monkeypatch.setattr(sqlite_scan, "LARGE", 1)
    bench.load(path)
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    connection.text_factory = lambda data: data.decode("utf-8") if _is_utf8(data) else data.decode("cp1252", "replace")
    keys = lineage.declared_keys(bench.paths)
    for table in bench.tables():
        rows = f"FROM {quote(table)}"
        assert bench.rows(f"SELECT count(*) {rows}") == connection.execute(f"SELECT count(*) {rows}").fetchall(), table
        kinds = list(bench.types(table).values())
        given = Counter(tuple(map(_stored, row, kinds)) for row in connection.execute(f"SELECT * {rows}"))
        there = Counter(tuple(map(_same, row)) for row in bench.rows(f"SELECT * {rows}"))
        assert not given - there and not there - given, (table, (given - there).most_common(2))
        assert keys[("main", table)]["primary_key"] == _primary(connection, table), table
        found = {tuple(each["columns"]) for each in keys[("main", table)]["foreign_keys"]}
        assert found == _foreign(connection, table, bench.tables()), table
    connection.close()


def _primary(connection, table):
    rows = [row for row in connection.execute(f"PRAGMA table_info({quote(table)})") if row[5]]
    return [row[1] for row in sorted(rows, key=lambda row: row[5])]


def _foreign(connection, table, tables):
    """The columns of each foreign key that refers to columns that are there, as the table spells them."""
    own = {row[1].casefold(): row[1] for row in connection.execute(f"PRAGMA table_info({quote(table)})")}
    keys = {}
    for row in connection.execute(f"PRAGMA foreign_key_list({quote(table)})").fetchall():
        keys.setdefault(row[0], []).append(row)
    spelt = {each.casefold() for each in tables}
    whole = [rows for rows in keys.values() if rows[0][2].casefold() in spelt and _is_whole(connection, rows)]
    return {tuple(own[row[3].casefold()] for row in rows) for rows in whole}


def _is_whole(connection, rows):
    """Whether every column it names is there; one that names none means a primary key as long as itself."""
    parent = connection.execute(f"PRAGMA table_info({quote(rows[0][2])})").fetchall()
    if rows[0][4] is None:
        return sum(bool(row[5]) for row in parent) == len(rows)
    return all(row[4].casefold() in {each[1].casefold() for each in parent} for row in rows)


def _is_utf8(data):
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
