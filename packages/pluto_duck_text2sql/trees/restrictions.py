"""What goes into an aggregate, in a few words: `2025`, `France`, `total over 5`; for titles and columns' names."""

from __future__ import annotations

import datetime as dt
from typing import Any

from pluto_duck_text2sql.tree import Among, Col, Compare, Cond, During, Either, Every, Missing, Related
from pluto_duck_text2sql.trees.phrases import range_text

_OPERATORS = {"<": "under", "<=": "at most", ">": "over", ">=": "at least", "=": "", "!=": "not"}
_MONTHS_OF_QUARTER = 3


def restrictions(where: tuple[Cond, ...]) -> str:
    """All conditions in words; empty where no words say them."""
    return ", ".join(dict.fromkeys(filter(None, map(restriction, where))))


def restriction(condition: Cond) -> str:
    """One condition in words; empty where no words say it."""
    match condition:
        case During(_, start, end):
            return _period(start, end)
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
