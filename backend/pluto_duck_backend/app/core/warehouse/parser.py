"""DuckDB's own parser, which is the judge of what a text means: syntax trees, and SQL of them.

It runs on in-memory instances of its own that hold nothing and may reach nothing.
"""

from __future__ import annotations

import re
from collections import deque
from functools import cache
from typing import Any, cast

import duckdb
import orjson

from pluto_duck_backend.app.core.errors import QueryFailed
from pluto_duck_backend.app.core.warehouse.border import border
from pluto_duck_backend.app.core.warehouse.quoting import literal

_NO_NUMBER = re.compile(r'"value":-?(?:Infinity|NaN|inf|nan)\b')


def serialize(sql: str) -> dict[str, Any]:
    """DuckDB's own syntax tree of `sql`: `{"error": false, "statements": […]}`.

    Raises QueryFailed with DuckDB's message where it is not a serializable SELECT. Runs on an in-memory
    instance of its own that holds nothing and may reach nothing.
    """
    text = _on_parser(f"SELECT json_serialize_sql({literal(sql)})")
    try:
        tree = cast(dict[str, Any], orjson.loads(text))
    except orjson.JSONDecodeError as error:
        raise _unreadable(text) from error
    if tree.get("error"):
        raise QueryFailed(str(tree.get("error_message", "not a SELECT statement")), code="not_a_select")
    return tree


def _unreadable(text: str) -> QueryFailed:
    """Why a syntax tree is no JSON: a number in it has none, or DuckDB broke off where it is too deep."""
    if _NO_NUMBER.search(text):
        return QueryFailed("A number in the SQL is too large for a DOUBLE.", code="number_too_large")
    return QueryFailed("The SQL is nested too deep.", code="sql_too_deep")


def deserialize(tree: dict[str, Any]) -> str:
    """SQL of a tree that `serialize` gave, perhaps changed since. Raises QueryFailed where DuckDB cannot read it."""
    return _on_parser(f"SELECT json_deserialize_sql({literal(orjson.dumps(tree).decode())}::JSON)")


def tokenize(sql: str) -> list[tuple[int, str]]:
    """`(first byte, kind)` of each of DuckDB's tokens; kinds: keyword, identifier, operator, string_const, …"""
    return [(place, _kind_of(kind)) for place, kind in duckdb.tokenize(sql)]


@cache
def _kind_of(token: Any) -> str:
    return str(getattr(token, "name", token)).rsplit(".", 1)[-1]


_parsers: deque[duckdb.DuckDBPyConnection] = deque()
#   those nobody uses now; a text goes in as a literal, since for a parameter DuckDB looks for packages on disk


def _on_parser(sql: str) -> str:
    with border():
        try:
            parser = _parsers.pop()
        except IndexError:
            parser = _sealed_connection()
        row = parser.execute(sql).fetchone()
        _parsers.append(parser)
    return str(row[0]) if row else ""


def _sealed_connection() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(":memory:")
    for name, value in (("enable_external_access", "false"), ("python_enable_replacements", "false"), ("threads", "1")):
        connection.execute(f"SET {name} = {value}")
    connection.execute("PRAGMA disable_optimizer")  # it takes longer than the parser, for one call of a function
    return connection
