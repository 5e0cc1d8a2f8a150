"""What is said in everyday words of people, times and what each has, over small databases (spoken/)."""

from pathlib import Path

import pytest
from tests.text2sql.databases import answered, cases_of, closed, opened

_HERE = Path(__file__).parent
_CASES = cases_of(_HERE / "spoken/questions.jsonl")


@pytest.fixture(scope="module")
def databases():
    made = opened(_HERE / "spoken")
    yield made
    closed(made)


@pytest.mark.parametrize("case", [each for each in _CASES if "sql" in each], ids=lambda case: case["question"])
def test_the_rows_are_those_asked_for(case, databases):
    wanted, given, sql = answered(databases, case)
    assert sorted(given, key=str) == sorted(wanted, key=str), sql


@pytest.mark.parametrize("case", [each for each in _CASES if "status" in each], ids=lambda case: case["question"])
def test_what_no_query_picks_is_not_answered(case, databases):
    connection, analyst = databases[case["db"]]
    found = analyst.ask(case["question"], run=lambda sql: connection.execute(sql).fetchall())
    assert found.status == case["status"]


def test_the_days_of_a_fiscal_quarter_are_told(databases):
    connection, analyst = databases["stall"]
    asked = "Revenue in fiscal Q2 2024, our fiscal year starts in July"
    found = analyst.ask(asked, run=lambda sql: connection.execute(sql).fetchall())
    assert "Quarter 2 of the fiscal year 2024 is 2023-10-01 to 2023-12-31." in found.candidates[0].assumptions
