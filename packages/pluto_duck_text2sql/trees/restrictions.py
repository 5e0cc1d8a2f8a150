"""What goes into an aggregate, in a few words: `2025`, `France`, `total over 5`; for titles and columns' names."""

from __future__ import annotations

import datetime as dt
from typing import Any

from pluto_duck_text2sql.tree import Among, Bucket, Col, Compare, Cond, During, Either, Every, First, Missing, Related
from pluto_duck_text2sql.trees.phrases import range_text

_OPERATORS = {"<": "under", "<=": "at most", ">": "over", ">=": "at least", "=": "", "!=": "not"}
_MONTHS_OF_QUARTER = 3
_SINCE_FIRST = {"=": "new", "<": "returning"}
"""What rows of somebody are by the date of the first."""


def restrictions(where: tuple[Cond, ...]) -> str:
    """All conditions in words; empty where no words say them."""
    return ", ".join(dict.fromkeys(filter(None, map(restriction, where))))


def restriction(condition: Cond) -> str:
    """One condition in words; empty where no words say it."""
    match condition:
        case During(left, start, end):
            return ("first in " if isinstance(left, First) else "") + _period(start, end)
        case Compare(First(), "<", dt.date() as day):
            return f"first before {day.isoformat()}"
        case Compare(left, operator, right) if operator in _SINCE_FIRST and _is_own_first(left, right):
            return _SINCE_FIRST[operator]
        case Compare(left, operator, right):
            return _compared(left, operator, right)
        case Among(_, values, negated):
            return ("not " if negated else "") + " or ".join(map(_value, values))
        case Missing(left, negated):
            return f"{'with' if negated else 'without'} {left.name}"
        case Related(table, where, negated):
            return f"{'without' if negated else 'with'} {' '.join([table[1], restrictions(where)]).strip()}"
        case Either(any_of):
            return " or ".join(filter(None, map(restriction, any_of)))
        case Every(all_of):
            return restrictions(all_of)
    return ""


def _is_own_first(left: Any, right: Any) -> bool:
    """Whether the first date that something happened to each is compared with that of a row, or their periods are."""
    if isinstance(left, Bucket) and isinstance(right, Bucket):
        left, right = left.of, right.of
    return isinstance(left, First) and left.of == right


def _compared(left: Any, operator: str, right: Any) -> str:
    name = left.name if isinstance(left, Col) else ""
    if isinstance(right, bool):
        return name if right == (operator == "=") else f"not {name}"
    if not isinstance(right, str | int | float | dt.date):
        return ""
    if operator in ("like", "not like"):
        return f"{'not ' if operator.startswith('not') else ''}{_value(right).strip('%')}"
    is_named = not isinstance(right, str) or operator not in ("=", "!=")
    return " ".join(filter(None, [name if is_named else "", _OPERATORS[operator], _value(right)]))


def _value(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _period(start: dt.date | None, end: dt.date | None) -> str:
    """A whole year, quarter or month by its name."""
    if start is None or end is None or start.day != 1 or end.day != 1:
        return range_text(start, end)
    months = 12 * (end.year - start.year) + end.month - start.month
    if months == 12 and start.month == 1:
        return str(start.year)
    if months == _MONTHS_OF_QUARTER and start.month % _MONTHS_OF_QUARTER == 1:
        return f"{start.year} Q{1 + start.month // _MONTHS_OF_QUARTER}"
    return f"{start.year}-{start.month:02}" if months == 1 else range_text(start, end)
