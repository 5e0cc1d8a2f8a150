"""The owner's end of dbt's connections: SQL comes in from dbt's process, runs here, and rows go back.

dbt works in Python for seconds at a time; in a process of its own it does not hold up those who read. But only this
process may open the warehouse, so each of dbt's connections is a session here, with a thread that serves it. Both ends
speak `multiprocessing.connection`, over a socket of this user's and with a key that only the two processes know.

    dbt ─▶ far.FarConnection ══ socket ══▶ Bridge ─▶ Warehouse.guest ─▶ DuckDB
"""

from __future__ import annotations

import contextlib
import secrets
import threading
from collections.abc import Callable
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from typing import Any

from pluto_duck_backend.app.core.errors import PlutoDuckError
from pluto_duck_backend.app.core.priority import go_later
from pluto_duck_backend.app.core.warehouse import Guest, Warehouse

_ROWS_AT_ONCE = 1_000
_UNDONE_S = 10.0
Reply = tuple[Any, ...]


class Bridge:
    """Serves the connections of one dbt process. The first to connect is the process's own: `control`."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse
        self._sessions: dict[str, Guest] = {}
        self._threads: list[threading.Thread] = []
        self._is_closed = self._is_given_up = False
        self._lock = threading.Lock()
        self.key = secrets.token_bytes(32)
        self._listener = Listener(authkey=self.key)
        self._accepting = threading.Thread(target=self._accept, name="dbt-bridge", daemon=True)

    @property
    def address(self) -> Any:
        return self._listener.address

    def told(self) -> dict[str, Any]:
        """What the process must know to come here."""
        return {"address": self.address, "key": self.key.hex(), "warehouse": str(self._warehouse.path.absolute())}

    def accept_control(self) -> Connection:
        """The connection on which the process is told what to do; from now on the others are served.

        Raises EOFError or OSError where it went away before it came.
        """
        control = self._listener.accept()
        if self._is_given_up:
            control.close()
            raise EOFError("the process ended before it came")
        self._accepting.start()
        return control

    def give_up_after(self, wait: Callable[[], object]) -> None:
        """When `wait` returns the process is gone: who waits for it to come waits no more."""
        wait()
        if not self._accepting.ident:
            self._is_given_up = True
            self._come_once_more()

    def close(self) -> None:
        """Stop what dbt runs; whatever it has not committed is undone when this returns."""
        self._is_closed = True
        self._accept_no_more()
        with self._lock:
            for session in self._sessions.values():
                session.interrupt()
        for thread in self._threads:
            thread.join(_UNDONE_S)

    def _accept_no_more(self) -> None:
        if self._accepting.is_alive():
            self._come_once_more()
            self._accepting.join(_UNDONE_S)
        self._listener.close()

    def _come_once_more(self) -> None:
        """Closing a socket wakes nobody who waits for a connection to it, so it gets one more."""
        with contextlib.suppress(OSError, EOFError, AuthenticationError):
            Client(self.address, authkey=self.key).close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError, EOFError):  # it went away
            while not self._is_closed:
                thread = threading.Thread(target=self._serve, args=(self._listener.accept(),), daemon=True)
                self._threads = [each for each in self._threads if each.is_alive()] + [thread]
                thread.start()

    def _serve(self, connection: Connection) -> None:
        go_later()
        with connection, self._warehouse.guest() as session, contextlib.suppress(EOFError, OSError):
            name = connection.recv()
            with self._lock:
                self._sessions[name] = session
            try:
                while not self._is_closed:
                    operation, *arguments = connection.recv()
                    connection.send(self._answer(session, operation, arguments))
            finally:
                with self._lock:
                    del self._sessions[name]

    def _answer(self, session: Guest, operation: str, arguments: list[Any]) -> Reply:
        """`("rows", description, rows, more)`, or `("error", DuckDB's class, message)`."""
        try:
            return self._operations[operation](self, session, *arguments)
        except PlutoDuckError as error:
            cause = error.__cause__ or error
            return "error", type(cause).__name__, str(cause)
        except Exception as error:  # noqa: BLE001 - told to dbt, which raises it
            return "error", type(error).__name__, str(error)

    def _execute(self, session: Guest, sql: str, parameters: Any) -> Reply:
        session.bind(sql, parameters or ())
        return self._fetch(session, _ROWS_AT_ONCE)

    def _fetch(self, session: Guest, count: int | None) -> Reply:
        description = session.description
        rows = [] if not description else session.rest() if count is None else session.fetchmany(count)
        return "rows", description, rows, len(rows) == count

    def _interrupt(self, session: Guest, name: str) -> Reply:
        with self._lock:
            if name in self._sessions:
                self._sessions[name].interrupt()
        return "rows", [], [], False

    def _register_filesystem(self, session: Guest, filesystem: Any) -> Reply:
        session.lend().register_filesystem(filesystem)
        return "rows", [], [], False

    def _run_python(self, session: Guest, identifier: str, code: str, credentials: Any) -> Reply:
        """A Python model: it wants DuckDB's own connection, so it runs where that is."""
        from dbt.adapters.duckdb.environments.local import LocalEnvironment

        connection = session.lend()
        LocalEnvironment.run_python_job(
            connection, lambda table: connection.query(f"SELECT * FROM {table}"), identifier, code, credentials
        )
        return "rows", [], [], False

    _operations: dict[str, Callable[..., Reply]] = {
        "execute": _execute,
        "fetch": _fetch,
        "interrupt": _interrupt,
        "register_filesystem": _register_filesystem,
        "run_python": _run_python,
    }
