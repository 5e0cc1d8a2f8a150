"""Numbers that are times: 20240131 in `date_key`, 1700000000 in `created_utc`. Their form, first and last day.

What the key of a date dimension tells is kept beside it as a date, so that the key itself is no other one.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pluto_duck_backend.app.core.warehouse import Session, quote
from pluto_duck_text2sql.data.catalog import Column, Table
from pluto_duck_text2sql.data.numbered_times import DAYS, holds, likely_form, no_times, read, says_time, whole

_MEASURES = 4


def with_times(
    session: Session, source: str, columns: Sequence[Column], pointed: Mapping[str, str]
) -> tuple[Column, ...]:
    """The columns; those of numbers that all are times know it. `pointed` are the names of columns that some point at,
    which call a day what is only called after what happened: `shipped_key` at `date_key`."""
    likely = {each.name: form for each in columns if (form := _likely(each, pointed.get(each.name, "")))}
    if not likely:
        return tuple(columns)
    numbers = {each.name: whole(quote(each.name), each.type) for each in columns if each.name in likely}
    parts = ", ".join(_measures(numbers[name], form) for name, form in likely.items())
    row = session.row(f"SELECT count(*), {parts} FROM {source}") or ()
    measured = {name: row[1 + _MEASURES * n : 1 + _MEASURES * (n + 1)] for n, name in enumerate(likely)}
    return tuple(
        _as_times(each, likely[each.name], row[0], *measured[each.name]) if each.name in likely else each
        for each in columns
    )


def _likely(column: Column, pointed: str) -> str:
    is_called = says_time(column.name) or (bool(pointed) and says_time(pointed))
    is_filled = column.kind == "number" and bool(column.n_distinct)
    return likely_form(column.minimum, column.maximum) if is_filled and is_called else ""


def _measures(number: str, form: str) -> str:
    """Whether all are times, which numbers that stand for none there are, the first and last time, how many times."""
    none = ", ".join(map(str, no_times(form)))
    time = f"{read(number, form)}) FILTER ({number} NOT IN ({none})"
    return (
        f"bool_and({holds(number, form)}), list(DISTINCT {number}) FILTER ({number} IN ({none})),"
        f" [min({time}), max({time})], count({number}) FILTER ({number} NOT IN ({none}))"
    )


def _as_times(column: Column, form: str, rows: int, are_times: bool, none: Any, ends: Any, filled: int) -> Column:
    """The column as one of times, where all of its numbers are."""
    if not are_times or not filled:
        return column
    return replace(
        column,
        date_format=form,
        no_times=tuple(sorted(map(int, none or ()))),
        minimum=ends[0],
        maximum=ends[1],
        null_fraction=round(1 - filled / rows, 6),
    )


def with_plain_keys(table: Table) -> Table:
    """The table; the key of one that keeps its days beside it, as dates, is but a number."""
    key = table.column(table.primary_key[0]) if len(table.primary_key) == 1 else None
    if key is None or key.date_format != DAYS or key.kind != "time" or not any(_is_same(key, c) for c in table.columns):
        return table
    plain = replace(key, date_format="", no_times=(), minimum=_number(key.minimum), maximum=_number(key.maximum))
    return replace(table, columns=tuple(plain if each is key else each for each in table.columns))


def _is_same(key: Column, other: Column) -> bool:
    """Whether another column keeps the same days, at one end at least: a row for no day may stand at the other."""
    ends = ((key.minimum, other.minimum), (key.maximum, other.maximum))
    is_date = other.kind == "time" and not other.is_numbered
    return is_date and any(str(own) == str(their)[:10] for own, their in ends)


def _number(day: dt.date) -> int:
    return int(day.strftime("%Y%m%d"))
