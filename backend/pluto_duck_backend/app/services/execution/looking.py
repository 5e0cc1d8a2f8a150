"""What one table looks like: columns, keys, comments, statistics, and its texts for the value index.

Definitions of all tables come from a handful of queries; what only the data tells is asked for one table at a time, by
the catalog service (catalog.py), where the table's `mark` is another than when it was last looked at.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any

from pluto_duck_backend.app.core.warehouse import Session, quote
from pluto_duck_backend.app.services.execution.declared import Declared
from pluto_duck_backend.app.services.execution.guard import Key
from pluto_duck_backend.app.services.execution.keys import Constraint, key_columns
from pluto_duck_backend.app.services.execution.number_times import with_times
from pluto_duck_backend.app.services.execution.text_dates import with_formats
from pluto_duck_backend.app.services.execution.text_lists import with_items, with_lists
from pluto_duck_backend.app.services.execution.text_numbers import with_numbers
from pluto_duck_text2sql.data import open_ends
from pluto_duck_text2sql.data.catalog import Column, ForeignKey, Table

_FEW = 3
_MOST_SORTS = 12
_ROWS_A_SORT = 3
_MOST_OF_LOOKUP = 4
_SHOWN = 5
_SHOWN_FROM = 100_000
_SAMPLED_FROM = 5_000_000
_LISTED_TO = 10_000
_AT_ONCE = 500  # columns in one query
_WITH_NAN = ("FLOAT", "DOUBLE")
_LONGEST_VALUE = 100
_FETCHED = 50_000
_NAMES = re.compile(r'"((?:[^"]|"")+)"|(\w+)')
_USER = "WHERE NOT internal AND NOT temporary"
_TABLES = (
    f"SELECT schema_name, table_name, comment, table_oid, estimated_size FROM duckdb_tables() {_USER} ORDER BY ALL"
)
_VIEWS = f"SELECT schema_name, view_name, comment, view_oid, sql FROM duckdb_views() {_USER} ORDER BY ALL"
_COLUMNS = (
    "SELECT schema_name, table_name, column_name, data_type, is_nullable, comment FROM duckdb_columns() "
    "WHERE NOT internal ORDER BY table_oid, column_index"
)
_CONSTRAINTS = (
    "SELECT schema_name, table_name, constraint_type, constraint_column_names, referenced_table, "
    "referenced_column_names FROM duckdb_constraints() WHERE constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')"
)


@dataclass(frozen=True)
class Definition:
    """A table or view as DuckDB's catalog has it; `columns` are `(name, type, nullable, comment)`."""

    key: Key
    identity: tuple[Any, ...]
    comment: str
    columns: tuple[tuple[Any, ...], ...]
    constraints: tuple[Constraint, ...]
    sql: str | None = None

    @property
    def is_view(self) -> bool:
        return self.sql is not None


def definitions(session: Session, rows: Mapping[str, int]) -> dict[Key, Definition]:
    """All tables and views, by schema and name; `rows` tells when rows were last changed in place."""
    columns, constraints = _grouped(session, _COLUMNS), _grouped(session, _CONSTRAINTS)
    found = [*((row, None) for row in session.rows(_TABLES)), *((row, row[4]) for row in session.rows(_VIEWS))]
    return {
        (row[0], row[1]): Definition(
            (row[0], row[1]),
            (*row[3:], rows.get(row[1].casefold())),
            row[2] or "",
            tuple(columns[row[0], row[1]]),
            tuple(map(_hashable, constraints[row[0], row[1]])),
            sql,
        )
        for row, sql in found
    }


def _grouped(session: Session, sql: str) -> dict[Key, list[tuple[Any, ...]]]:
    """The rows of `sql` by their first two columns."""
    found: dict[Key, list[tuple[Any, ...]]] = defaultdict(list)
    for schema, table, *rest in session.rows(sql):
        found[schema, table].append(tuple(rest))
    return found


def _hashable(row: tuple[Any, ...]) -> Constraint:
    kind, columns, table, ref_columns = row
    return kind, tuple(columns), table, tuple(ref_columns or ())


