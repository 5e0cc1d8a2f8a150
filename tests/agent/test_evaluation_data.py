"""The shipped suites agree with the data they were made from: every expected SQL gives its expected rows.

The data lies beside the project (PLUTODUCK_SHARED); without it these tests are skipped.
"""

import json
import os
import sqlite3
from pathlib import Path

import duckdb
import pytest

from pluto_duck_backend.agent.evaluation import Outcome, evaluate, load_suite

ROOT = Path(__file__).parents[2]
SHARED = Path(os.environ.get("PLUTODUCK_SHARED", ROOT.parent / "shared"))
SUITES = ROOT / "tests" / "fixtures" / "suites"
FILES = {
    "chinook": "data/chinook.sqlite",
    "northwind": "data/northwind.sqlite",
    "titanic": "data/titanic.sqlite",
    "shopify": "data/shopify.duckdb",
    "tpch": "data/tpch",
    "sakila_1": "nl2sql/databases/sakila_1.sqlite",
    "bike_1": "nl2sql/databases/bike_1.sqlite",
    "formula_1": "nl2sql/databases/formula_1.sqlite",
}


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def opened(path, scratch):
    """A DuckDB connection over a SQLite file, a DuckDB file or a folder of Parquet files."""
    if path.suffix == ".duckdb":
        return duckdb.connect(path, read_only=True)
    con = duckdb.connect()
    for file in path.glob("*.parquet"):
        con.execute(f"create table {quoted(file.stem)} as from read_parquet(?)", [str(file)])
    if path.suffix == ".sqlite":
        source = sqlite3.connect(path)
        source.text_factory = lambda stored: stored.decode(errors="replace")
        load_sqlite(con, source, scratch)
    return con


def load_sqlite(con, source, scratch):
    for (table,) in source.execute("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'"):
        cursor = source.execute(f"select * from {quoted(table)}")
        names, rows = [column[0] for column in cursor.description], cursor.fetchall()
        types = [type_of([row[i] for row in rows if row[i] is not None]) for i in range(len(names))]
        fields = ", ".join(f"{quoted(name)} {kind}" for name, kind in zip(names, types, strict=True))
        con.execute(f"create table {quoted(table)} ({fields})")
        kept = [[None if isinstance(cell, bytes) else cell for cell in row] for row in rows]
        insert_all(con, table, names, kept, scratch)


def insert_all(con, table, names, rows, scratch):
    """By way of a JSON file: bound values, row by row, take seconds."""
    file = scratch / "rows.json"
    file.write_text("\n".join(json.dumps(dict(zip(names, row, strict=True))) for row in rows))
    fields = {name: kind for name, kind, *_ in con.execute(f"describe {quoted(table)}").fetchall()}
    con.execute(
        f"insert into {quoted(table)} from read_json(?, format = 'newline_delimited', columns = {fields})", [str(file)]
    )


def type_of(values):
    """The narrowest DuckDB type that holds all the values stored."""
    kinds = {type(value) for value in values}
    if kinds and kinds <= {int, float}:
        return "BIGINT" if kinds == {int} else "DOUBLE"
    if kinds == {str} and all(value[4:5] == value[7:8] == "-" and len(value) in (10, 19, 23) for value in values):
        return "TIMESTAMP"
    return "VARCHAR"


@pytest.mark.parametrize("db", FILES)
def test_every_expected_row_comes_from_the_expected_sql(db, tmp_path):
    path = SHARED / FILES[db]
    if not path.exists():
        pytest.skip(f"{path.name} is not beside the project (PLUTODUCK_SHARED)")
    with opened(path, tmp_path) as con:
        report = evaluate(asked_of(db), lambda case: Outcome("succeeded", con.execute(case.sql).fetchall()))
    assert report.rights()
    assert [(each.id, each.expected, each.actual) for each in report.wrong()] == []


def asked_of(db):
    """The questions of all suites about one database that have an answer, as one suite."""
    return [case for file in sorted(SUITES.glob("*.jsonl")) for case in load_suite(file) if case.db == db and case.sql]
