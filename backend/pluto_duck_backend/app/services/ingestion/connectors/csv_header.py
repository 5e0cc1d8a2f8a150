"""What stands above the rows of delimited text: one line of names, two lines of them, or units below the names.

`csv_dialect` asks. What must stay true: a line is part of the header only where what stands below it tells so; a row
of data that merely lacks a value, or says why in words, stays one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_VALUE = re.compile(r"[-+]?[\d.,%€$£ ]*\d[\d.,%€$£ ]*|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}.*|true|false", re.IGNORECASE)
_PERIOD = re.compile(r"(19|20)\d\d([-/](0?[1-9]|1[0-2]|Q[1-4]))?", re.IGNORECASE)
_BELOW = 50  # rows looked at
_ABOVE = 20  # lines that may stand above the names
_ONE = (
    r"[µmkMGcdnh]?(?:m|g|l|L|s|Hz|V|A|W|Wh|Pa|bar|J|N|K|mol|B|eV|Ω|F|T)|min|hrs?|h|d|days?|years?|yrs?|weeks?|months?|sec"
    r"|°[CF]?|deg[CF]?|rad|C|F|psi|ppm|ppb|dB|lux|lx|lm|ft|in|mi|mph|kph|lbs?|oz|t|ha|ac|km|rpm|bpm|kcal|cal|pH"
    r"|[€$£¥%‰]|EUR|USD|GBP|CHF|JPY|count|pcs|units?|no\.?|text|string|str|int|integer|number|float|date|datetime|bool"
)
_POWER = r"(?:[²³]|\^?-?\d)?"
_UNIT = re.compile(
    rf"[\[(].{{0,20}}[\])]|(?:(?:k|T|M|mn|m|Mio\.?|Mrd\.?|bn|thousand|million|in) ?)?"
    rf"(?:{_ONE}){_POWER}(?:[ /·*.](?:{_ONE}){_POWER}){{0,3}}|1/(?:{_ONE})|[µn]m"
)


@dataclass(frozen=True)
class Header:
    """`rows` of the text are above its data; `names` are empty where the first of these is the names as it is."""

    rows: int
    names: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    are_labels: bool = False

    @property
    def notes(self) -> tuple[str, ...]:
        if self.rows > 1 and self.are_labels:
            return (f"the {self.rows - 1} lines below the names describe the columns; they became comments",)
        if self.units:
            told = ", ".join(f"{name} {unit}" for name, unit in zip(self.names, self.units, strict=True) if unit)
            return (f"the line below the names holds units, which became comments: {told[:200]}",)
        return ("two lines of names became one",) if self.names else ()


def is_value(cell: str) -> bool:
    """Whether a cell holds a number, a date or a truth value, and no words."""
    return _VALUE.fullmatch(cell.strip()) is not None


def header_of(rows: Sequence[Sequence[str]]) -> Header:
    """What of rows of the usual width is above the data."""
    if len(rows) > 2 and len(rows[1]) == len(rows[0]):
        first, second, below = _stripped(rows[0]), _stripped(rows[1]), rows[2:_BELOW]
        if _are_units(first, second, below):
            return Header(2, tuple(first), tuple("" if each == "-" else each.strip("[]()") for each in second))
        if _are_two_lines(first, second, below):
            return Header(2, _joined(first, second))
        for count in (1, 2):
            if _are_labels(rows[0], rows[1 : 1 + count], rows[1 + count : _BELOW]):
                labels = zip(*map(_stripped, rows[1 : 1 + count]), strict=True)
                return Header(1 + count, tuple(first), tuple("; ".join(each) for each in labels), are_labels=True)
    return Header(int(_has_names(rows)))


def lines_above(rows: Sequence[Sequence[str]]) -> int:
    """How many of the first rows are titles and labels that a program filled up with empty cells.

    They are followed by a row in which each column has a name, which the values below it confirm.
    """
    for i, row in enumerate(rows[:_ABOVE]):
        cells = _stripped(row)
        if all(cells):
            return i if _are_confirmed(cells, rows[i + 1 : i + _BELOW]) else 0
        is_label = cells[0].endswith(":") or sum(map(bool, cells)) * 2 <= len(cells)
        if cells[-1] or not cells[0] or not is_label:
            return 0
        if _are_names(cells, rows[i + 1 :]):
            return 0
    return 0


def labels_above(rows: Sequence[Sequence[str]]) -> int:
    """How many of the first rows are labels with what they tell, above a table of more columns that ends the rows."""
    width = len(rows[-1])
    start = next(i for i in range(len(rows), -1, -1) if i == 0 or len(rows[i - 1]) != width)
    above = [_stripped(row) for row in rows[:start]]
    are_labels = bool(above) and all(row[0].endswith(":") or not row[-1] for row in above)
    is_table = start < len(rows) - 1 and all(len(row) < width for row in above)
    return start if are_labels and is_table and _are_confirmed(_stripped(rows[start]), rows[start + 1 :]) else 0


def _are_confirmed(cells: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether cells are names of columns, one of which holds values; the first row below may be units."""
    rows = below[int(len(below) > 1) :]
    return not any(map(is_value, cells)) and any(_is_value_column(rows, i) for i in range(len(cells)))


