"""Times asked for in many wordings (times/questions.jsonl), on two databases that nothing else here knows."""

import datetime as dt
from pathlib import Path

import pytest
from tests.text2sql.databases import answered, cases_of, closed, opened

_HERE = Path(__file__).with_name("times")
_CASES = cases_of(_HERE / "questions.jsonl")


@pytest.fixture(scope="module")
def databases():
    made = opened(_HERE, today=dt.date(2026, 3, 10))
    yield made
    closed(made)


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["question"])
def test_the_rows_are_those_asked_for(case, databases):
    wanted, given, sql = answered(databases, case)
    assert sorted(given, key=str) == sorted(wanted, key=str), sql


@pytest.mark.parametrize("span", ["31 April to 30 June", "1 January to 29 February", "0 May to 99 May"])
def test_days_that_not_every_year_has_are_no_part_of_years(span, databases):
    connection, analyst = databases["store"]
    asked = f"How many purchases were there from {span}, in 2019 and in 2020?"
    found = analyst.ask(asked, run=lambda sql: connection.execute(sql).fetchall())
    assert found.status in ("answered", "needs_input", "cannot_answer")
