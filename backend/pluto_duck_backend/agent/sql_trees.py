"""SQL as sqlglot's syntax trees, parsed once: a reply is looked at when it is read, repaired, and its result drawn.

What must stay true: a tree belongs to everybody who asks, so whoever changes one copies it first. What is harmless is
not judged by these trees but by DuckDB's own (`services/execution/guard`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import exp

DUCKDB = "duckdb"
_LONGEST_KEPT = 20_000
#   characters: a tree takes many times the room of its text
Trees = tuple["exp.Expr | None", ...]
TRIPS = (RecursionError, AttributeError, LookupError, TypeError, ValueError)
#   what sqlglot raises beside its own errors, over deep nests and functions of more or fewer arguments than it knows


def trees(sql: str, dialect: str = DUCKDB) -> Trees:
    """The statements of `sql` in a dialect; empty where it is none."""
    return _kept(sql, dialect) if len(sql) <= _LONGEST_KEPT else _parsed(sql, dialect)


def _parsed(sql: str, dialect: str) -> Trees:
    import sqlglot
    from sqlglot.errors import SqlglotError

    try:
        return tuple(sqlglot.parse(sql, read=dialect))
    except (SqlglotError, *TRIPS):
        return ()


_kept = lru_cache(maxsize=256)(_parsed)
