"""Texts that are dates: 2013-08-29, 8/29/2013 9:08, 29.08.2013, Aug 29, 2013. Their format, first and last day.

Of a time with its distance to UTC (`2024-03-01 10:00:00 +0200`) the time is read as it is written.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pluto_duck_backend.app.core.warehouse import Session, literal, quote
from pluto_duck_text2sql.data.catalog import Column
from pluto_duck_text2sql.data.text_times import WITH_ZONE, ZONE, without_zone

ISO = "%Y-%m-%d"
_DAYS = (
    *(ISO, "%m/%d/%Y", "%d/%m/%Y", "%d.%m.%Y", "%m-%d-%Y", "%d-%m-%Y"),
    *("%b %d, %Y", "%B %d, %Y", "%d %b %Y", "%d %B %Y", "%d-%b-%Y", "%d-%b-%y"),
    *("%d/%b/%Y", "%d/%b/%y", "%A, %B %d, %Y"),
)
_MONTHS = ("%b-%y", "%b-%Y", "%b %Y", "%B %Y")
#   a month alone: its first day
_TIMES = ("", " %H:%M", " %H:%M:%S", " %H:%M:%S.%f", " %I:%M %p", " %I:%M:%S %p")
_LETTERED = (f"{ISO}T%H:%M", f"{ISO}T%H:%M:%S", f"{ISO}T%H:%M:%S.%f", "%Y%m%dT%H%M%S")
_WITHOUT_ZONE = (*(f"{day}{time}" for day in _DAYS for time in _TIMES), *_LETTERED, *_MONTHS)
_FORMATS = (*_WITHOUT_ZONE, *(f"{each}{WITH_ZONE}" for each in _WITHOUT_ZONE if "%S" in each))
_YEAR = re.compile(r"\d{4}|(?:\d([-/])[A-Za-z]{3}\1|^[A-Za-z]{3}-)\d\d\b")
#   what each of the formats has: four digits, or two after a month that is spelt
_LOOKED_AT = 50


def with_formats(session: Session, source: str, columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns; those whose texts are all dates of one format know it, and the first and last of them."""
    told = [column for column in columns if column.kind == "text" and column.n_distinct]
    if not told:
        return tuple(columns)
    shown = ", ".join(f"CAST({quote(each.name)} AS VARCHAR)" for each in told)
    rows = session.rows(f"SELECT {shown} FROM {source} LIMIT {_LOOKED_AT}")
    dated = {
        column.name: _dated(session, source, column, [row[n] for row in rows if row[n]])
        for n, column in enumerate(told)
    }
    return tuple(dated.get(column.name, column) for column in columns)


def _dated(session: Session, source: str, column: Column, texts: Sequence[str]) -> Column:
    """The column with its format, where one alone reads all of its texts."""
    has_years = bool(texts) and all(map(_YEAR.search, texts))
    likely = [each for each in _FORMATS if has_years and all(_reads(each, text) for text in texts)]
    found = list(_reading_all(session, source, column, likely))
    if len(found) != 1:
        return column
    form, first, last = found[0]
    return replace(column, date_format=form, minimum=first, maximum=last)


def _reads(form: str, text: str) -> bool:
    text, found = (re.sub(ZONE, "", text), re.search(ZONE, text)) if form.endswith(WITH_ZONE) else (text, True)
    if not found:
        return False
    try:
        dt.datetime.strptime(text, without_zone(form))
    except ValueError:
        return False
    return True


def _reading_all(
    session: Session, source: str, column: Column, forms: Sequence[str]
) -> Iterator[tuple[str, dt.datetime, dt.datetime]]:
    """Those of the formats that read every text, with the first and the last time."""
    name = f"CAST({quote(column.name)} AS VARCHAR)"
    for form in forms:
        text = f"regexp_replace({name}, {literal(ZONE)}, '')" if form.endswith(WITH_ZONE) else name
        read = f"try_strptime({text}, {literal(without_zone(form))})"
        row = session.row(f"SELECT min({read}), max({read}), count({read}) = count(nullif({name}, '')) FROM {source}")
        if row and row[2] and row[0]:
            yield form, row[0], row[1]
