"""The user's DuckDB file, open in this process: sessions on it, and what has changed in it.

What must stay true: one instance for each file in a process, readers run inside `BEGIN TRANSACTION READ ONLY`, writers
one at a time in one transaction, and no Python object is reachable from SQL by name.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TypeVar

import duckdb

from pluto_duck_backend.app.core.errors import WarehouseUnusable
from pluto_duck_backend.app.core.memory import machine_memory
from pluto_duck_backend.app.core.warehouse.border import border
from pluto_duck_backend.app.core.warehouse.changes import Versions
from pluto_duck_backend.app.core.warehouse.opening import Limit, opened
from pluto_duck_backend.app.core.warehouse.sessions import Guest, Session, Writing, roll_back

S = TypeVar("S", bound=Session)
_IDLE_CURSORS = 64
_LITTLE_MB, _OF_A_THREAD_MB = 700, 175


class Warehouse:
    """Thread-safe."""

    def __init__(self, path: Path, connection: duckdb.DuckDBPyConnection, own_limit: str = "") -> None:
        """`own_limit`: of the memory, where nobody has asked for another."""
        self.path = path
        self._own_limit = own_limit
        self._connection = connection
        self._writing = threading.Lock()
        self._versions = Versions()
        self._guests: set[Guest] = set()
        self._guests_lock = threading.Lock()
        self._idle: list[duckdb.DuckDBPyConnection] = []
        self._file = _identity(path)

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        memory_limit: str = "",
        threads: int = 0,
        temp_folder: Path | None = None,
        temp_limit: str = "",
    ) -> Warehouse:
        """Open or create the file. Raises WarehouseBusy, WarehouseUnusable or InvalidInput (a bad limit)."""
        own_limit = "" if memory_limit else f"{machine_memory() / 2e6:.0f}MB"
        limits = (
            Limit("memory_limit", "query.memory_limit", memory_limit or own_limit),
            Limit("threads", "query.threads", str(threads or "")),
            Limit("temp_directory", "the data root", str(temp_folder or "")),
            Limit("max_temp_directory_size", "query.temp_limit", temp_limit),
        )
        return cls(path, opened(path, limits), own_limit)

    @property
    def version(self) -> int:
        """Rises with every committed write; what is derived from the data is cached under it."""
        return self._versions.now

    def version_of(self, definition: str) -> int:
        """Rises with every committed write that may have changed one of these DEFINITIONS."""
        return self._versions.of(definition)

    def rows_versions(self) -> dict[str, int]:
        """By name without schema, in lower case: a number that rises when rows of such a table may have changed."""
        return self._versions.of_rows()

    def changed(self, *definitions: str, rows_of: Collection[str] = ()) -> None:
        """Say that something has been committed, which DEFINITIONS may be others now, and whose rows."""
        with self._guests_lock:  # guests go on writing in their own threads, so that each set is copied at once
            of_guests = [table for guest in self._guests for table in tuple(guest.rows_of)]
        self._versions.rise(definitions, {*rows_of, *of_guests})

    def check_file(self) -> None:
        """Raises WarehouseUnusable where the file was moved, deleted or replaced: what is written would be lost."""
        if _identity(self.path) != self._file:
            raise WarehouseUnusable(
                f"The warehouse {self.path} was moved, deleted or replaced while it was open.",
                code="warehouse_gone",
                hint="Put it back, or stop Pluto-Duck and start it again; reading still works on the data as it was.",
            )

    @contextlib.contextmanager
    def read(self) -> Iterator[Session]:
        """A session that can write nothing and sees one committed state throughout."""
        with self._session("BEGIN TRANSACTION READ ONLY", self._idle, Session) as session:
            yield session
            session.execute("COMMIT")

    @contextlib.contextmanager
    def write(self) -> Iterator[Writing]:
        """A session whose changes are seen all at once when it ends, or not at all where it raises."""
        with self._writing:
            self.check_file()
            with self._session("BEGIN TRANSACTION", [], Writing) as session:
                yield session
                self.check_file()
                session.execute("COMMIT")
            self.changed(*session.defined, rows_of=session.rows_of)

    @contextlib.contextmanager
    def modest(self) -> Iterator[None]:
        """Work in little memory for a while, for a statement that passes on what it reads and holds none of it.

        DuckDB would keep pages that it has written up to its limit. Nothing is changed where the user set a limit.
        """
        with contextlib.closing(self._connection.cursor()) as cursor:
            threads = int((cursor.execute("SELECT current_setting('threads')").fetchone() or (1,))[0])
            little = max(_LITTLE_MB, threads * _OF_A_THREAD_MB)
            if not self._own_limit or little >= int(self._own_limit.removesuffix("MB")):
                yield
                return
            with contextlib.suppress(duckdb.OutOfMemoryException):  # indexes may hold more, and cannot give it up
                cursor.execute(f"SET GLOBAL memory_limit = '{little}MB'")
            try:
                yield
            finally:
                cursor.execute(f"SET GLOBAL memory_limit = '{self._own_limit}'")

    @contextlib.contextmanager
    def guest(self) -> Iterator[Guest]:
        """A session outside of any transaction; say `changed` after its commits. What it leaves open is undone."""
        cursor = self._cursor()
        guest = Guest(cursor)
        with self._guests_lock:
            self._guests.add(guest)
        try:
            yield guest
        finally:
            roll_back(cursor)
            cursor.close()
            with self._guests_lock:
                self._guests.remove(guest)
            self.changed(rows_of=guest.rows_of)

    @contextlib.contextmanager
    def _session(self, begin: str, idle: list[duckdb.DuckDBPyConnection], kind: type[S]) -> Iterator[S]:
        """A cursor of `idle`, or a new one; it is put there for the next where all went well."""
        try:
            cursor = idle.pop()
        except IndexError:
            cursor = self._cursor()
        try:
            session = kind(cursor)
            session.execute(begin)
            yield session
        except BaseException:
            cursor.interrupt()  # a Ctrl-C left its statement running, and rolling back would wait for that
            roll_back(cursor)
            cursor.close()
            raise
        if len(idle) < _IDLE_CURSORS:
            idle.append(cursor)
        else:
            cursor.close()

    def _cursor(self) -> duckdb.DuckDBPyConnection:
        """Settings of a connection are not inherited by its cursors, so each gets them."""
        with border():
            cursor = self._connection.cursor()
            cursor.execute("SET python_enable_replacements = false; SET enable_progress_bar = false")
        return cursor

    def close(self) -> None:
        """Write everything to the file and let it go."""
        while self._idle:
            self._idle.pop().close()
        with border():
            self._connection.close()


def _identity(path: Path) -> tuple[int, int]:
    """Which file it is that `path` names; zeros: none."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_dev, found.st_ino
