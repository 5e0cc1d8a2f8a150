"""Texts that are numbers: `425`, `13.5`, as sources keep them that know no other type; codes such as `007` are none.

Beside them may stand a word for what is missing, as R (`NA`), spreadsheets (`#N/A`) and databases (`NULL`) write it;
behind each may stand its unit: `90 min`, `2 Seasons`, `15.2%`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pluto_duck_backend.app.core.warehouse import Session, literal, quote
from pluto_duck_text2sql.data.catalog import Column
from pluto_duck_text2sql.data.text_times import AMOUNT

_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")
_MISSING = ("", "NA", "N/A", "#N/A", "NULL", "None", "\\N", "-", "--", "?", ".")
_FOLDED = frozenset(each.casefold() for each in _MISSING)
_WITH_UNIT = re.compile(r"-?\d+(?:\.\d+)?(?: [A-Za-z]{1,10}| ?%)")
_UNIT = re.compile(r"[A-Za-z%]+$")
_MOST_UNITS = 2
_LOOKED_AT = 200
_LEAST_LETTERS = 3
_CLOCK, _SHORT = frozenset(("am", "pm")), frozenset("%glmhskw")
_TIME = frozenset("sec second min minute hour hr day week month year".split())
_MONEY = frozenset(
    "usd eur gbp chf jpy cad aud nzd sek nok dkk pln czk huf inr cny brl mxn zar try krw euro dollar".split()
)
_LONGEST = 15
#   digits that a number keeps; longer ones are keys and telephones


def with_numbers(session: Session, source: str, columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns; those of texts that all are numbers know it."""
    texts = [column for column in columns if column.kind == "text" and column.n_distinct and not column.date_format]
    cells = _cells(session, source, texts) if texts else {}
    columns = _with_units(session, source, columns, cells)
    likely = [column for column in texts if cells[column.name] and all(map(_reads, cells[column.name]))]
    if not likely:
        return tuple(columns)
    parts = ", ".join(f"bool_and({_is_number(each)}), min({_read(each)}), max({_read(each)})" for each in likely)
    row = session.row(f"SELECT {parts} FROM {source}") or ()
    found = {each.name: _of_numbers(each, *row[3 * n : 3 * n + 3]) for n, each in enumerate(likely)}
    return tuple(found.get(each.name, each) for each in columns)


def _of_numbers(column: Column, holds: bool, least: float | None, greatest: float | None) -> Column:
    return replace(column, of_numbers=True, minimum=least, maximum=greatest) if holds else column


def _cells(session: Session, source: str, texts: Sequence[Column]) -> dict[str, list[str]]:
    """The first texts of each column, but for what says that something is missing."""
    shown = ", ".join(f"CAST({quote(each.name)} AS VARCHAR)" for each in texts)
    rows = session.rows(f"SELECT {shown} FROM {source} LIMIT {_LOOKED_AT}")
    cells = {column.name: [row[n].strip() for row in rows if row[n]] for n, column in enumerate(texts)}
    return {name: [each for each in some if each.casefold() not in _FOLDED] for name, some in cells.items()}


def _with_units(
    session: Session, source: str, columns: Sequence[Column], cells: dict[str, list[str]]
) -> tuple[Column, ...]:
    """The columns; those whose texts all are a number and its unit know both."""
    likely = [each for each in columns if (some := cells.get(each.name)) and all(map(_WITH_UNIT.fullmatch, some))]
    if not likely:
        return tuple(columns)
    parts = ", ".join(f"{_has_units(each)}, min({_amount(each)}), max({_amount(each)})" for each in likely)
    row = session.row(f"SELECT {parts} FROM {source}") or ()
    found = {each.name: row[3 * n : 3 * n + 3] for n, each in enumerate(likely) if row[3 * n]}
    found = {name: known for name, known in found.items() if _are_of_kinds(_unit(cells[name]).split())}
    return tuple(
        _of_numbers(replace(each, unit=_unit(cells[each.name])), *found[each.name]) if each.name in found else each
        for each in columns
    )


def _unit(texts: Sequence[str]) -> str:
    return " ".join(sorted({_UNIT.findall(text)[0].lower().removesuffix("s") for text in texts}))


def _are_of_kinds(units: Sequence[str]) -> bool:
    """Whether units measure different things, so that rows of one kind have one: minutes of films, seasons of shows.
    Grams and kilograms, or two currencies, cannot be taken together; a seat `12 A` and `9 am` have none."""
    if len(units) == 1:
        return (len(units[0]) > 1 and units[0] not in _CLOCK) or units[0] in _SHORT
    are_words = all(len(each) >= _LEAST_LETTERS and each not in _MONEY for each in units)
    return are_words and not _TIME.issuperset(units)


def _has_units(column: Column) -> str:
    name = _trimmed(column)
    unit = f"rtrim(lower(regexp_extract({name}, '{_UNIT.pattern}')), 's')"
    reads = f"regexp_full_match({name}, '{_WITH_UNIT.pattern}')"
    return f"bool_and({_missing_or(reads, name)}) AND count(DISTINCT nullif({unit}, '')) <= {_MOST_UNITS}"


def _amount(column: Column) -> str:
    return f"TRY_CAST(regexp_extract(CAST({quote(column.name)} AS VARCHAR), '{AMOUNT}') AS DOUBLE)"


def _reads(text: str) -> bool:
    return len(text) <= _LONGEST and _NUMBER.fullmatch(text) is not None


def _is_number(column: Column) -> str:
    name = _trimmed(column)
    reads = f"length({name}) <= {_LONGEST} AND regexp_full_match({name}, '{_NUMBER.pattern}')"
    return _missing_or(reads, name)


def _trimmed(column: Column) -> str:
    return f"trim(CAST({quote(column.name)} AS VARCHAR))"


def _missing_or(reads: str, name: str) -> str:
    missing = ", ".join(map(literal, sorted(_FOLDED)))
    return f"{name} IS NULL OR lower({name}) IN ({missing}) OR ({reads})"


def _read(column: Column) -> str:
    return f"TRY_CAST({quote(column.name)} AS DOUBLE)"
