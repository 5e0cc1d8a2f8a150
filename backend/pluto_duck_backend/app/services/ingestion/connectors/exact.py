"""Text into numbers as it is read, and an error where that would lose a digit: SQL for the readers of CSV and JSON.

Types are chosen from the first rows of a large file, and DuckDB rounds a later `2.5` to fit a BIGINT and makes a 7 of
`007` without a word. What must stay true: a value that is not the same as a number stops the statement with the words
given, so that the load looks at all rows.
"""

from __future__ import annotations

from pluto_duck_backend.app.core.warehouse import literal
from pluto_duck_backend.app.services.ingestion.connectors import digits

_SURE_DIGITS = 16  # a DOUBLE holds every integer of fewer digits
_SURE_FRACTION = 19  # and is told from every fraction of fewer characters
_CODE = r"\s*([-+]?0[0-9].*|\+.*)"


def whole_number(column: str, otherwise: str) -> str:
    """A BIGINT of text that is spelt as BIGINTs are, blanks around it aside."""
    value = f"CAST({column} AS BIGINT)"
    return (
        f"CASE WHEN CAST({value} AS VARCHAR) = {column} THEN {value} WHEN {column} IS NULL THEN NULL"
        f" WHEN CAST({value} AS VARCHAR) = trim({column}) THEN {value} ELSE error({literal(otherwise)}) END"
    )


def number(column: str, otherwise: str, *, spelt: bool = True) -> str:
    """A DOUBLE of text that is no code (`007`, `+49`) and no number too long for it.

    `spelt`: fractions stand as in the file, and not as a DOUBLE spells them, which is never too long.
    Comparing with the first characters tells nearly all numbers from codes; only the others meet a pattern.
    """
    value = f"CAST({column} AS DOUBLE)"
    begins = (
        f"({column} >= '1' OR starts_with({column}, '0.') OR {column} = '0'"
        f" OR ({column} >= '-1' AND {column} < '-:') OR starts_with({column}, '-0.'))"
    )
    is_sure = f"contains({column}, '.')" + (f" AND strlen({column}) < {_SURE_FRACTION}" if spelt else "")
    is_short = f"(strlen({column}) < {_SURE_DIGITS} OR ({is_sure}))"
    odd = f"regexp_full_match({column}, {literal(f'{_CODE}|{digits.LONG}')})"
    return (
        f"CASE WHEN {begins} AND {is_short} THEN {value} WHEN {column} IS NULL THEN NULL"
        f" WHEN {odd} THEN error({literal(otherwise)}) ELSE {value} END"
    )
