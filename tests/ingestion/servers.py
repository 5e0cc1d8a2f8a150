"""Real servers on loopback for tests: a schema (or database) of its own for each test, made and dropped through DuckDB.

Where a server does not answer the test skips with the reason, or fails where PLUTODUCK_REQUIRE_SERVICES is set.
"""

import contextlib
import os
import socket
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pluto_duck_backend.app.core import extensions
from pluto_duck_backend.app.core.warehouse import Session, Warehouse, literal

PORTS = {"postgres": 5432, "mysql": 3306}
_EXTENSIONS = {"postgres": "postgres_scanner", "mysql": "mysql_scanner"}
_ADMIN = {
    "postgres": "host=127.0.0.1 user=postgres dbname=postgres",
    "mysql": "host=127.0.0.1 user=root database=mysql",
}


@dataclass
class Server:
    """One kind of server and a place in it that belongs to the test."""

    kind: str
    place: str
    session: Session

    def run(self, *statements: str) -> None:
        for each in statements:
            self.session.execute(f"CALL {self.kind}_execute('admin', {literal(each)})")

    def asked(self, sql: str) -> list[tuple]:
        return self.session.rows(f"FROM {self.kind}_query('admin', {literal(sql)})")

    @property
    def config(self) -> dict:
        """What a request says of the server."""
        if self.kind == "postgres":
            return {"url": "postgresql://postgres@127.0.0.1/postgres", "schemas": [self.place]}
        return {"url": f"mysql://root@127.0.0.1/{self.place}"}

    @property
    def home(self) -> str:
        """The schema of the warehouse that its tables go to."""
        return self.place if self.kind == "postgres" else "main"


def is_there(kind: str) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", PORTS[kind]), timeout=2):
        return True
    return False


@contextlib.contextmanager
def open_server(kind: str, folder: Path) -> Iterator[Server]:
    if not is_there(kind):
        reason = f"no {kind} server answers on 127.0.0.1:{PORTS[kind]}"
        pytest.fail(reason) if os.environ.get("PLUTODUCK_REQUIRE_SERVICES") else pytest.skip(reason)
    helper = Warehouse.open(folder / "helper.duckdb")
    place = f"t{uuid.uuid4().hex[:12]}"
    with helper.guest() as session:
        extensions.load(session, _EXTENSIONS[kind], kind)
        session.execute(f"ATTACH {literal(_ADMIN[kind])} AS admin (TYPE {kind})")
        server = Server(kind, place, session)
        server.run(f"CREATE SCHEMA {place}")
        try:
            yield server
        finally:
            server.run(f"DROP SCHEMA {place}" + (" CASCADE" if kind == "postgres" else ""))
            session.execute("DETACH admin")
    helper.close()
