"""The one room that opens DuckDB, and the border its errors cross. Services and the agent come here for sessions.

    opening ─▶ database (one file, open) ─▶ sessions: read · write · guest ══ border ══▶ DuckDB
                  └─ changes: what is counted of writes        parser: DuckDB's own syntax trees

What must stay true: nobody else imports duckdb, and none of its exceptions leaves.
"""

from pluto_duck_backend.app.core.warehouse.border import translate
from pluto_duck_backend.app.core.warehouse.changes import DEFINITIONS
from pluto_duck_backend.app.core.warehouse.database import Warehouse
from pluto_duck_backend.app.core.warehouse.opening import DUCKDB_VERSION, extensions
from pluto_duck_backend.app.core.warehouse.parser import deserialize, serialize, tokenize
from pluto_duck_backend.app.core.warehouse.quoting import literal, quote
from pluto_duck_backend.app.core.warehouse.sessions import Guest, Session, Writing

__all__ = [
    "DEFINITIONS",
    "DUCKDB_VERSION",
    "Guest",
    "Session",
    "Warehouse",
    "Writing",
    "deserialize",
    "extensions",
    "literal",
    "quote",
    "serialize",
    "tokenize",
    "translate",
]
