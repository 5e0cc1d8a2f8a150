"""What trade calls late, open, in store, over small databases (operations/)."""

from pathlib import Path

import pytest
from tests.text2sql.databases import answered, cases_of, closed, opened

_HERE = Path(__file__).parent
_CASES = cases_of(_HERE / "operations/questions.jsonl")


@pytest.fixture(scope="module")
def databases():
    made = opened(_HERE / "operations")
    yield made
    closed(made)


@pytest.mark.parametrize("case", [each for each in _CASES if "sql" in each], ids=lambda case: case["question"])
def test_the_rows_are_those_asked_for(case, databases):
    wanted, given, sql = answered(databases, case)
    assert sorted(given, key=str) == sorted(wanted, key=str), sql


@pytest.mark.parametrize("case", [each for each in _CASES if "status" in each], ids=lambda case: case["question"])
def test_what_no_column_tells_is_not_answered(case, databases):
    connection, analyst = databases[case["db"]]
    found = analyst.ask(case["question"], run=lambda sql: connection.execute(sql).fetchall())
    assert found.status == case["status"], found.candidates[0].sql


def test_by_which_columns_rows_are_late_is_told(databases):
    connection, analyst = databases["wharf"]
    found = analyst.ask("How many deliveries are late?", run=lambda sql: connection.execute(sql).fetchall())
    told = "arrived_on after expected_on, or expected_on before 2025-03-04 and no arrived_on"
    assert any(told in line for line in found.candidates[0].reading)
