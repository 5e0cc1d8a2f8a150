"""Sessions: one cursor each, for reading, for writing, or for a guest that begins and ends its own transactions."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import duckdb

from pluto_duck_backend.app.core import keyboard
from pluto_duck_backend.app.core.warehouse.border import border
from pluto_duck_backend.app.core.warehouse.changes import definitions_in, tables_changed


class Session:
    """One DuckDB cursor. Not shared between threads, but `interrupt` may be called from another."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        self._cursor = cursor

    def _note(self, sql: str) -> None:
        """Take notice of a statement before it runs."""

    def execute(self, sql: str) -> Session:
        """Run one statement; its rows are read with `fetchmany` or `rows`.

        It takes no parameters: for the first of a process DuckDB imports all libraries of data frames that are
        installed, which can take a second. Texts are written as a `literal`.
        """
        with self._border():
            self._run(sql)
        return self

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Run one statement and return all of its rows."""
        with self._border():
            return self._run(sql).fetchall()

    def row(self, sql: str) -> tuple[Any, ...] | None:
        """Run one statement and return its first row, or None."""
        with self._border():
            return self._run(sql).fetchone()

    def _run(self, sql: str, params: Sequence[Any] = ()) -> duckdb.DuckDBPyConnection:
        self._note(sql)
        return self._cursor.execute(sql, list(params)) if params else self._cursor.execute(sql)

    def fetchmany(self, count: int) -> list[tuple[Any, ...]]:
        """The next `count` rows of the last `execute`."""
        with self._border():
            return self._cursor.fetchmany(count)

    @property
    def description(self) -> list[tuple[str, str]]:
        """`(name, DuckDB type)` of each column of the last statement."""
        return [(str(each[0]), str(each[1])) for each in self._cursor.description or []]

    def begin_again(self) -> None:
        """After an error: leave the transaction it broke and read on in a new one."""
        roll_back(self._cursor)
        self.execute("BEGIN TRANSACTION READ ONLY")

    def register(self, name: str, frame: Any) -> None:
        """Make a polars or Arrow object readable as table `name` in this session only."""
        with self._border():
            self._finish()
            self._cursor.register(name, frame)

    def unregister(self, name: str) -> None:
        with self._border():
            self._finish()
            self._cursor.unregister(name)

    def _finish(self) -> None:
        """Let the last statement end: DuckDB registers nothing beside one whose rows are not all read, from 2.0 on."""
        if complete := getattr(self._cursor, "complete", None):
            complete()

    def measure(self) -> None:
        """From now on `progress` knows how far the running statement is."""
        self.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")

    @property
    def progress(self) -> float | None:
        """The share of the running statement that is done, None where DuckDB cannot tell; asked from another thread."""
        percent = float(self._cursor.query_progress())
        return percent / 100 if percent > 0 else None

    def interrupt(self) -> None:
        """Stop the running statement; its thread gets `Cancelled`. One whose connection was closed runs no more."""
        with contextlib.suppress(duckdb.ConnectionException):
            self._cursor.interrupt()

    @contextlib.contextmanager
    def _border(self) -> Iterator[None]:
        """DuckDB runs something here: its errors become ours, and a Ctrl-C ends it at once."""
        try:
            with keyboard.heard(self.interrupt), border():
                yield
        except KeyboardInterrupt:
            self.interrupt()  # where DuckDB heard it first its threads go on, and the next statement would wait
            raise


class Writing(Session):
    """A session that may change things: `defined` holds which DEFINITIONS it may have changed, `rows_of` the tables."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        super().__init__(cursor)
        self.defined: set[str] = set()
        self.rows_of: set[str] = set()

    def _note(self, sql: str) -> None:
        self.defined.update(definitions_in(sql))
        self.rows_of.update(tables_changed(sql))


class Guest(Session):
    """A session that begins and ends its own transactions, as dbt does."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        super().__init__(cursor)
        self.rows_of: set[str] = set()

    def _note(self, sql: str) -> None:
        self.rows_of.update(tables_changed(sql))

    def bind(self, sql: str, params: Sequence[Any]) -> None:
        """Run one statement with the parameters that dbt gives it."""
        with self._border():
            self._run(sql, params)

    def lend(self) -> duckdb.DuckDBPyConnection:
        """DuckDB's own connection, for the user's Python code (a dbt model); it may read that code's variables."""
        with border():
            self._cursor.execute("SET python_enable_replacements = true")
        return self._cursor

    def rest(self) -> list[tuple[Any, ...]]:
        """All further rows of the last `execute`."""
        with border():
            return self._cursor.fetchall()


def roll_back(cursor: duckdb.DuckDBPyConnection) -> None:
    """Leave the transaction of a cursor, where there is one."""
    with contextlib.suppress(duckdb.Error):  # there is none left after a fatal error
        cursor.execute("ROLLBACK")
