"""Text into numbers as it is read, and an error where that would lose a digit: SQL for the readers of CSV and JSON.

Types are chosen from the first rows of a large file, and DuckDB rounds a later `2.5` to fit a BIGINT and makes a 7 of
`007` without a word. What must stay true: a value that is not the same as a number stops the statement with the words
given, so that the load looks at all rows.
"""

from __future__ import annotations

from pluto_duck_backend.app.core.warehouse import literal

_SURE_DIGITS = 16  # a DOUBLE holds every integer of fewer digits
_CODE = r"\s*([-+]?0[0-9].*|\+.*)"
_LONG = rf"\s*-?[0-9]{{{_SURE_DIGITS},}}\s*"


def whole_number(column: str, otherwise: str) -> str:
    """A BIGINT of text that is spelt as BIGINTs are, blanks around it aside."""
    value = f"CAST({column} AS BIGINT)"
    return (
        f"CASE WHEN CAST({value} AS VARCHAR) = {column} THEN {value} WHEN {column} IS NULL THEN NULL"
        f" WHEN CAST({value} AS VARCHAR) = trim({column}) THEN {value} ELSE error({literal(otherwise)}) END"
    )


def number(column: str, otherwise: str) -> str:
    """A DOUBLE of text that is no code (`007`, `+49`) and no integer too long for it.

    Comparing with the first characters tells nearly all numbers from codes; only the others meet a pattern.
    """
    value = f"CAST({column} AS DOUBLE)"
    begins = (
        f"({column} >= '1' OR starts_with({column}, '0.') OR {column} = '0'"
        f" OR ({column} >= '-1' AND {column} < '-:') OR starts_with({column}, '-0.'))"
    )
    is_short = f"(strlen({column}) < {_SURE_DIGITS} OR contains({column}, '.'))"
    odd = f"regexp_full_match({column}, {literal(_CODE)}) OR regexp_full_match({column}, {literal(_LONG)})"
    return (
        f"CASE WHEN {begins} AND {is_short} THEN {value} WHEN {column} IS NULL THEN NULL"
        f" WHEN {odd} THEN error({literal(otherwise)}) ELSE {value} END"
    )
