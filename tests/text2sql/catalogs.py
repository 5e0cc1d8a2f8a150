"""A catalog of what a DuckDB connection holds, for tests: columns with their bounds, keys, and every stored text."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

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


@contextmanager
def asking(tables: str) -> Iterator[Callable[..., tuple[Any, Any]]]:
    """Asks over these tables: `(what came of a question, the rows of its answer)`, with no rows where there is none."""
    with duckdb.connect() as connection:
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
    with duckdb.connect() as connection:
        connection.execute(tables)
        catalog = catalog_of(connection)
    return Paraphrases(catalog, NameIndex(catalog), Analyst(catalog).terms)


def catalog_of(connection: duckdb.DuckDBPyConnection) -> Catalog:
    names = [name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables() ORDER BY 1").fetchall()]
    tables = tuple(_table(connection, name) for name in names)
    texts = [
        ("main", table.name, column.name, value)
        for table in tables
        for column in table.columns
        if column.kind == "text"
        for (value,) in connection.execute(f'SELECT DISTINCT "{column.name}" FROM "{table.name}" ORDER BY 1').fetchall()
        if value is not None
    ]
    return Catalog(tables, ValueIndex.build(texts))


def _table(connection: duckdb.DuckDBPyConnection, name: str) -> Table:
    defined = connection.execute(
        "SELECT column_name, data_type, coalesce(comment, '') FROM duckdb_columns() WHERE table_name = ?"
        " ORDER BY column_index",
        [name],
    ).fetchall()
    rows, figures = _figures(connection, name, [column for column, *_ in defined])
    columns = tuple(_column(connection, name, *each, told) for each, told in zip(defined, figures, strict=True))
    made = Table(
        name,
        "main",
        with_times(_Rows(connection), f'"{name}"', columns, {}) if rows else columns,
        primary_key=_primary_key(connection, name),
        foreign_keys=_foreign_keys(connection, name),
        row_count=rows,
    )
    return told(with_plain_keys(made), f'"{name}"', _Rows(connection).row)


class _Rows:
    """A connection as the catalog's own readers ask it."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def row(self, sql: str) -> Any:
        return self._connection.execute(sql).fetchone()


_FIGURES = "count(DISTINCT {0}), min({0}), max({0}), avg(CAST({0} IS NULL AS INTEGER))"


def _figures(connection: duckdb.DuckDBPyConnection, table: str, names: list[str]) -> tuple[int, list[tuple[Any, ...]]]:
    """How many rows a table has and, of each column, `_FIGURES`; asked at once."""
    wanted = ", ".join(["count(*)", *(_FIGURES.format(f'"{name}"') for name in names)])
    rows, *found = connection.execute(f'SELECT {wanted} FROM "{table}"').fetchall()[0]
    return rows, [tuple(found[place : place + 4]) for place in range(0, len(found), 4)]


def _column(
    connection: duckdb.DuckDBPyConnection, table: str, name: str, type_: str, comment: str, figures: tuple[Any, ...]
) -> Column:
    distinct, least, most, nulls = figures
    column = Column(
        name,
        type_,
        comment,
        n_distinct=distinct,
        minimum=least,
        maximum=most,
        null_fraction=nulls,
        samples=_samples(connection, table, name) if type_ == "VARCHAR" and distinct <= _FEW else (),
    )
    return _dated(connection, table, column) if column.kind == "text" else column


def _samples(connection: duckdb.DuckDBPyConnection, table: str, name: str) -> tuple[str, ...]:
    wanted = f'SELECT DISTINCT "{name}" FROM "{table}" WHERE "{name}" IS NOT NULL ORDER BY 1'
    return tuple(value for (value,) in connection.execute(wanted).fetchall())


def _dated(connection: duckdb.DuckDBPyConnection, table: str, column: Column) -> Column:
    """The column as one of dates where all of its texts are such, in one of a few formats."""
    if not column.n_distinct:
        return column
    dates = [f"try_strptime(\"{column.name}\", '{form}')" for form in _DATES]
    wanted = ", ".join(f"min({date}), max({date}), count({date}) = count(*)" for date in dates)
    found = connection.execute(f'SELECT {wanted} FROM "{table}"').fetchall()[0]
    for form, least, most, of_dates in zip(_DATES, found[::3], found[1::3], found[2::3], strict=True):
        if of_dates:
            return replace(column, minimum=least, maximum=most, date_format=form)
    return column


def _primary_key(connection: duckdb.DuckDBPyConnection, table: str) -> tuple[str, ...]:
    found = connection.execute(
        "SELECT constraint_column_names FROM duckdb_constraints()"
        " WHERE table_name = ? AND constraint_type = 'PRIMARY KEY'",
        [table],
    ).fetchall()
    return tuple(found[0][0]) if found else ()


def _foreign_keys(connection: duckdb.DuckDBPyConnection, table: str) -> tuple[ForeignKey, ...]:
    found = connection.execute(
        "SELECT constraint_column_names, referenced_table, referenced_column_names FROM duckdb_constraints()"
        " WHERE table_name = ? AND constraint_type = 'FOREIGN KEY'",
        [table],
    ).fetchall()
    return tuple(ForeignKey(tuple(columns), "main", other, tuple(theirs)) for columns, other, theirs in found)
