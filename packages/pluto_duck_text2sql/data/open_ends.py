"""Ends that stand for none: what still holds is kept as ending on 9999-12-31, 9999-01-01 or 2099-12-31, with no NULL.

`told` asks the data once, when the catalog is made: from which day on an end is none, and whether a row begins on the
day on which the former one ends. `as_gaps` makes of it what the analyst reads: such an end is missing, as a NULL is.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Column, OpenEnd, Table
from pluto_duck_text2sql.data.date_names import begins, ends
from pluto_duck_text2sql.data.numbered_times import read, whole
from pluto_duck_text2sql.language.words import name_stems

Ask = Callable[[str], Sequence[Any]]
"""What a query finds: its one row."""
_FAR_YEAR, _DOUBTFUL_YEAR = 2200, 2040
"""From the first year on a day is none; from the other on it may be, where it lies far beyond the rest."""
_BEYOND, _LEAST_ROWS = 20, 2
_KEYS = frozenset(name_stems("id key code number no nr nk sk"))
_MOST_KEYS, _MOST_THINGS = 4, 1000
_ABUT = 0.5


def told(table: Table, source: str, ask: Ask) -> Table:
    """The table, its ends with what the data tells of them; `source` is what it is read from."""
    if not table.row_count or not table.has_times:
        return table
    columns = tuple(_with_open_end(each, source, table.row_count, ask) for each in table.columns)
    return _with_meeting_ends(replace(table, columns=columns), source, ask)


def as_gaps(catalog: Catalog) -> Catalog:
    """The catalog in which an end that stands for none is missing; itself where there is no such end."""
    if not any(each.open_end for table in catalog.tables for each in table.columns):
        return catalog
    tables = (replace(table, columns=tuple(map(_as_gap, table.columns))) for table in catalog.tables)
    return replace(catalog, tables=tuple(tables))


def _as_gap(column: Column) -> Column:
    end = column.open_end
    if end is None:
        return column
    missing = (column.null_fraction or 0) + end.fraction
    least = column.minimum if end.last is not None else None
    return replace(column, minimum=least, maximum=end.last, null_fraction=round(missing, 6))


def _with_open_end(column: Column, source: str, rows: int, ask: Ask) -> Column:
    latest = _day(column.maximum) if column.kind == "time" else None
    if latest is None or latest.year < _DOUBTFUL_YEAR:
        return column
    name, far = _read(column), min(latest, dt.date(_FAR_YEAR, 1, 1))
    is_far = f"FILTER (WHERE {name} >= DATE '{far}')"
    last, first, count = ask(
        f"SELECT max({name}) FILTER (WHERE {name} < DATE '{far}'), CAST(min({name}) {is_far} AS DATE),"
        f" count(*) {is_far} FROM {source}"
    )
    if not count or not (latest.year >= _FAR_YEAR or _is_beyond(latest, _day(last), count)):
        return column
    return replace(column, open_end=OpenEnd(first, last, count / rows, bool(column.null_fraction)))


def _is_beyond(latest: dt.date, last: dt.date | None, count: int) -> bool:
    """Whether a day that several rows have lies decades after all others."""
    return last is not None and count >= _LEAST_ROWS and latest.year - last.year >= _BEYOND


def _with_meeting_ends(table: Table, source: str, ask: Ask) -> Table:
    times = [(table.stems(each.name), each) for each in table.columns if each.kind == "time"]
    last = [each for stems, each in times if ends(stems)]
    first = [each for stems, each in times if begins(stems) and each not in last]
    if len(first) != 1 or len(last) != 1:
        return table
    start, end = first[0], last[0]
    if not any(_abut(key, start, end, source, ask) for key in _keys(table, start)):
        return table
    return replace(table, columns=tuple(replace(each, meets_next=each is end) for each in table.columns))


def _keys(table: Table, start: Column) -> Iterator[tuple[str, ...]]:
    """What may tell that rows are of the same thing: the key but for the start, else a key that several rows share."""
    if start.name in table.primary_key:
        yield tuple(each for each in table.primary_key if each != start.name)
    shared = (each for each in table.columns if not _KEYS.isdisjoint(table.stems(each.name)[-1:]))
    repeated = [each.name for each in shared if 0 < (each.n_distinct or 0) < (table.row_count or 0)]
    yield from ((each,) for each in repeated[:_MOST_KEYS])


def _abut(key: tuple[str, ...], start: Column, end: Column, source: str, ask: Ask) -> bool:
    """Whether most rows that others follow end on the day on which the next one begins."""
    if not key:
        return False
    names, first, last = ", ".join(map(_quoted, key)), _read(start), _read(end)
    some = f"SELECT {names} FROM {source} GROUP BY {names} HAVING count(*) > 1 ORDER BY {names} LIMIT {_MOST_THINGS}"
    meets, followed = ask(
        f"SELECT count(*) FILTER (WHERE meets = begun), count(begun) FROM (SELECT {last} AS meets,"
        f" lead({first}) OVER (PARTITION BY {names} ORDER BY {first}, {last}) AS begun"
        f" FROM {source} WHERE ({names}) IN ({some}))"
    )
    return followed >= _LEAST_ROWS and meets > _ABUT * followed


def _day(value: Any) -> dt.date | None:
    value = value.date() if isinstance(value, dt.datetime) else value
    return value if isinstance(value, dt.date) else None


def _read(column: Column) -> str:
    """DuckDB's SQL for a time, also where it is kept as a number."""
    name = _quoted(column.name)
    return read(whole(name, column.type), column.date_format, column.no_times) if column.is_numbered else name


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
