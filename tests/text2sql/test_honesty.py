"""What the data does not keep is refused, over a small database; look-alikes are answered."""

from pathlib import Path

import pytest
from tests.text2sql.databases import answered, cases_of, closed, opened

_HERE = Path(__file__).parent / "honesty"
_CASES = [{"db": "ferry", **case} for case in cases_of(_HERE / "questions.jsonl")]


@pytest.fixture(scope="module")
def databases():
    made = opened(_HERE)
    yield made
    closed(made)


@pytest.mark.parametrize("case", [each for each in _CASES if "sql" in each], ids=lambda case: case["question"])
def test_what_the_data_keeps_is_answered(case, databases):
    wanted, given, sql = answered(databases, case)
    assert sorted(given, key=str) == sorted(wanted, key=str), sql


@pytest.mark.parametrize("case", [each for each in _CASES if "refused" in each], ids=lambda case: case["question"])
def test_what_it_does_not_keep_is_refused_with_the_reason(case, databases):
    connection, analyst = databases[case["db"]]
    found = analyst.ask(case["question"], run=lambda sql: connection.execute(sql).fetchall())
    assert found.status == "cannot_answer", found.candidates[0].sql
    assert case["refused"] in found.message
