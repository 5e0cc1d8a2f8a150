"""SQLite databases of the shared data: each row and each value as Python's sqlite3 reads them, keys kept.

Every sixth of them; all 138 with PLUTODUCK_ALL_DATABASES=1.
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

FOLDER = SHARED / "nl2sql" / "databases"
_EVERY = 1 if os.environ.get("PLUTODUCK_ALL_DATABASES") else 6  # all of them take two minutes
_LARGE = 20_000  # rows beyond which only numbers of rows and sums of lengths are compared


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
def test_every_value_is_as_sqlite_has_it(bench, path):
    bench.load(path)
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    connection.text_factory = lambda data: data.decode("utf-8") if _is_utf8(data) else data.decode("cp1252", "replace")
    keys = lineage.declared_keys(bench.paths)
    for table in bench.tables():
        rows = f"FROM {quote(table)}"
        assert bench.rows(f"SELECT count(*) {rows}") == connection.execute(f"SELECT count(*) {rows}").fetchall(), table
        kinds = list(bench.types(table).values())
        limit = f" LIMIT {_LARGE}"
        given = connection.execute(f"SELECT * {rows}{limit}").fetchall()
        there = {tuple(map(_same, row)) for row in bench.rows(f"SELECT * {rows}")}
        missing = {tuple(map(_stored, row, kinds)) for row in given} - there
        assert not missing, (table, Counter(missing).most_common(2))
        declared = [row[1] for row in sorted(_primary(connection, table), key=lambda row: row[5])]
        assert keys[("main", table)]["primary_key"] == declared, table
    connection.close()


def _primary(connection, table):
    return [row for row in connection.execute(f"PRAGMA table_info({quote(table)})") if row[5]]


def _is_utf8(data):
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
