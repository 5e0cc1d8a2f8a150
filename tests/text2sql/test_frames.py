"""Cohorts, funnels and other framed questions in many wordings (frames/questions.jsonl), on three small databases."""

import datetime as dt
from pathlib import Path

import pytest
from tests.text2sql.databases import answered, cases_of, closed, opened

_HERE = Path(__file__).parent
_CASES = cases_of(_HERE / "frames/questions.jsonl")


@pytest.fixture(scope="module")
def databases():
    made = opened(_HERE / "times", _HERE / "frames", today=dt.date(2026, 3, 10))
    yield made
    closed(made)


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["question"])
def test_the_rows_are_those_asked_for(case, databases):
    wanted, given, sql = answered(databases, case)
    assert sorted(given, key=str) == sorted(wanted, key=str), sql
