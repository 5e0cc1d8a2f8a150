"""Delimited text with broken rows, taken apart: whole rows into a clean copy, the others put aside.

`csv_files` comes here when DuckDB could not read a file. What must stay true: every line is in the copy, among the
rejects, or among the notes below the table; a quote that is never closed costs its own line, not the rest of the file.
"""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import IO

from pluto_duck_backend.app.services.ingestion.connectors.csv_dialect import Dialect
from pluto_duck_backend.app.services.ingestion.connectors.csv_footers import Footers, is_page_number
from pluto_duck_backend.app.services.ingestion.connectors.csv_header import is_value
from pluto_duck_backend.app.services.ingestion.connectors.csv_totals import calls_itself_total, is_label, is_total_of
from pluto_duck_backend.app.services.ingestion.rejects import Reject

_LONGEST = 200  # lines of one quoted value
_CLOSING = 20  # rows at most that close a file
_NOT_CLOSED = "a quoted value is not closed, or a quote stands inside one"


@dataclass(frozen=True)
class Mended:
    """What was put aside, lines below the table that are no rows of it, the number of rows that are whole."""

    rejects: list[Reject]
    notes: list[str]
    rows: int


@dataclass(frozen=True)
class _Row:
    """A row of the copy: where it begins there, its line in the file; `is_apart`: behind the first blank line."""

    begin: int
    text: str
    line: int
    is_apart: bool


