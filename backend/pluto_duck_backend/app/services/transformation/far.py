"""DuckDB connections of dbt's process: those to the warehouse are served by the process that owns it.

`redirect` puts them in the place of `duckdb.connect` for the warehouse's file; every other database opens here as ever.
"""

from __future__ import annotations

import os
import tempfile
import uuid
from multiprocessing.connection import Client
from pathlib import Path
from typing import Any

import duckdb

Row = tuple[Any, ...]
_connect = duckdb.connect


class Owner:
    """Where the owner of the warehouse serves."""

    def __init__(self, address: Any, key: bytes, warehouse: Path) -> None:
        self.address = address
        self.key = key
        self.warehouse = warehouse
        self.folder = tempfile.TemporaryDirectory(prefix="pluto-duck-dbt-")

    def is_at(self, database: Any) -> bool:
        return isinstance(database, str | os.PathLike) and Path(database).absolute() == self.warehouse


class FarConnection:
    """What dbt and its adapter use of a DuckDBPyConnection. Not shared between threads, but for `interrupt`."""

    def __init__(self, owner: Owner) -> None:
        self._owner = owner
        self._name = uuid.uuid4().hex
        self._socket = Client(owner.address, authkey=owner.key)
        self._socket.send(self._name)
        self._rows: list[Row] = []
        self._has_more = False
        self.description: list[tuple[Any, ...]] | None = None

    def execute(self, sql: str, parameters: Any = None) -> FarConnection:
        self._take(self._call("execute", sql, parameters))
        return self

    sql = execute

    def fetchall(self) -> list[Row]:
        rows, self._rows = self._rows, []
        if self._has_more:
            self._take(self._call("fetch", None))
            rows, self._rows = rows + self._rows, []
        return rows

    def fetchmany(self, size: int = 1) -> list[Row]:
        if len(self._rows) < size and self._has_more:
            self._rows = self.fetchall()
        rows, self._rows = self._rows[:size], self._rows[size:]
        return rows

    def fetchone(self) -> Row | None:
        rows = self.fetchmany(1)
        return rows[0] if rows else None

    def cursor(self) -> FarConnection:
        return FarConnection(self._owner)

    duplicate = cursor

    def begin(self) -> FarConnection:
        return self.execute("BEGIN")

    def commit(self) -> FarConnection:
        return self.execute("COMMIT")

    def rollback(self) -> FarConnection:
        return self.execute("ROLLBACK")

    def install_extension(self, extension: str, **options: Any) -> None:
        self.execute(f"INSTALL {extension}")

    def load_extension(self, extension: str) -> None:
        self.execute(f"LOAD {extension}")

    def register(self, view_name: str, python_object: Any) -> FarConnection:
        """Rows made here cross over in a file, which stays as long as this process."""
        path = Path(self._owner.folder.name) / f"{uuid.uuid4().hex}.parquet"
        with _connect(":memory:") as local:
            local.register("given", python_object)
            local.execute(f"COPY (FROM given) TO '{path}' (FORMAT parquet)")
        return self.execute(f"CREATE OR REPLACE TEMP VIEW \"{view_name}\" AS FROM read_parquet('{path}')")

    def unregister(self, view_name: str) -> FarConnection:
        return self.execute(f'DROP VIEW IF EXISTS temp.main."{view_name}"')

    def register_filesystem(self, filesystem: Any) -> None:
        self._call("register_filesystem", filesystem)

    def run_python(self, identifier: str, code: str, credentials: Any) -> None:
        """Run a dbt Python model where the warehouse is."""
        self._call("run_python", identifier, code, credentials)

    @property
    def rows_written(self) -> int | None:
        """What DuckDB counted for the last statement, if it wrote."""
        names = [each[0] for each in self.description or ()]
        return int(self._rows[0][0]) if names == ["Count"] and len(self._rows) == 1 else None

    def interrupt(self) -> None:
        with Client(self._owner.address, authkey=self._owner.key) as other:
            other.send(uuid.uuid4().hex)
            other.send(("interrupt", self._name))
            other.recv()

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> FarConnection:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def _take(self, reply: tuple[Any, ...]) -> None:
        _, described, self._rows, self._has_more = reply
        self.description = [(name, duckdb.sqltype(kind), *[None] * 5) for name, kind in described] or None

    def _call(self, *request: Any) -> tuple[Any, ...]:
        self._socket.send(request)
        reply: tuple[Any, ...] = self._socket.recv()
        if reply[0] == "error":
            _, kind, message = reply
            raise getattr(duckdb, kind, duckdb.Error)(message)
        return reply


def redirect(owner: Owner) -> None:
    """From now on `duckdb.connect` to the warehouse, and Python models of dbt's, go to its owner; rows are counted."""

    def connect(database: Any = ":memory:", *args: Any, **options: Any) -> Any:
        return FarConnection(owner) if owner.is_at(database) else _connect(database, *args, **options)

    setattr(duckdb, "connect", connect)  # noqa: B010 - put in its place, not declared anew
    _send_python_models()
    _count_rows()


def _send_python_models() -> None:
    from dbt.adapters.contracts.connection import AdapterResponse
    from dbt.adapters.duckdb.environments.local import LocalEnvironment

    near = LocalEnvironment.submit_python_job

    def submit_python_job(self: Any, handle: Any, parsed_model: dict[str, Any], compiled_code: str) -> AdapterResponse:
        here = handle.cursor()
        if not hasattr(here, "run_python"):
            return near(self, handle, parsed_model, compiled_code)
        here.run_python(parsed_model["alias"], compiled_code, self.creds)
        return AdapterResponse(_message="OK")

    setattr(LocalEnvironment, "submit_python_job", submit_python_job)  # noqa: B010


def _count_rows() -> None:
    from dbt.adapters.contracts.connection import AdapterResponse
    from dbt.adapters.duckdb.connections import DuckDBConnectionManager

    def get_response(cursor: Any) -> AdapterResponse:
        return AdapterResponse(_message="OK", rows_affected=getattr(cursor, "rows_written", None))

    setattr(DuckDBConnectionManager, "get_response", staticmethod(get_response))  # noqa: B010
