"""Where an incremental load begins: the cursor's stored position, ties at its boundary, rows that come late.

The loader asks. What must stay true: a row at the boundary or within the look-back is read again and added only where
the table lacks it, so that reading from an older position than needed never doubles a row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pluto_duck_backend.app.core.errors import InvalidInput, QueryFailed, did_you_mean
from pluto_duck_backend.app.core.warehouse import Session, literal, quote
from pluto_duck_backend.app.services.ingestion.contract import Since
from pluto_duck_backend.app.services.ingestion.names import Target


@dataclass(frozen=True)
class Position:
    """How far a table has been read: `value` is the greatest `cursor` so far, as text of `type`; None: nothing yet.

    `read` are the files that were read, by their marks, see `marks`.
    """

    cursor: str
    type: str
    value: str | None
    read: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_entry(cls, entry: dict[str, Any], cursor: str) -> Position | None:
        """The stored position for this cursor, if the entry of the ingestion catalog has one."""
        state = entry.get("state")
        if not state or state["cursor"].casefold() != cursor.casefold():
            return None
        return cls(state["cursor"], state["type"], state["value"], entry.get("read") or {})

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


def current(session: Session, target: Target, position: Position) -> Position:
    """The greatest cursor in the table, never below `position`."""
    column = quote(position.cursor)
    further = "" if position.value is None else f" WHERE {column} >= {position.sql}"
    row = session.row(f"SELECT CAST(max({column}) AS VARCHAR), any_value(typeof({column})) {target.sql_from}{further}")
    return Position(position.cursor, str(row[1]), row[0]) if row and row[0] is not None else position


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


def window(column: str, since: Since, *, is_alike: bool = True) -> str:
    """The condition of rows to read: from there on, and those without a cursor, whose place nobody knows.

    Where the column's type is not `is_alike` to the cursor's, its values are taken for ones of that.
    """
    cursor = quote(column) if is_alike else f"TRY_CAST({quote(column)} AS {since.type})"
    return f"({cursor} >= {_value(since)} OR {quote(column)} IS NULL)"


def tied(column: str, since: Since, *, keyed: bool) -> str:
    """The condition of rows that may be one of those at `since` again, or where `keyed` have the key of such a one."""
    is_unknown = f" OR {quote(column)} IS NULL" if keyed else ""
    return f"(TRY_CAST({quote(column)} AS {since.type}) <= {_value(since)}{is_unknown})"


def lacking(staged: str, target: Target, common: Sequence[str], since: Since | None, cursor: str, kind: str) -> str:
    """The rows of `staged` that the table lacks in the window of `since`; a row that is twice in both is in neither.

    Those beyond all that the table holds are new and need no comparing; `kind` is the type of its `cursor`. Without
    `since` the window is all. The conditions stand alone, since DuckDB leaves out what it need not read of a table for
    each of them, and not for one OR the other.
    """
    column, names = quote(cursor), ", ".join(quote(each) for each in common)
    start = f"{column} >= {_value(since)}" if since else f"{column} IS NOT NULL"
    rows = f"SELECT {names} FROM {target.sql} WHERE"
    beyond = f"coalesce(CAST({column} AS {kind}) > (SELECT max({column}) FROM {target.sql} WHERE {start}), false)"
    same = " AND ".join(f"n.{quote(each)} IS NOT DISTINCT FROM t.{quote(each)}" for each in common)
    nth = f"row_number() OVER (PARTITION BY {names}) AS _nth"
    return (
        f"SELECT * FROM {staged} WHERE {beyond} UNION ALL"
        f" SELECT n.* EXCLUDE (_nth) FROM (SELECT *, {nth} FROM {staged} WHERE NOT {beyond}) n"
        f" LEFT JOIN (SELECT {names}, count(*) AS _times"
        f" FROM ({rows} {start} UNION ALL {rows} {column} IS NULL) GROUP BY ALL) t ON {same}"
        " WHERE n._nth > coalesce(t._times, 0)"
    )


def _value(since: Since) -> str:
    return f"CAST({literal(since.value)} AS {since.type})"
