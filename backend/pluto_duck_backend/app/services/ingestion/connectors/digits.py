"""Which type keeps every digit of numbers that are spelt out: SQL over text, and the choice from what it finds.

The readers of CSV and JSON ask for columns that DuckDB calls DOUBLE. What must stay true: an integer loses no digit; a
fraction loses one only where no DECIMAL holds its column, and then the load says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_DOUBLE_HOLDS = 17  # significant digits; of integers one less than the sixteenth may already be too many
_WIDEST = 38  # digits of a DECIMAL
LONG = rf"\s*-?([1-9][0-9]{{15,}}|[0.]*[1-9](\.?[0-9]){{{_DOUBLE_HOLDS},}}([eE].*)?)\s*"
"""A number that a DOUBLE may not hold."""
_WHOLE = r"\s*-?[0-9]+\s*"
_PLAIN = r"\s*-?[0-9]*\.?[0-9]*\s*"
COUNT = 7  # of the values that `tests` asks for


@dataclass(frozen=True)
class Exact:
    """A type, and what is lost or changed by it: empty for nothing."""

    type: str
    note: str = ""


def tests(text: str) -> str:
    """What `exact` must know of the values of the expression `text`, as aggregates."""
    whole = f"regexp_full_match({text}, '{_WHOLE}')"
    fraction = f"CASE WHEN contains({text}, '.') THEN length(split_part(trim({text}), '.', 2)) ELSE 0 END"
    return (
        f"coalesce(bool_or(regexp_full_match({text}, '{LONG}')), false), coalesce(bool_or({whole} AND"
        f" regexp_full_match({text}, '{LONG}')), false), bool_and({whole}),"
        f" {_fits(text, 'HUGEINT')}, {_fits(text, 'UHUGEINT')},"
        f" CASE WHEN bool_and(regexp_full_match({text}, '{_PLAIN}')) THEN"
        f" max(length(ltrim(split_part(trim({text}), '.', 1), '-0'))) END, max({fraction})"
    )


def _fits(text: str, kind: str) -> str:
    return f"bool_and({text} IS NULL OR try_cast({text} AS {kind}) IS NOT NULL)"


def exact(
    is_long: bool, long_whole: bool, whole: bool, huge: bool, unsigned: bool, before: int | None, after: int | None
) -> Exact:
    """The type for values of which `tests` found this: DOUBLE where it holds them or nothing does."""
    if not is_long:
        return Exact("DOUBLE")
    if whole:
        kind = "HUGEINT" if huge else "UHUGEINT" if unsigned else "VARCHAR"
        return Exact(kind, "" if kind != "VARCHAR" else "holds integers beyond 128 bits, so it becomes VARCHAR")
    if before is not None and after is not None and before + after <= _WIDEST:
        return Exact(f"DECIMAL({max(18, before + after)},{after})")
    if long_whole:
        return Exact("VARCHAR", "holds long integers beside other numbers, which no DECIMAL holds: it becomes VARCHAR")
    return Exact("DOUBLE", f"holds numbers that no DECIMAL holds: a DOUBLE keeps {_DOUBLE_HOLDS} digits of them")


def exacts(found: Sequence[Any]) -> list[Exact]:
    """The types of several columns, from one row of their tests."""
    return [exact(*found[at : at + COUNT]) for at in range(0, len(found), COUNT)]
