"""The border that DuckDB's errors cross: none of its exceptions leaves, each becomes one of ours, `raise … from`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import duckdb

from pluto_duck_backend.app.core.errors import (
    Cancelled,
    Conflict,
    EnvironmentFault,
    InternalFault,
    PlutoDuckError,
    QueryFailed,
    WarehouseUnusable,
)

_INTERRUPTED = "Query interrupted"
"""What DuckDB says of a Ctrl-C, from 2.0 on without its cause."""


@contextlib.contextmanager
def border() -> Iterator[None]:
    """Turn DuckDB's exceptions into ours, and what it makes of a Ctrl-C back into that."""
    try:
        yield
    except duckdb.Error as error:
        raise translate(error) from error
    except RuntimeError as error:
        if isinstance(error.__cause__, KeyboardInterrupt) or str(error) == _INTERRUPTED:
            raise KeyboardInterrupt from error
        raise


def translate(error: duckdb.Error) -> PlutoDuckError:
    """Our error for one of DuckDB's; a class that is not listed is a failed query."""
    message = str(error)
    if "No space left on device" in message:
        return EnvironmentFault(message, code="disk_full", hint="Free some space; nothing was changed.", retryable=True)
    if isinstance(error, duckdb.TransactionException) and "onflict" in message:
        hint = "Two writers changed the same table, and nothing of this one was kept. Do it again."
        return Conflict(message, code="write_conflict", hint=hint, retryable=True)
    for kind, (ours, code, hint) in _TRANSLATIONS.items():
        if isinstance(error, kind):
            return ours(message, code=code, hint=hint)
    return QueryFailed(message, code="query_failed")


def first_line(error: BaseException) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__


_TRANSLATIONS: dict[type[duckdb.Error], tuple[type[PlutoDuckError], str, str]] = {
    duckdb.InterruptException: (Cancelled, "cancelled", ""),
    duckdb.OutOfMemoryException: (
        QueryFailed,
        "out_of_memory",
        "Ask for less at once, or raise query.memory_limit.",
    ),
    duckdb.ParserException: (QueryFailed, "syntax_error", "Check the SQL near the place named."),
    duckdb.SyntaxException: (QueryFailed, "syntax_error", "Check the SQL near the place named."),
    duckdb.BinderException: (QueryFailed, "binder_error", "`pluto-duck schema` lists tables and columns."),
    duckdb.CatalogException: (QueryFailed, "unknown_name", "`pluto-duck schema` lists tables and columns."),
    duckdb.ConversionException: (
        QueryFailed,
        "conversion_error",
        "TRY_CAST gives NULL where a value does not fit.",
    ),
    duckdb.ConstraintException: (QueryFailed, "constraint_violated", ""),
    duckdb.PermissionException: (QueryFailed, "not_permitted", ""),
    duckdb.IOException: (EnvironmentFault, "io_error", "Check the disk's space and the file's permissions."),
    duckdb.FatalException: (
        WarehouseUnusable,
        "warehouse_fatal",
        "Restart; the last committed state is kept.",
    ),
    duckdb.InternalException: (
        InternalFault,
        "duckdb_internal",
        "This is a bug of DuckDB's; please report the query.",
    ),
}
