"""Questions over several tables as benchmarks ask them, dates kept as texts (relational/): the rows asked for."""

from pathlib import Path

import pytest
from tests.text2sql.databases import answered, cases_of, closed, opened

_HERE = Path(__file__).parent
_CASES = cases_of(_HERE / "relational/questions.jsonl")


@pytest.fixture(scope="module")
def databases():
    made = opened(_HERE / "relational")
    yield made
    closed(made)


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["question"])
def test_the_rows_are_those_asked_for(case, databases):
    wanted, given, sql = answered(databases, case)
    if not case.get("ordered"):
        wanted, given = (sorted(rows, key=str) for rows in (wanted, given))
    assert given == wanted, sql
