"""Where an incremental load begins: the cursor's stored position, ties at its boundary, rows that come late.

The loader asks. What must stay true: a row at the boundary or within the look-back is read again and added only where
the table lacks it, so that reading from an older position than needed never doubles a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pluto_duck_backend.app.core.errors import InvalidInput, QueryFailed, did_you_mean
from pluto_duck_backend.app.core.warehouse import Session, literal, quote
from pluto_duck_backend.app.services.ingestion.contract import Since
from pluto_duck_backend.app.services.ingestion.names import Target


@dataclass(frozen=True)
class Position:
    """How far a table has been read: `value` is the greatest `cursor` so far, as text of `type`; None: nothing yet."""

    cursor: str
    type: str
    value: str | None

    @classmethod
    def of_entry(cls, entry: dict[str, Any], cursor: str) -> Position | None:
        """The stored position for this cursor, if the entry of the ingestion catalog has one."""
        state = entry.get("state")
        if not state or state["cursor"].casefold() != cursor.casefold():
            return None
        return cls(state["cursor"], state["type"], state["value"])

    def to_dict(self) -> dict[str, Any]:
        return {"cursor": self.cursor, "type": self.type, "value": self.value}

    @property
    def sql(self) -> str:
        return f"CAST({literal(self.value or '')} AS {self.type})"


def cursor_column(cursor: str, columns: Sequence[str], origin: str) -> str:
    """The column called `cursor`, as the source spells it. Raises InvalidInput."""
    for name in columns:
        if name.casefold() == cursor.casefold():
            return name
    raise InvalidInput(
        f"{origin} has no column {cursor!r}: {', '.join(columns[:20])}. {did_you_mean(cursor, columns)}".rstrip(),
        code="unknown_column",
        hint="Name a column of the source; --table picks one table of a database.",
    )


def current(session: Session, target: Target, position: Position, where: str = "") -> Position:
    """The greatest cursor in the table (or in `where`, a FROM clause), never below `position`."""
    column = quote(position.cursor)
    row = session.row(f"SELECT CAST(max({column}) AS VARCHAR), any_value(typeof({column})) {where or target.sql_from}")
    value, kind = (row[0], row[1] or position.type) if row else (None, position.type)
    if value is None or (position.value is not None and _is_less(session, value, position)):
        return position
    return Position(position.cursor, str(kind), value)


def _is_less(session: Session, value: str, position: Position) -> bool:
    row = session.row(f"SELECT CAST({literal(value)} AS {position.type}) < {position.sql}")
    return bool(row and row[0])


def since(session: Session, position: Position, look_back: str | None) -> Since:
    """What is read again, and from there on. Raises InvalidInput for a look-back that does not fit the type."""
    if not look_back:
        return Since(position.cursor, position.value or "", position.type)
    step = look_back if _is_number(look_back) else f"INTERVAL {literal(look_back)}"
    try:
        row = session.row(f"SELECT CAST(CAST({position.sql} - {step} AS {position.type}) AS VARCHAR)")
    except QueryFailed as error:
        raise InvalidInput(
            f"A look-back of {look_back!r} does not fit the cursor {position.cursor} of type {position.type}.",
            code="bad_look_back",
            hint="A number for a numeric cursor, a time such as '2 days' or '6 hours' for one of dates or timestamps.",
        ) from error
    return Since(position.cursor, str(row[0]) if row else "", position.type)


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()


def window(column: str, since: Since) -> str:
    """The condition of rows to read: from there on, and those without a cursor, whose place nobody knows."""
    return f"({quote(column)} >= CAST({literal(since.value)} AS {since.type}) OR {quote(column)} IS NULL)"


def lacking(staged: str, target: Target, common: Sequence[str], condition: str) -> str:
    """The rows of `staged` that the table lacks within `condition`; a row that is twice in both is in neither."""
    names = ", ".join(quote(each) for each in common)
    same = " AND ".join(f"n.{quote(each)} IS NOT DISTINCT FROM t.{quote(each)}" for each in common)
    return (
        f"SELECT n.* EXCLUDE (_nth) FROM (SELECT *, row_number() OVER (PARTITION BY {names}) AS _nth FROM {staged}) n"
        f" LEFT JOIN (SELECT {names}, count(*) AS _times FROM {target.sql} WHERE {condition} GROUP BY ALL) t ON {same}"
        " WHERE n._nth > coalesce(t._times, 0)"
    )
