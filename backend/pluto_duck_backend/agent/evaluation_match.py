"""When two results say the same: the rule of the public surface for right answers.

Called by `evaluation`. Rows match as multisets under some permutation of columns. Cells are compared as values:
numbers and numeric strings alike, floats to 6 significant digits, booleans as 0 and 1, dates and times by their ISO
text (midnight equals the bare date), NaN and infinities as null. Pure functions: the same rows give the same verdict.

The columns are paired by a search that keeps only pairs with equal contents and checks the rows of the columns
paired so far, so a wrong branch ends at once; permutations are never listed.
"""

from __future__ import annotations

import datetime
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import orjson

Rows = Sequence[Sequence[Any]]
Values = tuple[Any, ...]
Alike = Callable[[Sequence[Any], Sequence[Any]], bool]

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,2})?", re.ASCII)
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)?", re.ASCII)
_LONGEST_NUMBER = 40
_LARGEST_NUMBER = 10**300


def matches(expected: Rows, actual: Rows, *, ordered: bool) -> bool:
    """Whether `actual` holds exactly the expected rows and columns; `ordered` makes the order of rows count.

    Both are rows of equal length within themselves; a ragged result raises ValueError.
    """
    return _same_rows(expected, actual, ordered) and (not expected or len(expected[0]) == len(actual[0]))


def matches_leniently(expected: Rows, actual: Rows, *, ordered: bool = False) -> bool:
    """Whether the expected columns are found, row by row, among the (perhaps more) columns of `actual`."""
    return _same_rows(expected, actual, ordered)


def matches_part(part: Rows, row_count: int, actual: Rows) -> bool:
    """Whether `actual` has `row_count` rows that contain all of `part`, for expected rows that were cut short."""
    if len(actual) != row_count or (part and len(part[0]) != len(actual[0])):
        return False
    return not part or _pair_columns(_columns(part), _columns(actual), _within_bag)


def _same_rows(expected: Rows, actual: Rows, ordered: bool) -> bool:
    if len(expected) != len(actual):
        return False
    return not expected or _pair_columns(_columns(expected), _columns(actual), _in_order if ordered else _as_bags)


@dataclass(frozen=True)
class _Column:
    """One column's comparable cells: `exact` keeps integers whole, `rounded` has every number at 6 digits."""

    exact: Values
    rounded: Values
    whole: bool


def _columns(rows: Rows) -> list[_Column]:
    return [_column(cells) for cells in zip(*rows, strict=True)]


def _column(cells: Sequence[Any]) -> _Column:
    values = tuple(comparable(cell) for cell in cells)
    whole = not any(isinstance(value, float) for value in values)
    exact = values if whole else tuple(_six_digits(value) for value in values)
    return _Column(exact, tuple(_six_digits(value) for value in values), whole)


def _pair_columns(expected: list[_Column], actual: list[_Column], alike: Alike) -> bool:
    """Whether every expected column finds a partner of its own so that the rows agree."""
    return len(expected) <= len(actual) and _Pairing(expected, actual, alike).is_found()


class _Pairing:
    """The search for partners; `options` are the columns that each expected one may have by its contents alone."""

    def __init__(self, expected: list[_Column], actual: list[_Column], alike: Alike) -> None:
        self._expected = expected
        self._actual = actual
        self._alike = alike
        self._options = [[j for j, other in enumerate(actual) if alike(*_sides(column, other))] for column in expected]

    def is_found(self) -> bool:
        """The columns with the fewest options first, so that a wrong branch ends soon."""
        order = sorted(range(len(self._expected)), key=lambda i: len(self._options[i]))
        return all(self._options) and self._extend(order, (), [])

    def _extend(self, order: Sequence[int], used: tuple[int, ...], pairs: list[tuple[Values, Values]]) -> bool:
        """Pair the first column of `order` with each free option, then the rest; `pairs` agree as rows so far."""
        if not order:
            return True
        tried: set[Values] = set()
        for j in self._options[order[0]]:
            left, right = _sides(self._expected[order[0]], self._actual[j])
            if j in used or right in tried:
                continue
            tried.add(right)
            grown = [*pairs, (left, right)]
            if _rows_agree(grown, self._alike) and self._extend(order[1:], (*used, j), grown):
                return True
        return False


def _sides(left: _Column, right: _Column) -> tuple[Values, Values]:
    """The two columns' cells in the form they share: whole numbers exactly, else at 6 digits."""
    return (left.exact, right.exact) if left.whole and right.whole else (left.rounded, right.rounded)


def _rows_agree(pairs: list[tuple[Values, Values]], alike: Alike) -> bool:
    if len(pairs) == 1:
        return True
    lefts, rights = zip(*pairs, strict=True)
    return alike(tuple(zip(*lefts, strict=True)), tuple(zip(*rights, strict=True)))


def _in_order(left: Sequence[Any], right: Sequence[Any]) -> bool:
    return left == right


def _as_bags(left: Sequence[Any], right: Sequence[Any]) -> bool:
    return Counter(left) == Counter(right)


def _within_bag(left: Sequence[Any], right: Sequence[Any]) -> bool:
    return Counter(left) <= Counter(right)


def comparable(cell: Any) -> Any:
    """A cell as the value it is compared by: None, int, float (never whole) or str."""
    if isinstance(cell, str):
        return _text(cell)
    if cell is None or isinstance(cell, int | float | Decimal):
        return _number(cell)
    if isinstance(cell, datetime.date | datetime.time):
        return _text(cell.isoformat())
    if isinstance(cell, list | tuple | dict):
        return orjson.dumps(cell, default=str, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS).decode()
    return str(cell)


def _text(text: str) -> Any:
    stripped = text.strip()
    if len(stripped) <= _LONGEST_NUMBER and _NUMBER.fullmatch(stripped):
        return _number(int(stripped) if stripped.lstrip("+-").isdigit() else Decimal(stripped))
    moment = _MOMENT.fullmatch(text)
    return _moment(*moment.groups()) if moment else text


def _moment(day: str, time: str, fraction: str | None) -> str:
    fraction = (fraction or "").rstrip("0").rstrip(".")
    return day if time == "00:00:00" and not fraction else f"{day}T{time}{fraction}"


def _number(value: int | float | Decimal | None) -> int | float | str | None:
    """Whole numbers as int, others as float without the noise beyond 12 digits, what is not finite as None."""
    if isinstance(value, int):
        return int(value) if abs(value) < _LARGEST_NUMBER else str(value)
    if value is None or not math.isfinite(value):
        return None
    if isinstance(value, Decimal) and value == value.to_integral_value():
        return int(value)
    return _calm(float(value))


def _calm(value: float) -> int | float:
    calm = float(f"{value:.12g}")
    return int(calm) if calm.is_integer() else calm


def _six_digits(value: Any) -> Any:
    return float(f"{value:.6g}") if isinstance(value, int | float) else value
