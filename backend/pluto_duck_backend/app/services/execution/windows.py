"""A window onto a kept result: some rows of millions, sorted and filtered where they lie.

The page's grid scrolls through it, so that a browser never holds more than it shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pluto_duck_backend.app.core.errors import InvalidInput, did_you_mean
from pluto_duck_backend.app.core.warehouse import Session, literal, quote
from pluto_duck_backend.app.services.execution.results import Column, json_rows, stored_names


@dataclass(frozen=True)
class Window:
    """Which rows: `limit` from `offset` on, of those that hold the text `filter`, by the column `sort`."""

    offset: int = 0
    limit: int = 200
    sort: str = ""
    descending: bool = False
    filter: str = ""


def look(session: Session, path: Path, columns: Sequence[Column], window: Window) -> dict[str, Any]:
    """`{rows, row_count}`: the rows, and how many there are behind the filter. Raises InvalidInput."""
    names = stored_names(columns)
    source = f"read_parquet({literal(str(path))}){_where(names, window.filter)}"
    count = session.row(f"SELECT count(*) FROM {source}")
    sql = f"SELECT * FROM {source}{_order(names, window)} LIMIT {int(window.limit)} OFFSET {int(window.offset)}"
    return {"rows": json_rows(session.rows(sql), columns), "row_count": count[0] if count else 0}


def _where(names: Sequence[str], text: str) -> str:
    """Rows where any cell, as text, holds `text` in any case."""
    if not text:
        return ""
    wanted = literal(text.casefold())
    return " WHERE " + " OR ".join(f"contains(lower(CAST({quote(name)} AS VARCHAR)), {wanted})" for name in names)


def _order(names: Sequence[str], window: Window) -> str:
    if not window.sort:
        return ""
    if window.sort not in names:
        near = did_you_mean(window.sort, names)
        raise InvalidInput(
            f"The result has no column {window.sort!r}. Columns: {', '.join(names)}. {near}".rstrip(),
            code="unknown_column",
        )
    return f" ORDER BY {quote(window.sort)} {'DESC' if window.descending else 'ASC'} NULLS LAST"