def _are_names(cells: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether a row with gaps names groups of columns, the names of which stand below it."""
    return (
        len(below) > 1 and len(below[0]) == len(cells) and _are_two_lines(cells, _stripped(below[0]), below[1:_BELOW])
    )


def second_table(rows: Sequence[Sequence[str]], apart: Sequence[int], own: Sequence[str]) -> tuple[str, ...]:
    """Names that stand `apart` among rows of data, where values stand above and below them; none where there are none.

    They are others than the table's `own`, which pages repeat, and may be fewer than the columns where nothing below
    them is in the others.
    """
    for i in apart:
        cells, above, below = _stripped(rows[i]), rows[:i], rows[i + 1 : i + _BELOW]
        names = cells[: max((at for at, cell in enumerate(cells, 1) if cell), default=0)]
        is_narrow = not any(any(row[len(names) :]) for row in below)
        if _are_new(names, own) and is_narrow and _hold_values(above, below):
            return tuple(names)
    return ()


def _are_new(names: Sequence[str], own: Sequence[str]) -> bool:
    is_named = len(names) > 1 and all(names) and not any(map(is_value, names))
    return is_named and len(set(names)) == len(names) and list(names) != _stripped(own)


def _hold_values(*parts: Sequence[Sequence[str]]) -> bool:
    """Whether each part has a column of values."""
    return all(part and any(_is_value_column(part, i) for i in range(len(part[0]))) for part in parts)


def told_second(names: Sequence[str]) -> tuple[str, ...]:
    """What to say of a second table with these names."""
    if not names:
        return ()
    told = ", ".join(names)[:200]
    return (f"a second table seems to begin with the names {told}; its rows are in this one: load the two apart",)


def is_short(names: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Names without the delimiter that ends every row below them."""
    is_ended = all(not row[-1] for row in rows) and len(names) == len(rows[0]) - 1
    return is_ended and all(names) and not any(map(is_value, names))


def _stripped(row: Sequence[str]) -> list[str]:
    return [cell.strip() for cell in row]


def _are_units(first: Sequence[str], second: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Units only, and one at least of a column of values."""
    if not all(first) or any(map(is_value, first)):
        return False
    is_unit = [_UNIT.fullmatch(cell) is not None for cell in second]
    is_fitting = all(found or cell in ("", "-") for cell, found in zip(second, is_unit, strict=True))
    return is_fitting and any(found and _is_value_column(below, i) for i, found in enumerate(is_unit))


def _are_labels(names: Sequence[str], labels: Sequence[Sequence[str]], below: Sequence[Sequence[str]]) -> bool:
    """Lines of words, one of them a question, above several columns of values: surveys repeat what they asked so."""
    width = len(names)
    if len(below) < 2 or not all(cell.strip() and not is_value(cell) for row in (names, *labels) for cell in row):
        return False
    if any(len(row) != width or len(set(row)) < width for row in (names, *labels)):
        return False
    is_asked = any(cell.strip().endswith("?") for row in labels for cell in row)
    return is_asked and sum(_is_value_column(below, i) for i in range(width)) > 1


def _are_two_lines(first: Sequence[str], second: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """The first names groups of columns, with gaps or again and again, the second what is in them."""
    gaps = [i for i, cell in enumerate(first) if not cell and (i or second[i])]
    names = _joined(first, second)
    is_group = bool(gaps) or len(set(first)) < len(first)
    if not is_group or not all(second[i] for i in gaps) or len(set(names)) < len(names):
        return False
    if sum(map(bool, first)) + (not first[0]) < 2 or any(cell.endswith(":") for cell in first):
        return False  # a title, or a label with what it tells
    if any(is_value(cell) and not _PERIOD.fullmatch(cell) for cell in (*first, *second)):
        return False
    names_values = any(_tells_names(second[i], i, below) for i in range(len(first)))
    return names_values or _leaves_values_out(second, gaps, below) or _are_periods(first, second, gaps, below)


def _tells_names(cell: str, i: int, below: Sequence[Sequence[str]]) -> bool:
    return bool(cell) and not is_value(cell) and _is_value_column(below, i)


def _leaves_values_out(second: Sequence[str], gaps: Sequence[int], below: Sequence[Sequence[str]]) -> bool:
    """Only names of a group, and nothing where every row has a value: choices below a survey's question."""
    empty = [i for i, cell in enumerate(second) if not cell]
    is_whole = [all(i < len(row) and is_value(row[i]) for row in below) for i in empty]
    return bool(gaps) and len(below) > 1 and any(is_whole)


def _are_periods(
    first: Sequence[str], second: Sequence[str], gaps: Sequence[int], below: Sequence[Sequence[str]]
) -> bool:
    """Periods below groups, and nothing below a name that has a column of its own, or a name below the empty corner."""
    periods = [bool(_PERIOD.fullmatch(cell)) for cell in second]
    has_corner = not first[0] and bool(second[0]) and not periods[0] and not _are_all_periods(below, gaps[1:])
    return (
        all(periods[i] for i in gaps[has_corner:])
        and (has_corner or not all(second))
        and all(each or not cell for each, cell in zip(periods[has_corner:], second[has_corner:], strict=True))
    )


def _are_all_periods(rows: Sequence[Sequence[str]], columns: Sequence[int]) -> bool:
    return all(_PERIOD.fullmatch(row[i].strip()) for row in rows for i in columns if i < len(row))


def _joined(first: Sequence[str], second: Sequence[str]) -> tuple[str, ...]:
    """Names with the group that they are in, which reaches up to the next one."""
    names, group = [], ""
    for above, below in zip(first, second, strict=True):
        group = above or group
        names.append(f"{group} {below}".strip())
    return tuple(names)


def _has_names(rows: Sequence[Sequence[str]]) -> bool:
    """Names are text; of a row with values in it, the periods of a cross table or a name over a column of values."""
    first = _stripped(rows[0])
    values = [is_value(cell) for cell in first]
    if not any(values):
        return any(first)
    if all(_PERIOD.fullmatch(cell) for cell, holds in zip(first, values, strict=True) if holds):
        return not all(values) and len(set(first)) == len(first)
    below = rows[1:_BELOW]
    return bool(below) and any(first[i] and not values[i] and _is_value_column(below, i) for i in range(len(first)))


def _is_value_column(rows: Sequence[Sequence[str]], i: int) -> bool:
    cells = [row[i].strip() for row in rows if i < len(row) and row[i].strip()]
    return bool(cells) and all(map(is_value, cells))
