"""What of a source could not be read: put aside with its place and the reason, counted, limited.

Connectors hand rejects out with a table, the loader writes them beside it as `<table>_rejects`. What must stay true: a
row is in the table or in its rejects, and a load with more rejects than allowed fails and names the first of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.core.warehouse import Session, literal
from pluto_duck_backend.app.services.ingestion import existing
from pluto_duck_backend.app.services.ingestion.names import Target

_COLUMNS = ("source", "line", "column", "reason", "text")
_TYPES = ("VARCHAR", "BIGINT", "VARCHAR", "VARCHAR", "VARCHAR")
_TEXT = 10_000  # characters kept of a rejected row
_AT_ONCE = 500


@dataclass(frozen=True)
class Reject:
    """A row that was put aside: `line` counts from 1 in the file as the user has it."""

    source: str
    line: int
    column: str | None
    reason: str
    text: str

    @property
    def sentence(self) -> str:
        text = f": {self.text.strip()[:200]}" if self.text.strip() else ""
        return f"{self.source}, line {self.line}: {self.reason}{text}"


def check_limit(rejects: Sequence[Reject], rows: int, limit: int) -> None:
    """Raise InvalidInput where more rows were rejected than `limit`, or than were read."""
    if len(rejects) <= min(limit, rows):
        return
    most = f"{limit:,} are allowed" if len(rejects) > limit else f"{rows:,} are not"
    more = f" ({len(rejects):,} rows are unreadable, {most})" if limit else ""
    raise InvalidInput(
        f"{rejects[0].sentence}{more}",
        code="bad_rows",
        hint="Mend that line; nothing was loaded. Or put such rows aside: --max-rejects N.",
    )


def table_of(target: Target) -> Target:
    """Where the rejects of a table go."""
    return Target(target.schema, f"{target.table}_rejects")


def keep(session: Session, target: Target, rejects: Sequence[Reject], *, anew: bool) -> None:
    """Write rejects beside their table; `anew`: those of earlier loads are of no use any more."""
    if not rejects and not anew:
        return
    place = table_of(target)
    there = existing.columns_of(session, place)
    if there and there != list(_COLUMNS):
        place = Target(place.schema, f"{place.table}_of_load")
        there = existing.columns_of(session, place)
    if there and anew:
        session.execute(f"DROP TABLE {place.sql}")
    if not rejects:
        return
    columns = ", ".join(f'"{name}" {kind}' for name, kind in zip(_COLUMNS, _TYPES, strict=True))
    session.execute(f"CREATE TABLE IF NOT EXISTS {place.sql} ({columns})")
    for start in range(0, len(rejects), _AT_ONCE):
        rows = ", ".join(map(_row, rejects[start : start + _AT_ONCE]))
        session.execute(f"INSERT INTO {place.sql} VALUES {rows}")


def _row(reject: Reject) -> str:
    cells = (reject.source, reject.column, reject.reason, reject.text[:_TEXT].replace("\x00", "\ufffd"))
    source, column, reason, text = ("NULL" if each is None else literal(each) for each in cells)
    return f"({source}, {reject.line}, {column}, {reason}, {text})"
