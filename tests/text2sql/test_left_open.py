"""What a question leaves open is asked back, each way with its own rows; what says more is answered."""

import json
from pathlib import Path

import pytest
from tests.text2sql.catalogs import asking

FOLDER = Path(__file__).parent / "left_open"
CASES = [json.loads(line) for line in (FOLDER / "questions.jsonl").read_text().splitlines()]
OPEN = [each for each in CASES if "ways" in each]
PLAIN = [each for each in CASES if "rows" in each]


@pytest.fixture(scope="module")
def ask():
    with asking((FOLDER / "climbing.sql").read_text()) as asked:
        yield asked


@pytest.mark.parametrize("case", OPEN, ids=lambda case: case["question"])
def test_it_is_asked_back_and_each_way_finds_its_rows(case, ask):
    found, _ = ask(case["question"])
    assert found.status == "needs_input"
    assert set(found.clarification.options) == set(case["ways"])
    picked = {label: ask(case["question"], label) for label in case["ways"]}
    assert {each.status for each, _ in picked.values()} == {"answered"}
    assert {label: [list(row) for row in rows] for label, (_, rows) in picked.items()} == case["ways"]


@pytest.mark.parametrize("case", PLAIN, ids=lambda case: case["question"])
def test_what_says_more_is_answered(case, ask):
    found, rows = ask(case["question"])
    assert found.status == "answered"
    assert [list(row) for row in rows] == case["rows"]


def test_what_is_left_out_closes_what_was_open(ask):
    found, rows = ask("How many sessions did we have in 2024, cancelled ones not counted?")
    assert (found.status, rows) == ("answered", [(4,)])
