"""How texts of a large file are stored: DuckDB tries every way for each column, of which a dictionary takes it longest.

The loader asks. What must stay true: a way is chosen beforehand only where DuckDB would come to the same one: texts
that stand near each other nearly all differ, so that a dictionary has nothing to name twice.
"""

from __future__ import annotations

from collections.abc import Sequence

from pluto_duck_backend.app.core.warehouse import Session, quote

_FIRST = 20_480  # rows looked at; a dictionary knows fewer
_FEWEST = 10_000  # texts among them
_MOST = 0.9
_LONGEST = 1_000  # bytes
_COLUMNS = 100  # of text at most, to keep looking cheap


def columns_of(session: Session, select: str, columns: Sequence[tuple[str, str]]) -> list[str] | None:
    """Definitions of the columns, one at least with its way of storing; None where DuckDB is to choose them all."""
    texts = [name for name, kind in columns if kind == "VARCHAR"]
    if not texts or len(texts) > _COLUMNS or _is_of_another_version(session):
        return None
    tests = ", ".join(map(_differs, texts))
    found = session.row(f"SELECT {tests} FROM (SELECT * FROM ({select}) LIMIT {_FIRST})") or ()
    different = {name for name, differs in zip(texts, found, strict=True) if differs}
    ways = ((name, kind, " USING COMPRESSION fsst" if name in different else "") for name, kind in columns)
    return [f"{quote(name)} {kind}{way}" for name, kind, way in ways] if different else None


def _differs(name: str) -> str:
    text = quote(name)
    is_much = f"count({text}) >= {_FEWEST} AND max(strlen({text})) <= {_LONGEST}"
    return f"coalesce({is_much} AND count(DISTINCT {text}) >= {_MOST} * count({text}), false)"


def _is_of_another_version(session: Session) -> bool:
    """Files of later versions, which nobody gets unasked, store texts in another way."""
    row = session.row("SELECT tags['storage_version'] FROM duckdb_databases() WHERE database_name = current_database()")
    return not row or not str(row[0]).startswith("v1.0")
