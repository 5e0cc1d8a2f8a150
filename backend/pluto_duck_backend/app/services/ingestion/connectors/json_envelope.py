"""One JSON object around the rows, as services answer: `{"status": "ok", "data": [{…}, {…}]}`.

The JSON connector asks. What must stay true: an object is opened only where it is the only one of the file and holds
one list of objects, alone or under a name that says that these are the rows; what is left out is told.
"""

from __future__ import annotations

from pluto_duck_backend.app.core.warehouse import Session, quote

_ROWS = {"data", "results", "result", "records", "rows", "features", "value", "values", "entries", "documents", "hits"}


def opened(session: Session, sql: str) -> tuple[str, tuple[str, ...]]:
    """The SELECT over the rows within the object that `sql` reads, or `sql` itself; and what is to be told."""
    columns = [(str(row[0]), str(row[1])) for row in session.rows(f"DESCRIBE {sql}")]
    lists = [name for name, kind in columns if kind.endswith("]")]
    others = [name for name, _ in columns if name not in lists]
    is_of_objects = any(kind.startswith("STRUCT") and kind.endswith(")[]") for name, kind in columns if name in lists)
    if len(lists) != 1 or not is_of_objects or (others and lists[0].casefold() not in _ROWS):
        return sql, ()
    row = session.row(f"SELECT count(*), max(len({quote(lists[0])})) FROM (SELECT * FROM ({sql}) LIMIT 2)")
    if not row or row[0] != 1 or not row[1]:
        return sql, ()
    left_out = f"; left out: {', '.join(others)[:200]}" if others else ""
    rows = f"SELECT unnest({quote(lists[0])}) AS r FROM ({sql})"
    return f"SELECT unnest(r) FROM ({rows})", (f"its rows are the {row[1]:,} objects in {lists[0]!r}{left_out}",)
