"""What the warehouse holds under a name. DuckDB is asked to bind it: its lists of tables go through attached databases,
which costs a server's whole catalog.

What must stay true: a name that nothing has is no error here, and leaves the transaction as it was.
"""

from __future__ import annotations

from pluto_duck_backend.app.core.warehouse import Session, literal
from pluto_duck_backend.app.services.ingestion.names import Target

_NOTHING = ("catalog", "binder")
#   the kinds of errors that say so


def columns_of(session: Session, target: Target) -> list[str]:
    """The names of its columns; none where there is neither a table nor a view."""
    if not _binds(session, target.sql_from):
        return []
    return [str(row[0]) for row in session.rows(f"DESCRIBE {target.sql_from}")]


def is_view(session: Session, target: Target) -> bool:
    """Whether there is a view: rows of a table have an identity, which DuckDB calls `rowid`."""
    return _binds(session, target.sql_from) and not _binds(session, f"SELECT rowid {target.sql_from}")


def _binds(session: Session, query: str) -> bool:
    """Whether DuckDB finds all that `query` names. It writes down the plan, or the error: one that is raised would end
    the transaction from DuckDB 2.0 on."""
    sql = f"SELECT json_extract_string(json_serialize_plan({literal(query)}), '$.error_type')"
    return session.rows(sql)[0][0] not in _NOTHING
