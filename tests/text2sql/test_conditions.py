"""What restricts rows, said in many ways, over two small databases; each case has the SQL that must find the same."""

import json
from pathlib import Path

import duckdb
import pytest

from pluto_duck_text2sql import Analyst, Catalog, Column, ForeignKey, Table, ValueIndex

FIXTURES = Path(__file__).parents[1] / "fixtures" / "conditions"
CASES = [json.loads(line) for line in (FIXTURES / "cases.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def databases():
    opened = {name: duckdb.connect() for name in ("shop", "clinic")}
    for name, connection in opened.items():
        connection.execute((FIXTURES / f"{name}.sql").read_text())
    yield {name: (connection, Analyst(catalog(connection))) for name, connection in opened.items()}
    for connection in opened.values():
        connection.close()


def catalog(connection):
    names = [row[0] for row in connection.execute("FROM (SHOW TABLES)").fetchall()]
    tables = tuple(table(connection, name) for name in names)
    stored = ((each, column) for each in tables for column in each.columns)
    values = [("main", each.name, one.name, text) for each, one in stored for text in texts(connection, each, one)]
    return Catalog(tables, ValueIndex.build(values))


def table(connection, name):
    count = connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
    described = connection.execute(f"DESCRIBE {name}").fetchall()
    columns = tuple(column(connection, name, each[0], each[1]) for each in described)
    foreign = connection.execute(
        "SELECT constraint_column_names, referenced_table, referenced_column_names FROM duckdb_constraints()"
        f" WHERE table_name = '{name}' AND constraint_type = 'FOREIGN KEY'"
    ).fetchall()
    keys = tuple(ForeignKey(tuple(own), "main", other, tuple(theirs)) for own, other, theirs in foreign)
    return Table(name, "main", columns, (described[0][0],), keys, row_count=count)


def column(connection, owner, name, kind):
    distinct, least, greatest, missing = connection.execute(
        f"SELECT count(DISTINCT {name}), min({name}), max({name}), 1 - count({name}) / count(*) FROM {owner}"
    ).fetchone()
    rows = connection.execute(f"SELECT DISTINCT {name} FROM {owner} WHERE {name} IS NOT NULL ORDER BY 1").fetchall()
    samples = tuple(row[0] for row in rows) if len(rows) < 4 else ()
    return Column(
        name, kind, n_distinct=distinct, minimum=least, maximum=greatest, null_fraction=missing, samples=samples
    )


def texts(connection, owner, column):
    if column.kind != "text":
        return []
    rows = connection.execute(f"SELECT DISTINCT {column.name} FROM {owner.name} WHERE {column.name} IS NOT NULL")
    return [row[0] for row in rows.fetchall()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["q"])
def test_the_rows_that_are_meant(case, databases):
    connection, analyst = databases[case["db"]]
    found = analyst.ask(case["q"], run=lambda sql: connection.execute(sql).fetchall())
    assert found.status == "answered", found.message
    rows = connection.execute(found.candidates[0].sql).fetchall()
    assert sorted(map(str, rows)) == sorted(map(str, connection.execute(case["sql"]).fetchall()))


@pytest.mark.parametrize(
    ("db", "question", "word"),
    [
        ("shop", "How many warehouses do we have?", "'warehouses'"),
        ("shop", "Which textbooks are used in Bern?", "'textbooks'"),
        ("clinic", "How many nurses worked in 2023?", "'nurses'"),
        ("clinic", "What is the average cholesterol of the patients?", "'cholesterol'"),
    ],
)
def test_what_names_nothing_is_said(db, question, word, databases):
    connection, analyst = databases[db]
    found = analyst.ask(question, run=lambda sql: connection.execute(sql).fetchall())
    assert found.status == "cannot_answer"
    assert word in found.message
