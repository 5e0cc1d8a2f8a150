"""Delimiter, title lines and header of delimited text, from its first characters.

`csv_files` asks. What must stay true: the choice rests on how most rows look, so that a few bad rows are errors later
and do not change the dialect.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pluto_duck_backend.app.core.errors import InvalidInput

_DELIMITERS = ((",", ";", "\t", "|"), (":", "~", "^"))  # the second kind stands inside values too, so it comes last
_ALONE = "\x1f"  # a delimiter that no text holds, for files of one column
_ROWS = 500
_HINT = re.compile(r"sep=(.)\r?\n")  # what Excel writes for Excel
_VALUE = re.compile(r"[-+]?[\d.,%€$£ ]*\d[\d.,%€$£ ]*|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}.*|true|false", re.IGNORECASE)
_PERIOD = re.compile(r"(19|20)\d\d([-/](0?[1-9]|1[0-2]|Q[1-4]))?", re.IGNORECASE)


@dataclass(frozen=True)
class Dialect:
    """How the file is written: `skip` lines come before `rows`, of which the first is the header where `header`.

    `names` are those of a header that is shorter than its rows and so is none of them.
    """

    delimiter: str
    skip: int
    header: bool
    rows: list[list[str]]
    notes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def first_row(self) -> list[str]:
        return self.rows[0]


def dialect_of(head: str, *, whole: bool, delimiter: str | None = None, header: bool | None = None) -> Dialect:
    """The dialect of a file that starts with `head`; `whole` where that is all of it."""
    text = head.removeprefix("\ufeff")
    if not whole and "\n" in text:
        text = text[: text.rindex("\n") + 1]
    hint = _HINT.match(text)
    delimiter = delimiter or (hint[1] if hint else None)
    chosen = _checked(delimiter) if delimiter else _best(text)
    parsed = _parse(text, chosen)[1 if hint else 0 :]
    if not parsed:
        raise InvalidInput("The file holds no rows below `sep=`.", code="empty_file", hint="Check how it was made.")
    width = _usual([len(cells) for _, cells in parsed])
    start = next(i for i, (_, cells) in enumerate(parsed) if len(cells) == width)
    skip = parsed[start][0]
    rows = [cells for _, cells in parsed[start:]]
    if start and header is not False and _is_short_header(parsed[start - 1][1], rows):
        return Dialect(chosen, skip, False, rows, names=(*parsed[start - 1][1], ""))
    notes = (f"skipped {skip} lines before the header",) if skip else ()
    return Dialect(chosen, skip, _has_header(rows) if header is None else header, rows, notes)


def _is_short_header(names: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Names without the delimiter that ends every row below them."""
    is_ended = all(not row[-1] for row in rows) and len(names) == len(rows[0]) - 1
    return is_ended and all(names) and not any(map(is_value, names))


def is_value(cell: str) -> bool:
    """Whether a cell holds a number, a date or a truth value, and no words."""
    return _VALUE.fullmatch(cell.strip()) is not None


def _checked(delimiter: str) -> str:
    if len(delimiter) != 1:
        raise InvalidInput(f"{delimiter!r} is no delimiter.", code="bad_ingest_request", hint="Give one character.")
    return delimiter


def _parse(text: str, delimiter: str) -> list[tuple[int, list[str]]]:
    """`(lines before it, cells)` of the first rows that are not blank."""
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
        scores = {each: _score([len(cells) for _, cells in _parse(text, each)]) for each in group if each in text}
        found = {each: score for each, score in scores.items() if score[0] > 0}
        if found:
            return max(found, key=lambda each: found[each])
    return _ALONE


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


def _has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Names are text; of a row with values in it, the periods of a cross table or a name over a column of values."""
    first = [cell.strip() for cell in rows[0]]
    values = [bool(_VALUE.fullmatch(cell)) for cell in first]
    if not any(values):
        return any(first)
    if all(_PERIOD.fullmatch(cell) for cell, is_value in zip(first, values, strict=True) if is_value):
        return not all(values) and len(set(first)) == len(first)
    below = rows[1:50]
    return bool(below) and any(first[i] and not values[i] and _is_value_column(below, i) for i in range(len(first)))


def _is_value_column(rows: Sequence[Sequence[str]], i: int) -> bool:
    cells = [row[i].strip() for row in rows if i < len(row) and row[i].strip()]
    return bool(cells) and all(_VALUE.fullmatch(cell) for cell in cells)
