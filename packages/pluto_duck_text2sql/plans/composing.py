"""Parts as one statement: whoever runs the last part by itself needs no part to be stored anywhere."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pluto_duck_text2sql.language.patterns import Pattern

_WITH = Pattern(r"\s*WITH\s+(RECURSIVE\s+)?", re.IGNORECASE)


def composed(sql: str, parts: Mapping[str, str]) -> str:
    """`sql` with those of the `parts` (name to complete SQL) that it names, as common table expressions."""
    named = {name: part for name, part in parts.items() if is_named(name, sql)}
    if not named:
        return sql
    tables = ",\n".join(f"{name} AS (\n{part}\n)" for name, part in named.items())
    own = _WITH.match(sql)
    if own:
        return f"WITH {own[1] or ''}{tables},\n{sql[own.end() :]}"
    return f"WITH {tables}\n{sql}"


def is_named(name: str, text: str) -> bool:
    """Whether a word of `text` is `name`."""
    return re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE) is not None


def quoted(name: str) -> str:
    """A column's name as SQL."""
    return '"' + name.replace('"', '""') + '"'


def with_columns(sql: str, *names: str) -> str:
    """The query's rows, its columns (as many as `names`) under these names."""
    return f"SELECT * FROM (\n{sql}\n) AS listed({', '.join(map(quoted, names))})"
