"""One PostgreSQL database: its connections, its tables, and its errors in our words.

What must stay true: a statement that met a broken connection is tried once more on a new one, so that a restart of the
server between two statements is not noticed; no message shows the address's password.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from pluto_duck_backend.app.core.secret_references import without_password
from pluto_duck_backend.app.core.state import place_of, unreachable
from pluto_duck_backend.app.services.state.drivers import driver_missing

if TYPE_CHECKING:
    from psycopg import Connection

T = TypeVar("T")
_CONNECTIONS = 8
_WAIT_S = 10.0
_ONE_AT_A_TIME = 7_165_201  # the advisory lock under which tables are made
_TABLES = """
CREATE TABLE IF NOT EXISTS pluto_duck_sessions (
    scope text NOT NULL, session text COLLATE "C" NOT NULL, thread text NOT NULL, writer text NOT NULL,
    lines int NOT NULL, ended boolean NOT NULL, first_line text NOT NULL, last_line text NOT NULL,
    PRIMARY KEY (scope, session));
CREATE INDEX IF NOT EXISTS pluto_duck_sessions_thread ON pluto_duck_sessions (scope, md5(thread), session);
CREATE INDEX IF NOT EXISTS pluto_duck_sessions_open ON pluto_duck_sessions (scope, session) WHERE NOT ended;
CREATE TABLE IF NOT EXISTS pluto_duck_lines (
    scope text NOT NULL, session text COLLATE "C" NOT NULL, number int NOT NULL, line text NOT NULL,
    PRIMARY KEY (scope, session, number));
CREATE TABLE IF NOT EXISTS pluto_duck_processes (name text PRIMARY KEY, seen timestamptz NOT NULL);
CREATE TABLE IF NOT EXISTS pluto_duck_memory (
    scope text NOT NULL, name text COLLATE "C" NOT NULL, mark bigint GENERATED ALWAYS AS IDENTITY, data bytea NOT NULL,
    PRIMARY KEY (scope, name));
CREATE TABLE IF NOT EXISTS pluto_duck_artifacts (
    version bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, scope text NOT NULL, name text COLLATE "C" NOT NULL,
    pieces int NOT NULL DEFAULT 0, bytes bigint NOT NULL DEFAULT 0, retired timestamptz);
CREATE UNIQUE INDEX IF NOT EXISTS pluto_duck_artifacts_now ON pluto_duck_artifacts (scope, name) WHERE retired IS NULL;
CREATE TABLE IF NOT EXISTS pluto_duck_pieces (
    version bigint NOT NULL REFERENCES pluto_duck_artifacts ON DELETE CASCADE, number int NOT NULL,
    data bytea NOT NULL, PRIMARY KEY (version, number));
"""


class Database:
    """Thread-safe; opened at the first statement. `address`: postgresql://…, whose search path holds the tables."""

    def __init__(self, address: str) -> None:
        self.place = place_of("PostgreSQL", address)
        self._address = address
        self._lock = threading.Lock()
        self._pool: Any = None

    def run(self, work: Callable[[Connection], T]) -> T:
        """What `work` gives, each of its statements a transaction of its own. Raises EnvironmentFault."""
        psycopg = _library()
        try:
            pool = self._opened()
            try:
                return self._once(pool, work)
            except psycopg.OperationalError:
                pool.check()
                return self._once(pool, work)
        except psycopg.Error as error:
            raise unreachable(self.place, self._reason(error)) from None

    def _once(self, pool: Any, work: Callable[[Connection], T]) -> T:
        with pool.connection() as connection:
            return work(connection)

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        return self.run(lambda connection: connection.execute(sql, values).fetchall())

    def data(self, sql: str, *values: Any) -> bytes:
        """The bytes of the only row; in PostgreSQL's binary form, since its text is twice as long."""

        def work(connection: Connection) -> bytes:
            row = connection.execute(sql, values, binary=True).fetchone()
            return bytes(row[0]) if row else b""

        return self.run(work)

    def changed(self, sql: str, *values: Any) -> int:
        """How many rows a statement has changed."""
        return self.run(lambda connection: connection.execute(sql, values).rowcount)

    def _opened(self) -> Any:
        with self._lock:
            if self._pool is None:
                self._pool = self._open()
            return self._pool

    def _open(self) -> Any:
        """A first connection by itself, since its error says more than that of a pool that waits."""
        psycopg = _library()
        from psycopg_pool import ConnectionPool

        with psycopg.connect(self._address, connect_timeout=int(_WAIT_S)) as first:
            first.execute("SELECT pg_advisory_xact_lock(%s)", (_ONE_AT_A_TIME,))
            first.execute(_TABLES)
        options = {"autocommit": True, "connect_timeout": int(_WAIT_S)}
        return ConnectionPool(
            self._address, min_size=1, max_size=_CONNECTIONS, timeout=_WAIT_S, kwargs=options, open=True
        )

    def _reason(self, error: Exception) -> str:
        return " ".join(without_password(str(error), self._address).split())[:300] or type(error).__name__

    def close(self) -> None:
        with self._lock:
            if self._pool is not None:
                self._pool.close()
                self._pool = None


def _library() -> Any:
    try:
        import psycopg
    except ImportError as error:
        raise driver_missing("PostgreSQL", "psycopg", "postgres") from error
    return psycopg
