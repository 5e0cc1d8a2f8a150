"""Names and constants as SQL, and texts and numbers read as the numbers and times that they are."""

from __future__ import annotations

import datetime as dt
from functools import lru_cache
from typing import Any

from sqlglot import exp, parse_one

from pluto_duck_text2sql.data.catalog import Column
from pluto_duck_text2sql.data.numbered_times import read, whole
from pluto_duck_text2sql.data.text_times import AMOUNT, WITH_ZONE, ZONE, without_zone
from pluto_duck_text2sql.tree import TableKey
from pluto_duck_text2sql.trees.reserved import needs_quotes


def name(text: str) -> exp.Identifier:
    """A name, in quotes where it needs them."""
    return exp.to_identifier(text, quoted=needs_quotes(text))


def stored(key: TableKey) -> exp.Table:
    """A table by its stored name."""
    return exp.Table(this=name(key[1]), db=None if key[0] == "main" else name(key[0]))


def literal(value: Any) -> Any:
    """A constant: a flag, a number, a time, a day, else a text."""
    if isinstance(value, bool):
        return exp.Boolean(this=value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int | float):
        return exp.Literal.number(value) if value >= 0 else exp.Neg(this=exp.Literal.number(-value))
    if isinstance(value, dt.time):
        return exp.cast(exp.Literal.string(value.isoformat()), exp.DType.TIME, copy=False)
    if isinstance(value, dt.date):
        return exp.cast(exp.Literal.string(value.isoformat()), exp.DType.DATE, copy=False)
    return exp.Literal.string(str(value))


def number(text: Any, has_unit: bool = False) -> Any:
    """A text that holds a number as this, without the unit behind it."""
    if has_unit:
        text = exp.func("REGEXP_EXTRACT", text, exp.Literal.string(AMOUNT), dialect="duckdb")
    return exp.TryCast(this=text, to=exp.DataType.build("DOUBLE"))


def date(text: exp.Expression, column: Column) -> Any:
    """A text that holds a date in the column's format as this."""
    if column.date_format.endswith(WITH_ZONE):
        cut = (exp.Literal.string(ZONE), exp.Literal.string(""))
        return _parsed(exp.func("REGEXP_REPLACE", text, *cut, dialect="duckdb"), without_zone(column.date_format))
    return _parsed(text, column.date_format)


def _parsed(text: Any, form: str) -> Any:
    return exp.func("TRY_STRPTIME", text, exp.Literal.string(form), dialect="duckdb", copy=False)


def numbered(number: Any, column: Column) -> Any:
    """A number that is a time as this."""
    return _read_as(whole("?", column.type), column.date_format, column.no_times).transform(
        lambda each: number.copy() if each.key == "placeholder" else each
    )


@lru_cache(maxsize=256)
def _read_as(number: str, form: str, without: tuple[int, ...]) -> Any:
    """How numbers of a form are read, with `?` in them where the column stands."""
    return parse_one(read(number, form, without), dialect="duckdb")
