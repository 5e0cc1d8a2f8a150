"""Delimiter, title lines and header of delimited text, from its first characters.

`csv_files` asks; `csv_header` knows headers. What must stay true: the choice rests on how most rows look, so that a
few bad rows are errors later and do not change the dialect.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.services.ingestion.connectors import csv_header

_DELIMITERS = ((",", ";", "\t", "|"), (":", "~", "^"))  # the second kind stands inside values too, so it comes last
_ALONE = "\x1f"  # a delimiter that no text holds, for files of one column
_ROWS = 500
Parsed = Sequence[tuple[int, list[str]]]
#   `(lines before it, cells)` of each row
_HINT = re.compile(r"sep=(.)\r?\n")  # what Excel writes for Excel


@dataclass(frozen=True)
class Dialect:
    """How the file is written: `skip` lines come before `rows`, of which the first is the header where `header`.

    `names` are those of a header that is none of the rows: it is shorter, or more than one line. `units` are those of
    the columns, where a line below the names tells them.
    """

    delimiter: str
    skip: int
    header: bool
    rows: list[list[str]]
    notes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    units: tuple[str, ...] = ()

    @property
    def first_row(self) -> list[str]:
        return self.rows[0]


def dialect_of(head: str, *, whole: bool, delimiter: str | None = None, header: bool | None = None) -> Dialect:
    """The dialect of a file that starts with `head`; `whole` where that is all of it."""
    text = _looked_at(head, whole)
    hint = _HINT.match(text)
    delimiter = delimiter or (hint[1] if hint else None)
    chosen = _checked(delimiter) if delimiter else _best(text)
    parsed = _parse(text, chosen)[1 if hint else 0 :]
    if not parsed:
        raise InvalidInput("The file holds no rows below `sep=`.", code="empty_file", hint="Check how it was made.")
    parsed = parsed[csv_header.labels_above(_cells(parsed)) if header is None else 0 :]
    start = _start(parsed, is_open=header is None)
    rows = _cells(parsed[start:])
    if start and header is not False and csv_header.is_short(parsed[start - 1][1], rows):
        return Dialect(chosen, parsed[start][0], False, rows, names=(*parsed[start - 1][1], ""))
    return _headed(chosen, parsed[start:], header)


def _looked_at(head: str, whole: bool) -> str:
    """The whole lines of a file's first characters. Raises InvalidInput where there is nothing to see."""
    text = head.removeprefix("\ufeff")
    if not whole and "\n" in text:
        text = text[: text.rindex("\n") + 1]
    if not text.strip('",;\t|:~^ \r\n'):
        raise InvalidInput("The file holds nothing but delimiters.", code="empty_file", hint="Check how it was made.")
    return text


def _start(parsed: Parsed, *, is_open: bool) -> int:
    """The first row of the table; titles and, where the header `is_open`, lines above it come before."""
    width = _usual(_widths(parsed))
    start = next(i for i, (_, cells) in enumerate(parsed) if len(cells) == width)
    return start + (csv_header.lines_above(_cells(parsed[start:])) if is_open and width > 2 else 0)


def _headed(delimiter: str, parsed: Parsed, header: bool | None) -> Dialect:
    """The dialect of a table that begins with the first row."""
    skip, rows = parsed[0][0], _cells(parsed)
    notes: tuple[str, ...] = (f"lines skipped above the header: {skip}",) if skip else ()
    found = csv_header.header_of(rows) if header is None else csv_header.Header(int(header))
    below = parsed[found.rows :]
    notes += csv_header.told_second(_second_table(below, found.names or rows[0]))
    if not found.names:
        return Dialect(delimiter, skip, bool(found.rows), rows, notes)
    return Dialect(delimiter, below[0][0], False, _cells(below), (*notes, *found.notes), found.names, found.units)


def _cells(parsed: Parsed) -> list[list[str]]:
    return [cells for _, cells in parsed]


def _second_table(parsed: Parsed, own: Sequence[str]) -> tuple[str, ...]:
    """The names of a table below the one with `own` names, behind a blank line or a title, that is as wide."""
    pairs = pairwise(parsed)
    begins = {below[0] for above, below in pairs if below[0] > above[0] + 1 or len(above[1]) != len(own)}
    whole = [(before, cells) for before, cells in parsed if len(cells) == len(own)]
    apart = [i for i, (before, _) in enumerate(whole) if before in begins]
    return csv_header.second_table([cells for _, cells in whole], apart, own)


def _checked(delimiter: str) -> str:
    if len(delimiter) != 1:
        raise InvalidInput(f"{delimiter!r} is no delimiter.", code="bad_ingest_request", hint="Give one character.")
    return delimiter


def _parse(text: str, delimiter: str) -> list[tuple[int, list[str]]]:
    """The first rows that are not blank."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    rows: list[tuple[int, list[str]]] = []
    before = 0
    csv.field_size_limit(1 << 30)
    for cells in reader:
        if any(cells):
            rows.append((before, cells))
        before = reader.line_num
        if len(rows) == _ROWS:
            break
    return rows


def _best(text: str) -> str:
    """The delimiter under which most rows have the same number of columns, and more than one."""
    for group in _DELIMITERS:
        scores = {each: _score(_widths(_parse(text, each))) for each in group if each in text}
        found = {each: score for each, score in scores.items() if score[0] > 0}
        if found:
            return max(found, key=lambda each: found[each])
    return _ALONE


def _widths(parsed: Parsed) -> list[int]:
    """How many cells each row has, without a title: a first line of one cell that stands apart."""
    widths = [len(cells) for _, cells in parsed]
    has_title = len(parsed) > 1 and widths[0] == 1 and parsed[1][0] > parsed[0][0] + 1
    return widths[int(has_title) :]


def _score(widths: Sequence[int]) -> tuple[float, bool, int]:
    """How many rows have the usual width, whether the first has, and that width."""
    usual = _usual(widths)
    split = sum(width > 1 for width in widths) / len(widths)
    if usual == 1 or split < 0.5:
        return 0.0, False, 0
    return round(sum(width == usual for width in widths) / len(widths), 1), widths[0] == usual, usual


def _usual(widths: Sequence[int]) -> int:
    """The most frequent width; of equally frequent ones that of the earlier row."""
    return Counter(widths).most_common(1)[0][0]
