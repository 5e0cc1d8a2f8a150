"""Values and names that a question says in other words, or misspells, over a small database (otherwise/)."""

from pathlib import Path

import pytest
from tests.text2sql.databases import answered, cases_of, closed, opened

from pluto_duck_text2sql.otherwise import otherwise
from pluto_duck_text2sql.sounds import sounds_like

_HERE = Path(__file__).parent
_CASES = cases_of(_HERE / "otherwise/questions.jsonl")


@pytest.fixture(scope="module")
def databases():
    made = opened(_HERE / "otherwise")
    yield made
    closed(made)


@pytest.mark.parametrize("case", [each for each in _CASES if "sql" in each], ids=lambda case: case["question"])
def test_the_rows_are_those_asked_for(case, databases):
    wanted, given, sql = answered(databases, case)
    assert sorted(given, key=str) == sorted(wanted, key=str), sql


@pytest.mark.parametrize("case", [each for each in _CASES if "status" in each], ids=lambda case: case["question"])
def test_what_is_not_stored_in_any_words_is_not_answered(case, databases):
    connection, analyst = databases["depot"]
    found = analyst.ask(case["question"], run=lambda sql: connection.execute(sql).fetchall())
    assert found.status == case["status"]


def test_what_was_put_for_a_word_is_told(databases):
    connection, analyst = databases["depot"]
    found = analyst.ask("How many orders were called off?", run=lambda sql: connection.execute(sql).fetchall())
    assert '"called off" is cancelled (general lexicon)' in found.candidates[0].reading


def test_what_was_put_for_a_word_is_kept_by_later_questions(databases):
    connection, analyst = databases["depot"]
    before = ["total order amount by status", "only the German customers"]
    found = analyst.ask("and by month?", history=before, run=lambda sql: connection.execute(sql).fetchall())
    assert "'Germany'" in found.candidates[0].sql
    assert "SUM(" in found.candidates[0].sql


@pytest.mark.parametrize(
    ("words", "text"),
    [("Germans", "Germany"), ("german", "Germany"), ("the States", "United States"), ("US", "United States")],
)
def test_a_country_is_known_by_those_who_live_there(words, text):
    assert text in otherwise(words)[0].texts


def test_a_code_in_lower_case_is_a_word_of_the_language():
    assert not otherwise("us")


@pytest.mark.parametrize(("word", "other"), [("schumaker", "schumacher"), ("jonson", "johnson"), ("filip", "philip")])
def test_what_sounds_the_same(word, other):
    assert other in sounds_like(word)
    assert word not in sounds_like(word)
