"""What two columns or tables are called alike is asked back, each way with its own rows; what says one is answered."""

import json
from pathlib import Path

import pytest
from tests.text2sql.catalogs import asking

FOLDER = Path(__file__).parent / "alike"
CASES = [json.loads(line) for line in (FOLDER / "questions.jsonl").read_text().splitlines()]
OPEN = [each for each in CASES if "ways" in each]
PLAIN = [each for each in CASES if "rows" in each]


@pytest.fixture(scope="module")
def ask():
    with asking((FOLDER / "haulage.sql").read_text()) as asked:
        yield asked


@pytest.mark.parametrize("case", OPEN, ids=lambda case: case["question"])
def test_it_is_asked_back_and_each_way_finds_its_rows(case, ask):
    found, _ = ask(case["question"])
    assert found.status == "needs_input"
    assert set(found.clarification.options) == set(case["ways"])
    picked = {label: [list(row) for row in ask(case["question"], label)[1]] for label in case["ways"]}
    assert picked == case["ways"]


@pytest.mark.parametrize("case", PLAIN, ids=lambda case: case["question"])
def test_what_says_one_is_answered(case, ask):
    found, rows = ask(case["question"])
    assert (found.status, [list(row) for row in rows]) == ("answered", case["rows"])
