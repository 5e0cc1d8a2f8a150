"""What of a sheet's rows is title, header, data, closing remark: as for delimited text, whose rules are asked.

The Excel connector uses it. What must stay true: what is left out is told in the notes.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pluto_duck_backend.app.services.ingestion.connectors import csv_header
from pluto_duck_backend.app.services.ingestion.connectors.csv_footers import Footers
from pluto_duck_backend.app.services.ingestion.connectors.csv_totals import is_label, is_total_of

_CLOSING = 20  # rows at most that close a sheet
_DIGITS = 10  # of a number that were not lost when a formula computed it

Row = Sequence[Any]
#   values as the workbook has them; an empty cell is ""


@dataclass(frozen=True)
class Sheet:
    """Names as written (empty: none), units of the columns (none: empty), the rows of data, notes."""

    names: Sequence[str]
    units: Sequence[str]
    rows: Sequence[Row]
    notes: tuple[str, ...]


def sheet_of(rows: Sequence[Row], apart: Sequence[int] = ()) -> Sheet:
    """`rows` have the same width; none is empty, and those `apart` stand below an empty one."""
    texts = [[text_of(cell) for cell in row] for row in rows]
    start = _first_row(texts)
    found = csv_header.header_of(texts[start:])
    names = found.names or (texts[start] if found.rows else [""] * len(texts[start]))
    body, left_out = _without_closing(rows[start + found.rows :], texts[start + found.rows :])
    notes = [f"rows skipped above the header: {start}"] if start else []
    notes += [f"rows skipped below the table: {' / '.join(left_out)[:200]}"] if left_out else []
    first = start + found.rows
    second = csv_header.second_table(texts[first:], [i - first for i in apart if i > first], names)
    return Sheet(names, found.units, body, (*notes, *found.notes, *csv_header.told_second(second)))


def text_of(cell: Any) -> str:
    """A cell as it would be written in a text file."""
    if isinstance(cell, float) and not isinstance(cell, bool):
        return str(int(cell)) if cell.is_integer() else f"{cell:.{_DIGITS}g}"
    return cell.isoformat() if isinstance(cell, dt.date | dt.time) else str(cell)


def _first_row(texts: Sequence[Sequence[str]]) -> int:
    """The first row that fills at least half of the columns, titles above it fill fewer; or the groups above that."""
    filled = [sum(map(bool, row)) for row in texts]
    width = max(filled[:50])
    start = next(i for i, count in enumerate(filled) if 2 * count >= width and count >= min(width, 2))
    has_groups = start > 0 and filled[start - 1] > 1
    return start - 1 if has_groups and csv_header.header_of(texts[start - 1 :]).rows > 1 else start


def _without_closing(rows: Sequence[Row], texts: Sequence[Sequence[str]]) -> tuple[Sequence[Row], list[str]]:
    """The rows without totals and remarks at their end, and these."""
    footers, left_out, end = Footers(texts), list[str](), len(texts)
    while end > 1 and len(texts) - end < _CLOSING and _closes(texts[end - 1], texts[: end - 1], footers):
        end -= 1
        left_out.insert(0, " ".join(filter(None, texts[end])))
    return rows[:end], left_out


def _closes(row: Sequence[str], before: Sequence[Sequence[str]], footers: Footers) -> bool:
    return footers.is_one(row, is_apart=False) or (any(map(is_label, row[:3])) and is_total_of(row, before))
