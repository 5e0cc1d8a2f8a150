"""A catalog of what a DuckDB connection holds, for tests: columns with their bounds, keys, and every stored text.

Made hundreds of times, so each table is asked once.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

import duckdb

from pluto_duck_backend.app.services.execution.number_times import with_plain_keys, with_times
from pluto_duck_text2sql import Analysis, Analyst, Catalog, Column, ForeignKey, Table, ValueIndex
from pluto_duck_text2sql.asking_back.in_words import name_in
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.data.open_ends import told
from pluto_duck_text2sql.rewording.paraphrases import Paraphrases

_FEW = 3
"""Texts of which there are at most so many are the column's samples."""
_DATES = ("%m/%d/%Y %H:%M", "%Y-%m-%d")
_COLUMNS = (
    "SELECT table_name, column_name, data_type, coalesce(comment, '') FROM duckdb_columns() ORDER BY column_index"
)
_KEYS = (
    "SELECT table_name, constraint_type, constraint_column_names, referenced_table, referenced_column_names"
    " FROM duckdb_constraints()"
)
_FIGURES = "list_sort(list_distinct(list({0}))), min({0}), max({0}), count({0})"


def in_memory() -> duckdb.DuckDBPyConnection:
    """A database for small tables: of more threads each query would only start and await them."""
    return duckdb.connect(config={"threads": 1})


@contextmanager
def asking(tables: str) -> Iterator[Callable[..., tuple[Any, Any]]]:
    """Asks over these tables: `(what came of a question, the rows of its answer)`, with no rows where there is none."""
    with in_memory() as connection:
        connection.execute(tables)
        analyst = Analyst(catalog_of(connection))

        def run(sql: str) -> Any:
            return connection.execute(sql).fetchall()

        def asked(question: str, choice: str | None = None, history: Sequence[str] = ()) -> tuple[Any, Any]:
            found = analyst.ask(question, run=run, choice=choice, history=history)
            return found, run(found.candidates[0].sql) if found.candidates else None

        yield asked


def names(found: Analysis) -> list[str]:
    """What finds the options of a question back again, without the words before it."""
    options = found.clarification.options if found.clarification else ()
    return [("by " if each.startswith("by ") else "") + name_in(each) for each in options]


def paraphrases_over(tables: str) -> Paraphrases:
    """What puts questions into the words of these tables."""
    with in_memory() as connection:
        connection.execute(tables)
        catalog = catalog_of(connection)
    return Paraphrases(catalog, NameIndex(catalog), Analyst(catalog).terms)


class _Stored(NamedTuple):
    """What a column holds: each value once in order, the ends, how many there are."""

    values: list[Any]
    least: Any
    most: Any
    filled: int


def catalog_of(connection: duckdb.DuckDBPyConnection) -> Catalog:
    keys = connection.execute(_KEYS).fetchall()
    tables, texts = [], []
    for name, defined in sorted(_defined(connection).items()):
        rows, stored = _read(connection, name, [column for column, *_ in defined])
        tables.append(_table(connection, name, defined, rows, stored, [key[1:] for key in keys if key[0] == name]))
        texts += [
            ("main", name, column.name, value)
            for column, held in zip(tables[-1].columns, stored, strict=True)
            if column.kind == "text"
            for value in held.values
        ]
    return Catalog(tuple(tables), ValueIndex.build(texts))


def _defined(connection: duckdb.DuckDBPyConnection) -> dict[str, list[tuple[str, str, str]]]:
    """The name, type and comment of every column of each table."""
    names = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
    found: dict[str, list[tuple[str, str, str]]] = {name: [] for (name,) in names}
    for table, *column in connection.execute(_COLUMNS).fetchall():
        if table in found:
            found[table].append(tuple(column))
    return found


def _read(connection: duckdb.DuckDBPyConnection, table: str, names: list[str]) -> tuple[int, list[_Stored]]:
    """How many rows a table has, and what its columns hold."""
    wanted = ", ".join(["count(*)", *(_FIGURES.format(f'"{name}"') for name in names)])
    rows, *found = connection.execute(f'SELECT {wanted} FROM "{table}"').fetchall()[0]
    each = (found[place : place + 4] for place in range(0, len(found), 4))
    return rows, [_Stored(values or [], *rest) for values, *rest in each]


def _table(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    defined: list[tuple[str, str, str]],
    rows: int,
    stored: list[_Stored],
    keys: list[tuple[Any, ...]],
) -> Table:
    of_types = zip(defined, stored, strict=True)
    columns = tuple(_column(connection, name, *each, held, rows) for each, held in of_types)
    made = Table(
        name,
        "main",
        with_times(_Rows(connection), f'"{name}"', columns, {}) if rows else columns,
        primary_key=next((tuple(own) for kind, own, *_ in keys if kind == "PRIMARY KEY"), ()),
        foreign_keys=tuple(
            ForeignKey(tuple(own), "main", other, tuple(theirs))
            for kind, own, other, theirs in keys
            if kind == "FOREIGN KEY"
        ),
        row_count=rows,
    )
    return told(with_plain_keys(made), f'"{name}"', _Rows(connection).row)


class _Rows:
    """A connection as the catalog's own readers ask it."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def row(self, sql: str) -> Any:
        return self._connection.execute(sql).fetchone()


def _column(
    connection: duckdb.DuckDBPyConnection, table: str, name: str, type_: str, comment: str, held: _Stored, rows: int
) -> Column:
    column = Column(
        name,
        type_,
        comment,
        n_distinct=len(held.values),
        minimum=held.least,
        maximum=held.most,
        null_fraction=(rows - held.filled) / rows if rows else None,
        samples=tuple(held.values) if type_ == "VARCHAR" and len(held.values) <= _FEW else (),
    )
    may_be_dates = column.kind == "text" and held.values and all(str(each)[:1].isdigit() for each in held.values)
    return _dated(connection, table, column) if may_be_dates else column


def _dated(connection: duckdb.DuckDBPyConnection, table: str, column: Column) -> Column:
    """The column as one of dates where all of its texts are such, in one of a few formats."""
    dates = [f"try_strptime(\"{column.name}\", '{form}')" for form in _DATES]
    wanted = ", ".join(f"min({date}), max({date}), count({date}) = count(*)" for date in dates)
    found = connection.execute(f'SELECT {wanted} FROM "{table}"').fetchall()[0]
    for form, least, most, of_dates in zip(_DATES, found[::3], found[1::3], found[2::3], strict=True):
        if of_dates:
            return replace(column, minimum=least, maximum=most, date_format=form)
    return column
