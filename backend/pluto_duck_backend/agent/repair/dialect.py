"""SQL of any common dialect as a syntax tree of DuckDB's.

Which dialect a model wrote is not known, so each that can read the text is offered, the likeliest first; whoever asks
keeps the one that DuckDB accepts. sqlglot is loaded with the first question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pluto_duck_backend.agent.sql_trees import DUCKDB, TRIPS, trees

if TYPE_CHECKING:
    from sqlglot import exp

_SHOWN = {
    "duckdb": "DuckDB",
    "postgres": "PostgreSQL",
    "mysql": "MySQL",
    "sqlite": "SQLite",
    "bigquery": "BigQuery",
    "tsql": "SQL Server",
    "snowflake": "Snowflake",
    "oracle": "Oracle",
}
_CUES = (
    ("tsql", r"\[\w[\w ]*\]|\bTOP\s*\(?\s*\d|\bGETDATE\s*\(|\bISNULL\s*\([^)]*,|\bDATEADD\s*\("),
    ("mysql", r"`|\bDATE_FORMAT\s*\(|\bCURDATE\s*\(|\bLIMIT\s+\d+\s*,|\bGROUP_CONCAT\s*\(|\bSTR_TO_DATE"),
    ("bigquery", r"\bSAFE_\w+|`[\w-]+\.[\w.-]+`|\bDATE_TRUNC\s*\([^,']+,\s*[A-Z]+\)|\bSTRUCT\s*\(|\bINT64\b"),
    ("oracle", r"\bNVL2?\s*\(|\bROWNUM\b|\bFROM\s+DUAL\b|\bTO_CHAR\s*\(|\bSYSDATE\b"),
)
_QUOTED = re.compile(r"('(?:[^']|'')*')|\"((?:[^\"`]|\"\")*)\"")
_TEXT_IN_QUOTES = ("mysql", "bigquery")
#   there "Germany" is a text; a name that does not exist must not become one unseen, so it stays a name


def shown(dialect: str) -> str:
    """The dialect's name for people."""
    return _SHOWN[dialect]


def readings(sql: str) -> Iterator[tuple[str, exp.Expr]]:
    """`(dialect, tree)` of each dialect that reads `sql` as one query, without two that read it the same."""
    seen: set[str] = set()
    for dialect in _likeliest(sql):
        tree = parse(sql, dialect)
        written = write(tree) if tree is not None else ""
        if tree is not None and written and written not in seen:
            seen.add(written)
            yield dialect, tree


def write(tree: exp.Expr) -> str:
    """The tree as DuckDB's SQL; empty where something of it would be lost, or it cannot be written."""
    from sqlglot import ErrorLevel
    from sqlglot.errors import SqlglotError

    try:
        return tree.sql(DUCKDB, unsupported_level=ErrorLevel.RAISE)
    except (SqlglotError, *TRIPS):
        return ""


def parse(sql: str, dialect: str = DUCKDB) -> exp.Expr | None:
    """The one query that `sql` is in a dialect, as DuckDB would have it written; None where it is none."""
    from sqlglot import exp

    found = trees(_QUOTED.sub(_as_name, sql) if dialect in _TEXT_IN_QUOTES else sql, dialect)
    if len(found) != 1 or not isinstance(found[0], exp.Query):
        return None
    if dialect == DUCKDB:
        return found[0].copy()
    written = write(found[0])
    again = trees(written) if written else ()
    return again[0].copy() if again and again[0] else None


def parses(sql: str) -> bool:
    """Whether any dialect reads `sql` as a statement."""
    return any(_is_statement(sql, dialect) for dialect in (DUCKDB, "mysql", "tsql"))


def _is_statement(sql: str, dialect: str) -> bool:
    from sqlglot import exp

    found = trees(sql, dialect)
    return len(found) == 1 and isinstance(found[0], exp.Query | exp.DML | exp.DDL | exp.Command | exp.Drop)


def _likeliest(sql: str) -> list[str]:
    cued = [dialect for dialect, cue in _CUES if re.search(cue, sql, re.IGNORECASE)]
    order = dict.fromkeys([DUCKDB, *cued, "postgres", "sqlite", "mysql", "bigquery", "tsql", "snowflake", "oracle"])
    return [each for each in order if each not in _TEXT_IN_QUOTES or "||" not in sql]  # MySQL: `a || b` is OR


def _as_name(found: re.Match[str]) -> str:
    return found[1] or f"`{found[2]}`"