class Marks:
    """For each table what is another when it has changed: its definition and size, and those of all that it reads."""

    def __init__(self, every: Mapping[Key, Definition], sources: Mapping[Key, str]) -> None:
        self._every = every
        self._sources = sources
        self._named: dict[str, list[Key]] = defaultdict(list)
        for key in every:
            self._named[key[1].casefold()].append(key)

    def of(self, key: Key) -> tuple[Any, ...]:
        """The mark of one table; `sources` has the SQL of those that are read by a query."""
        return tuple(self._every[each] for each in self._read(key))

    def _read(self, key: Key) -> list[Key]:
        """The table, and the tables whose names are in the SQL that reads it, and so on."""
        found, left = {key: None}, [key]
        while left:
            here = left.pop()
            texts = [self._sources.get(here) or "" if here == key else "", self._every[here].sql or ""]
            names = {(quoted.replace('""', '"') or plain) for text in texts for quoted, plain in _NAMES.findall(text)}
            new = [each for name in sorted(names) for each in self._named.get(name.casefold(), ()) if each not in found]
            found |= dict.fromkeys(new)
            left += new
        return [key, *sorted(each for each in found if each != key)]


def look(
    session: Session, defined: Definition, source: str, declared: Declared, visible: Collection[str] | None
) -> Table:
    """The table with its statistics, as far as it may be seen; `source` is what it is read from."""
    plain = [
        Column(str(name), str(kind), comment or declared.column(name).description, bool(nullable))
        for name, kind, nullable, comment in defined.columns
        if visible is None or name in visible
    ]
    primary, foreign = key_columns(defined.key, defined.constraints, declared)
    count, columns = _statistics(session, source, plain, foreign)
    there = {column.name.casefold() for column in plain}
    primary = primary if _within(primary, there) else ()
    foreign = tuple(each for each in foreign if _within(each.columns, there))
    schema, name = defined.key
    kind, comment = "view" if defined.is_view else "table", defined.comment or declared.comment
    kept = (declared.preference, declared.made_from)
    table = Table(name, schema, columns, primary, foreign, comment, count, kind, *kept)
    return open_ends.told(table, source, lambda sql: session.row(sql) or ())


def _within(names: Collection[str], there: Collection[str]) -> bool:
    return all(name.casefold() in there for name in names)


def _statistics(
    session: Session, source: str, columns: Sequence[Column], foreign: Sequence[ForeignKey]
) -> tuple[int, tuple[Column, ...]]:
    """How many rows; and distinct values, least, greatest and share of NULLs of every column."""
    count = int((session.row(f"SELECT count(*) FROM {source}") or (0,))[0])
    if not columns or not count:
        return count, tuple(columns)
    sample = f" USING SAMPLE {_SAMPLED_FROM} ROWS" if count > _SAMPLED_FROM else ""
    found = _asked(session, f"(FROM {source}{sample})", [_measured(column, count) for column in columns])
    measured = [_measured_column(column, each) for column, each in zip(columns, found, strict=True)]
    pointed = {own: their for key in foreign for own, their in zip(key.columns, key.ref_columns, strict=False)}
    timed = with_times(session, source, measured, pointed)
    sampled = _with_samples(session, source, timed, count)
    dated = with_formats(session, source, sampled)
    return count, with_lists(session, source, with_numbers(session, source, dated))


def _with_samples(session: Session, source: str, columns: Sequence[Column], count: int) -> Sequence[Column]:
    """All values of columns that hold few."""
    most = {column.name: _most_kept(column, count) for column in columns}
    wanted = [column for column in columns if 0 < (column.n_distinct or 0) <= most[column.name]]
    if not wanted:
        return columns
    found = zip(wanted, _asked(session, source, [[_values(column)] for column in wanted]), strict=True)
    kept = {column.name: values for column, (values,) in found if values and len(values) <= most[column.name]}
    return [replace(column, samples=tuple(kept.get(column.name, ()))) for column in columns]


def _values(column: Column) -> str:
    """All values of a column, sorted: a DISTINCT of each takes DuckDB fifty times as long, and megabytes."""
    name = quote(column.name)
    named = f" FILTER (WHERE NOT isnan({name}))" if column.type in _WITH_NAN else ""
    return f"map_keys(histogram({name}){named})"


def _asked(session: Session, source: str, parts: Sequence[Sequence[str]]) -> list[tuple[Any, ...]]:
    """What the aggregates of each column give. Some 15,000 in one query end DuckDB's process, so they are not."""
    found: list[tuple[Any, ...]] = []
    for start in range(0, len(parts), _AT_ONCE):
        some = parts[start : start + _AT_ONCE]
        row = session.row(f"SELECT {', '.join(chain(*some))} FROM {source}") or ()
        cells = iter(row)
        found += [tuple(islice(cells, len(each))) for each in some]
    return found


def _most_kept(column: Column, count: int) -> int:
    """Two or three may be a flag's; texts that sort the rows may be more, or those of a table that others point at."""
    if column.kind == "text" and (count <= _MOST_SORTS or _sorts(column, count)):
        return _MOST_SORTS
    return _FEW if column.kind in ("text", "number") else 0


