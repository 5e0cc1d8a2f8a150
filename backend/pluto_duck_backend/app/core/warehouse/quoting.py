"""Names and texts as DuckDB's SQL writes them."""

from __future__ import annotations


def quote(identifier: str) -> str:
    """`identifier` as DuckDB quotes it: `my "x"` becomes `"my ""x\"""`."""
    return '"' + identifier.replace('"', '""') + '"'


def literal(text: str) -> str:
    """`text` as an SQL string literal."""
    return "'" + text.replace("'", "''") + "'"
