"""What the warehouse holds under a name. DuckDB is asked to bind it: its lists of tables go through attached databases,
which costs a server's whole catalog.

What must stay true: a name that nothing has is no error here, and leaves the transaction as it was.
"""

from __future__ import annotations

from pluto_duck_backend.app.core.errors import QueryFailed
from pluto_duck_backend.app.core.warehouse import Session
from pluto_duck_backend.app.services.ingestion.names import Target

_NOTHING = ("unknown_name", "binder_error")
#   the codes of errors that say so


def columns_of(session: Session, target: Target) -> list[str]:
    """The names of its columns; none where there is neither a table nor a view."""
    return _described(session, target.sql_from)


def is_view(session: Session, target: Target) -> bool:
    """Whether there is a view: rows of a table have an identity, which DuckDB calls `rowid`."""
    is_there = bool(columns_of(session, target))
    return is_there and not _described(session, f"SELECT rowid {target.sql_from}")


def _described(session: Session, query: str) -> list[str]:
    try:
        return [str(row[0]) for row in session.rows(f"DESCRIBE {query}")]
    except QueryFailed as error:
        if error.code not in _NOTHING:
            raise
        return []