def _sorts(column: Column, count: int) -> bool:
    """Whether a text of the column stands in three rows on average."""
    filled = count * (1 - (column.null_fraction or 0))
    return (column.n_distinct or 0) * _ROWS_A_SORT <= filled


def with_lookups(tables: Sequence[Table]) -> tuple[Table, ...]:
    """The tables; of the smallest only those keep their texts by which the rows of others are sorted.

    Such a table has few columns, and three rows of others point at each of its own on average.
    """
    pointing: dict[Key, int] = defaultdict(int)
    for key, rows in ((key, table.row_count or 0) for table in tables for key in table.foreign_keys):
        pointing[key.ref_schema, key.ref_table] += rows
    return tuple(
        _looked_up(table, pointing[table.key]) if 0 < (table.row_count or 0) <= _MOST_SORTS else table
        for table in tables
    )


def _looked_up(table: Table, pointing: int) -> Table:
    rows = table.row_count or 0
    is_lookup = len(table.columns) <= _MOST_OF_LOOKUP and pointing >= _ROWS_A_SORT * rows
    columns = tuple(
        replace(column, samples=(), lookup=column.samples if is_lookup else ())
        if column.kind == "text" and len(column.samples) > _FEW and not _sorts(column, rows)
        else column
        for column in table.columns
    )
    return replace(table, columns=columns)


def _measured(column: Column, count: int) -> list[str]:
    """For few rows a list of them, since a DISTINCT of each column costs DuckDB more than the rows do."""
    name = quote(column.name)
    ordered = column.kind in ("number", "time")
    distinct = f"list_unique(list({name}))" if count <= _LISTED_TO else f"count(DISTINCT {name})"
    least, greatest = (f"min({name})", f"max({name})") if ordered else ("NULL", "NULL")
    return [distinct if column.kind != "other" else "NULL", least, greatest, f"count({name}) / count(*)"]


def _measured_column(column: Column, measured: Sequence[Any]) -> Column:
    distinct, least, greatest, filled = measured
    empty = None if filled is None else round(1 - filled, 6)
    return replace(column, n_distinct=distinct, minimum=least, maximum=greatest, null_fraction=empty)


def frequent(session: Session, table: Table, source: str) -> dict[str, list[Any]]:
    """By column, the values that most rows have, the most frequent first; of a sample where there are many rows.

    Not of columns where each row has its own, nor of those whose values have no order (lists, structures, bytes).
    """
    told = [column for column in table.columns if column.kind != "other" and _repeats(column, table.row_count or 0)]
    if not told:
        return {}
    shown = ", ".join(f"approx_top_k({quote(column.name)}, {_SHOWN})" for column in told)
    many = (table.row_count or 0) > _SHOWN_FROM
    sample = f" USING SAMPLE {_SHOWN_FROM} ROWS" if many else ""
    row = session.row(f"SELECT {shown} FROM (FROM {source}{sample})") or [()] * len(told)
    found = zip(told, row, strict=True)
    return {column.name: [each for each in values or () if each is not None] for column, values in found}


def _repeats(column: Column, rows: int) -> bool:
    return 0 < (column.n_distinct or 0) < rows * (1 - (column.null_fraction or 0)) or rows == 1


def texts(session: Session, table: Table, source: str, limit: int) -> Iterator[tuple[str, list[str]]]:
    """The distinct short texts of each text column, the most frequent first: `(column, some of them)`; of lists also
    what they list."""
    for column in table.columns:
        if column.kind == "text" and table.row_count:
            session.execute(_texts(table, column, source, limit))
            found = _fetched(session)
            mark = column.listed_by
            yield from ((column.name, some) for some in (with_items(found, mark) if mark else found))


def _fetched(session: Session) -> Iterator[list[str]]:
    while rows := session.fetchmany(_FETCHED):
        yield [row[0] for row in rows]


def _texts(table: Table, column: Column, source: str, limit: int) -> str:
    text = f"CAST({quote(column.name)} AS VARCHAR)"
    filled = round((table.row_count or 0) * (1 - (column.null_fraction or 0)))
    unique = column.n_distinct == filled and (table.row_count or 0) <= _SAMPLED_FROM
    distinct = "" if unique else "GROUP BY 1 ORDER BY count(*) DESC, 1 "
    return f"SELECT {text} FROM {source} WHERE length({text}) BETWEEN 1 AND {_LONGEST_VALUE} {distinct}LIMIT {limit}"
