"""Opening DuckDB's file: how, within which limits, and what is told where it cannot be opened."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import duckdb

from pluto_duck_backend.app.core.errors import InvalidInput, PlutoDuckError, WarehouseBusy, WarehouseUnusable
from pluto_duck_backend.app.core.warehouse.border import first_line
from pluto_duck_backend.app.core.warehouse.quoting import literal

DUCKDB_VERSION: str = duckdb.__version__
_ALWAYS = {
    "autoinstall_known_extensions": "false",  # no connection that nobody asked for
    "allocator_background_threads": "true",  # gives freed memory back to the system
}


@dataclass(frozen=True)
class Limit:
    """One of DuckDB's, `setting` is where a user sets it; `value` empty: as DuckDB has it."""

    name: str
    setting: str
    value: str


def opened(path: Path, limits: Iterable[Limit]) -> duckdb.DuckDBPyConnection:
    """Open or create the file. Raises WarehouseBusy, WarehouseUnusable or InvalidInput (a bad limit).

    It is opened with an empty configuration, so that another connection of this process may share it; limits are set
    afterwards.
    """
    connection = _connect(path)
    try:
        for name, value in _ALWAYS.items():
            connection.execute(f"SET GLOBAL {name} = {value}")
        for limit in limits:
            if limit.value:
                _set(connection, limit)
    except BaseException:
        connection.close()
        raise
    return connection


def _set(connection: duckdb.DuckDBPyConnection, limit: Limit) -> None:
    try:
        connection.execute(f"SET GLOBAL {limit.name} = {literal(limit.value)}")
    except duckdb.Error as error:
        raise InvalidInput(
            f"{limit.setting}={limit.value!r} is not usable: {first_line(error)}",
            code="bad_setting",
            hint="See query.* in docs/settings.md; sizes are written 4GB or 500MB.",
        ) from error


def _connect(path: Path) -> duckdb.DuckDBPyConnection:
    """A file that is made here can be read by every DuckDB that may be installed; one that is there stays as it is."""
    newer = int(DUCKDB_VERSION.split(".")[0]) >= 2  # whose own form of files those before it cannot read
    try:
        return duckdb.connect(str(path), config={"storage_compatibility_version": "v1.5.0"} if newer else {})
    except duckdb.Error as error:
        raise cannot_open(path, error) from error


def cannot_open(path: Path, error: duckdb.Error) -> PlutoDuckError:
    """What is told of a file that DuckDB does not open, with the next step."""
    text = str(error).casefold()
    if "could not set lock" in text or "conflicting lock" in text:
        return WarehouseBusy(
            f"Another program holds the warehouse {path}: {first_line(error)}",
            hint="Close that program, or point --root at another folder.",
            retryable=True,
        )
    code, hint = next((told for words, told in _UNUSABLE.items() if words in text), _UNUSABLE[""])
    return WarehouseUnusable(
        f"The warehouse {path} cannot be opened: {first_line(error)}", code=code, hint=hint.format(path=path)
    )


_RESTORE = (
    "Restore it from a backup; or move it away to start anew: mv {path} {path}.broken, then load your sources again."
)
_UNUSABLE = {
    "version number": (
        "warehouse_newer",
        f"It was written by a newer DuckDB than {DUCKDB_VERSION}: pip install --upgrade duckdb; nothing was changed.",
    ),
    "not a valid duckdb database file": ("warehouse_corrupt", _RESTORE),
    "corrupt": ("warehouse_corrupt", _RESTORE),
    "could not read enough bytes": ("warehouse_corrupt", _RESTORE),
    "permission denied": ("warehouse_unusable", "Mend its permissions: you must be able to read and write {path}."),
    "is a directory": ("warehouse_unusable", "Move the folder {path} away."),
    "": ("warehouse_unusable", "Check that it is a DuckDB file of this version and that you may read and write it."),
}
#   what DuckDB says, in lower case, to our code and the next step


def extensions() -> dict[str, bool]:
    """DuckDB's extensions that are on this machine, and whether each is built in."""
    with duckdb.connect(":memory:") as connection:
        rows = connection.execute(
            "SELECT extension_name, install_mode = 'STATICALLY_LINKED' OR install_path = '(BUILT-IN)' "
            "FROM duckdb_extensions() WHERE installed OR loaded ORDER BY 1"
        ).fetchall()
    return {str(name): bool(is_built_in) for name, is_built_in in rows}
