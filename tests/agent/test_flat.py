"""The suite of questions over files that everybody knows: each has the rows that its SQL gives over the file as DuckDB
reads it."""

import duckdb
import pytest
from tests.contracts.reference import ROOT

from pluto_duck_backend.agent.evaluation import load_suite
from pluto_duck_backend.agent.evaluation_match import matches
from pluto_duck_backend.app.services.execution.results import json_value

FILES = ROOT / "tests" / "fixtures" / "flat"
CASES = [case for case in load_suite(ROOT / "tests" / "fixtures" / "suites" / "flat.jsonl") if case.answerable]


@pytest.mark.parametrize("name", sorted({case.db for case in CASES}))
def test_the_rows_of_a_question_are_those_of_its_sql(name):
    with duckdb.connect() as connection:
        for path in sorted((FILES / name).glob("*.csv.gz")):
            connection.execute(f"CREATE TABLE {path.name.split('.')[0]} AS FROM read_csv_auto('{path}')")
        for case in (each for each in CASES if each.db == name):
            rows = [[json_value(cell) for cell in row] for row in connection.execute(case.sql).fetchall()]
            assert matches(case.rows, rows, ordered=case.ordered and not case.limited), case.id
