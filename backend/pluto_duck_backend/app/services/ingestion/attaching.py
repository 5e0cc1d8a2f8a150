"""Other databases within reach of the warehouse's DuckDB for the time of a load: files and servers, read-only.

The service hands these to connectors through the toolbox. What must stay true: what was attached is detached, also
after an error, and a password is in a temporary secret of DuckDB's only, never in a statement that anybody can see.
"""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from pluto_duck_backend.app.core import extensions, secret_references
from pluto_duck_backend.app.core.errors import Conflict, EnvironmentFault, InvalidInput, PlutoDuckError
from pluto_duck_backend.app.core.warehouse import Session, Warehouse, literal
from pluto_duck_backend.app.services.ingestion import connections

_EXTENSIONS = {"postgres": "postgres_scanner", "mysql": "mysql_scanner"}
_PATIENCE = {
    "postgres": "connect_timeout=10 keepalives_idle=15 keepalives_interval=5 keepalives_count=3 tcp_user_timeout=30000",
    "mysql": "",
}
#   how long a connection that says nothing is believed in
_TRANSIENT = (
    "refused",
    "timeout",
    "timed out",
    "starting up",
    "too many",
    "reset by",
    "closed",
    "unreachable",
    "t connect to",
)


class Attaching:
    """Attaches databases to one warehouse."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse

    @contextlib.contextmanager
    def file(self, path: Path) -> Iterator[str]:
        """Another DuckDB file under the name given; raises for the warehouse itself and for no database."""
        if self._warehouse.path.exists() and path.samefile(self._warehouse.path):
            raise Conflict(f"{path} is the warehouse itself.", code="source_is_warehouse", hint="Name another file.")
        alias = _alias()
        try:
            with self._warehouse.read() as session:
                session.execute(f"ATTACH {literal(str(path))} AS {alias} (READ_ONLY)")
        except PlutoDuckError as error:
            raise _cannot_attach(path, error) from error
        with self._detached(alias):
            yield alias

    @contextlib.contextmanager
    def sqlite(self, path: Path) -> Iterator[str | None]:
        """A SQLite file under the name given; None where DuckDB's extension is not installed or cannot open it."""
        alias = _alias()
        try:
            with self._warehouse.read() as session:
                extensions.load(session, "sqlite_scanner", "sqlite")
                session.execute(f"ATTACH {literal(str(path))} AS {alias} (TYPE sqlite, READ_ONLY)")
        except PlutoDuckError:  # Python reads it, too
            yield None
            return
        with self._detached(alias):
            yield alias

    @contextlib.contextmanager
    def server(self, cancelled: Callable[[], bool], kind: str, options: Mapping[str, str]) -> Iterator[str]:
        """A server's database under the name given; `options` are those of DuckDB's secret for this kind."""
        alias = _alias()
        with self._warehouse.read() as session:
            extensions.load(session, _EXTENSIONS[kind], kind)
        with connections.watched_over(kind, options, cancelled):
            try:
                with self._warehouse.read() as session:
                    _attach_server(session, kind, options, alias)
            except PlutoDuckError as error:
                raise _cannot_reach(kind, options, error) from error
            connections.keep_alive(kind, options)
            with self._detached(alias):
                yield alias

    @contextlib.contextmanager
    def _detached(self, alias: str) -> Iterator[None]:
        try:
            yield
        finally:
            with self._warehouse.read() as session:
                session.execute(f"DETACH {alias}")


def _alias() -> str:
    return f"_ingest_{uuid.uuid4().hex[:8]}"


def _attach_server(session: Session, kind: str, options: Mapping[str, str], alias: str) -> None:
    """An error undoes the secret with the session's transaction."""
    values = "".join(f", {name} {literal(value)}" for name, value in options.items() if value)
    session.execute(f"CREATE TEMPORARY SECRET {alias} (TYPE {kind}{values})")
    session.execute(f"ATTACH {literal(_PATIENCE[kind])} AS {alias} (TYPE {kind}, SECRET {alias}, READ_ONLY)")
    session.execute(f"DROP TEMPORARY SECRET {alias}")


def _cannot_reach(kind: str, options: Mapping[str, str], error: PlutoDuckError) -> EnvironmentFault:
    told = secret_references.without(error, {"password": options.get("password", "")}).strip().splitlines()
    words = " ".join(line.strip() for line in told)
    _, is_ours, after = words.partition(f'"{_PATIENCE[kind]}": ')
    reason = after if is_ours else words  # DuckDB repeats before it the options that are ours
    where = f"{options.get('host', 'localhost')}:{options.get('port') or 'its usual port'}"
    return EnvironmentFault(
        f"The {kind} database {options.get('database', '')} at {where} cannot be reached as"
        f" {options.get('user') or 'the default user'}: {reason}",
        code="source_unreachable",
        hint="Check address, user, password and that the server runs; nothing was changed.",
        retryable=any(word in reason.casefold() for word in _TRANSIENT),
    )


def _cannot_attach(path: Path, error: PlutoDuckError) -> PlutoDuckError:
    text = error.message.casefold()
    if "could not set lock" in text or "conflicting lock" in text:
        return EnvironmentFault(
            f"Another program has {path} open for writing.", code="source_busy", hint="Close it.", retryable=True
        )
    if "already attached" in text or "unique file handle" in text:
        return Conflict(f"{path} is being loaded already.", code="source_busy", hint="Wait until that load ends.")
    return InvalidInput(
        f"{path} cannot be read as a DuckDB file: {error.message.splitlines()[0]}",
        code="unreadable_file",
        hint="Check that it is a DuckDB file, whole and of a version this DuckDB reads.",
    )
