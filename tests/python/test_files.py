"""Questions over single files as people have them: exports of shops, banks and trackers, tables that everybody knows.

Each file is loaded as anybody would, and the rows of an answer are those of the SQL written by hand for its question.
"""

import json
import math
from itertools import permutations
from pathlib import Path

import pytest

import pluto_duck

FILES = Path(__file__).with_name("files")
CASES = [json.loads(line) for line in (FILES / "questions.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def duck(tmp_path_factory):
    """The library over one root a file, opened when it is first asked."""
    opened = {}

    def over(name):
        if name not in opened:
            opened[name] = pluto_duck.connect(tmp_path_factory.mktemp(name))
            opened[name].load(FILES / f"{name}.csv")
        return opened[name]

    yield over
    for each in opened.values():
        each.close()


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['file']}: {case['question']}")
def test_the_rows_are_those_asked_for(case, duck):
    over = duck(case["file"])
    answer = over.ask(case["question"])
    assert answer.status == "succeeded", answer.text
    assert _rows(answer.pl().rows()) == _rows(over.sql(case["sql"]).pl().rows()), answer.sql


def _rows(rows):
    return sorted((tuple(map(_plain, row)) for row in rows), key=str)


def _plain(cell):
    """A cell, numbers alike to six digits behind the point, texts of numbers as these."""
    try:
        number = float(cell)
    except (TypeError, ValueError):
        return str(cell)
    return round(number, 6) + 0.0 if not math.isnan(number) else None


def test_what_was_left_by_nobody_is_not_told_by_a_time(duck):
    answer = duck("team_issues").ask("who resolved the most issues")
    assert answer.status == "cannot_answer"
    assert "who" in answer.text


def test_a_balance_is_that_after_the_last_row(duck):
    over = duck("statement")
    last = over.sql("SELECT max(Date) FROM statement").pl().item()
    answer = over.ask("what is my balance")
    wanted = over.sql(f"SELECT Balance FROM statement WHERE Date = DATE '{last}'").pl()["Balance"].to_list()
    assert answer.pl().item() in wanted


@pytest.mark.parametrize(
    ("file", "question"),
    [
        ("subscribers", "how many customers are left"),
        ("subscribers", "how many customers over 50 left"),
    ],
)
def test_what_nothing_tells_is_refused(file, question, duck):
    answer = duck(file).ask(question)
    assert answer.status == "cannot_answer", answer.sql


def test_an_item_of_a_list_is_whole(tmp_path):
    """`Niger` is no part of Nigeria, wherever it stands in a list."""
    countries = [", ".join(each) for each in permutations(("Niger", "Nigeria", "Chad", "Mali", "Togo"), 2)] * 3
    rows = "".join(f'Title {n},"{each}"\n' for n, each in enumerate(countries))
    (tmp_path / "films.csv").write_text(f"title,countries\n{rows}", encoding="utf-8")
    with pluto_duck.connect(tmp_path / "root") as duck:
        duck.load(tmp_path / "films.csv")
        answer = duck.ask("how many titles from Niger")
        assert answer.pl().item() == sum("Niger" in each.split(", ") for each in countries), answer.sql