class Mender:
    """Takes one file apart. `too_many` is called as soon as rejects become too many."""

    def __init__(
        self, source: str, dialect: Dialect, names: Sequence[str], too_many: Callable[[list[Reject], int], None]
    ) -> None:
        self._source = source
        self._width = len(names)
        self._names = names
        self._skip = dialect.skip
        self._delimiter = dialect.delimiter
        self._too_many = too_many
        self._waiting: deque[tuple[int, str]] = deque()
        self._rejects: list[Reject] = []
        self._last_row = self._last_blank = self._apart = 0
        self._footers = Footers(dialect.rows[int(dialect.header) :])
        self._closing: deque[_Row] = deque(maxlen=_CLOSING)
        self._header = dialect.first_row if dialect.header and len(names) > 1 else None
        cell = rf'(?:"(?:[^"]|"")*"|[^"{re.escape(dialect.delimiter)}\r\n][^{re.escape(dialect.delimiter)}\r\n]*|)'
        self._cell = re.compile(cell)
        self._row = re.compile(rf"{cell}(?:{re.escape(dialect.delimiter)}{cell})*")
        self._quoted = re.compile(r'"(?:[^"]|"")*"')

    def mend(self, lines: Iterator[str], copy: IO[str], *, header: bool) -> Mended:
        """Write the whole rows (the header with them) to `copy`, which can be read as well."""
        numbered = enumerate(lines, 1)
        rows = 0
        while (first := self._next(numbered)) is not None:
            number, text = first
            if number <= self._skip or not text.strip():
                self._last_blank = number
                continue
            row, reason = self._whole(text, numbered)
            if row is None:
                self._put_aside(Reject(self._source, number, self._column(text), reason, text), rows)
            elif rows and (furniture := self._furniture(row)):
                self._put_aside(Reject(self._source, number, None, furniture, text), rows)
                self._last_row = number
            else:
                self._write(row, number, copy)
                rows += 1
        closing = self._without_closing(copy, rows - header, header=header)
        return Mended(self._rejects, [*closing, *self._notes()], rows - len(closing))

    def _put_aside(self, reject: Reject, rows: int) -> None:
        self._rejects.append(reject)
        self._too_many(self._rejects, rows)

    def _write(self, row: str, number: int, copy: IO[str]) -> None:
        is_apart = bool(self._last_row) and self._last_blank > self._last_row
        self._closing.append(_Row(copy.tell(), row, number, is_apart and not self._apart))
        self._apart += is_apart
        copy.write(row + "\n")
        self._last_row = number

    def _without_closing(self, copy: IO[str], rows: int, *, header: bool) -> list[str]:
        """Take totals and remarks off the end of the copy, which has so many rows; returns them."""
        taken: list[str] = []
        while self._closing and rows - len(taken) > 1:
            last = self._closing[-1]
            is_between = bool(taken) and not last.text.strip(f"{self._delimiter} ")
            if not is_between and not self._is_closing(last, copy, header=header):
                break
            copy.truncate(self._closing.pop().begin)
            taken.insert(0, last.text)
        if taken and self._closing:
            self._last_row = self._closing[-1].line
        return taken

    def _is_closing(self, row: _Row, copy: IO[str], *, header: bool) -> bool:
        """Whether the last row of the copy is a remark, or the sum of those before it that are no sums themselves."""
        cells = next(csv.reader([row.text], delimiter=self._delimiter), [])
        if self._footers.is_one(cells, is_apart=row.is_apart):
            return True
        totals = sum(1 for _ in takewhile(self._is_named_total, reversed(self._closing)))
        if not totals:
            return False
        copy.seek(0)
        rows = csv.reader(copy, delimiter=self._delimiter)
        return is_total_of(cells, _but_last(islice(rows, int(header), None), totals))

    def _is_named_total(self, row: _Row) -> bool:
        return calls_itself_total(row.text, self._delimiter)

    def _furniture(self, row: str) -> str:
        """What a row below the first is that stands on each page; empty for one of the table."""
        if self._is_header(row):
            return "the header once more"
        return "the number of a page" if is_page_number(row, self._delimiter) else ""

    def _is_header(self, row: str) -> bool:
        """Whether every cell is the name of its column."""
        if self._header is None or not row.startswith(('"', self._header[0])):
            return False
        return next(csv.reader([row], delimiter=self._delimiter), []) == self._header

    def _next(self, numbered: Iterator[tuple[int, str]]) -> tuple[int, str] | None:
        return self._waiting.popleft() if self._waiting else next(numbered, None)

    def _whole(self, text: str, numbered: Iterator[tuple[int, str]]) -> tuple[str | None, str]:
        """The row that starts with this line, with the further lines of its quoted values; or why there is none."""
        taken: list[tuple[int, str]] = []
        row = text
        while self._is_open(row) and len(taken) < _LONGEST:
            following = self._next(numbered)
            if following is None:
                break
            taken.append(following)
            row += "\n" + following[1]
        reason = self._fault(row)
        if reason and taken:
            self._waiting.extendleft(reversed(taken))
            reason = _NOT_CLOSED
        return (None, reason) if reason else (row, "")

    def _is_open(self, row: str) -> bool:
        return '"' in row and row.count('"') % 2 == 1 and self._row.fullmatch(row) is None

    def _fault(self, row: str) -> str:
        if '"' in row:
            if self._row.fullmatch(row) is None:
                return _NOT_CLOSED
            row = self._quoted.sub("", row)
        found = row.count(self._delimiter) + 1
        return "" if found == self._width else f"expected {self._width} columns, found {found}"

    def _column(self, text: str) -> str | None:
        """The column that is missing, or in which a quote is broken; None where there are too many."""
        place = at = 0
        while (found := self._cell.match(text, at)) and text[found.end() : found.end() + 1] == self._delimiter:
            at = found.end() + 1
            place += 1
        is_whole = found is not None and found.end() == len(text)
        place += is_whole
        return self._names[place] if place < self._width else None

    def _notes(self) -> list[str]:
        """Text below the table: the last rejects, where nothing of the table comes after them."""
        notes: list[str] = []
        while self._rejects and self._is_note(self._rejects[-1]):
            notes.insert(0, self._rejects.pop().text.strip())
        return notes

    def _is_note(self, reject: Reject) -> bool:
        """Words in one cell, or anything but values behind a blank line."""
        if reject.line <= self._last_row or self._width == 1:
            return False
        first = reject.text.strip().split(self._delimiter)[0]
        is_apart = self._last_row < self._last_blank < reject.line
        return not is_value(first) and (is_apart or is_label(first) or self._delimiter not in reject.text.strip())


def _but_last(rows: Iterator[list[str]], count: int) -> Iterator[list[str]]:
    """All rows but so many last ones."""
    held = deque(islice(rows, count))
    for row in rows:
        held.append(row)
        yield held.popleft()
