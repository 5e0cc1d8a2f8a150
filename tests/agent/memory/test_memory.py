"""Only a person's confirmation makes an example; it goes stale with its schema and is never overwritten unasked."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pluto_duck_backend.agent.memory.example import Example, read, write
from pluto_duck_backend.agent.memory.similar import same, similar
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.errors import Conflict, InvalidInput
from pluto_duck_backend.app.core.principal import Principal

GERMANS = {"tables": ["customers"], "rows": {"customers": "country = 'DE'"}}
TABLE = "CREATE TABLE customers AS SELECT range AS id, ['DE', 'PE'][1 + range % 2] AS country FROM range(6)"
ANNA = Principal("anna", "germans")


@pytest.fixture
def workspace(tmp_path):
    opened = Workspace.open(load_settings(tmp_path, rights={"germans": GERMANS}), wait_s=0)
    with opened.warehouse.write() as session:
        session.execute(TABLE)
    yield opened
    opened.close()


def ask(workspace, question, **more):
    handle = workspace.runs.start(question, **more)
    list(workspace.runs.log(handle.run_id).follow())
    return workspace.runs.get(handle.run_id)


def change(workspace, sql):
    with workspace.warehouse.write() as session:
        session.execute(sql)


def test_an_answer_is_an_example_when_a_person_says_so(workspace):
    run = ask(workspace, "How many customers are in PE?")
    ask(workspace, "How many customers are in PE?")
    assert workspace.memory.every() == []
    kept = workspace.confirm(run["run_id"])
    text = (workspace.paths.root / kept["file"]).read_text()
    assert text.startswith("# How many customers are in PE?\n")
    assert run["final"]["sql"] in text
    assert "- reads: main.customers (country VARCHAR)" in text
    again = ask(workspace, "how many CUSTOMERS are in PE")["final"]
    assert again["rows"] == [[3]]
    assert re.fullmatch(r"confirmed by local at \d{4}-\d\d-\d\d \d\d:\d\d UTC", again["reading"][0])
    assert again["answer"] == "**How many customers are in PE: 3**"


def test_the_embedded_analyst_answers_with_the_sql_that_was_confirmed(workspace):
    run = ask(workspace, "How many customers are in PE?")
    kept = workspace.confirm(run["run_id"])
    file = workspace.paths.root / kept["file"]
    file.write_text(file.read_text().replace(run["final"]["sql"], "SELECT 4711 AS edited FROM customers LIMIT 1"))
    assert ask(workspace, "How many customers are in PE?")["final"]["rows"] == [[4711]]
    file.write_text(file.read_text().replace("SELECT 4711", "SELECT no_such_column"))
    assert ask(workspace, "How many customers are in PE?")["final"]["rows"] == [[3]]


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("ALTER TABLE customers RENAME COLUMN country TO land", "main.customers has no country any more"),
        ("ALTER TABLE customers ALTER country TYPE INTEGER USING 1", "main.customers.country is INTEGER, not VARCHAR"),
        ("DROP TABLE customers", "there is no table main.customers any more"),
    ],
)
def test_what_the_schema_has_left_behind_is_not_used(workspace, statement, why):
    workspace.confirm(ask(workspace, "How many customers are in PE?")["run_id"])
    change(workspace, "ALTER TABLE customers ADD COLUMN extra INTEGER")
    assert len(workspace.memory.examples()) == 1
    change(workspace, statement)
    assert [each.stale for each in workspace.memory.every()] == [why]
    assert workspace.memory.examples() == []


def test_a_contradiction_is_shown_and_not_overwritten(workspace):
    run = ask(workspace, "How many customers are in PE?")
    kept = workspace.confirm(run["run_id"])
    workspace.confirm(run["run_id"])
    file = workspace.paths.root / kept["file"]
    other = "SELECT count(*) + 1 FROM customers WHERE country = 'PE'"
    file.write_text(file.read_text().replace(run["final"]["sql"], other))
    with pytest.raises(Conflict) as raised:
        workspace.confirm(run["run_id"])
    assert raised.value.code == "confirmed_otherwise"
    assert other in raised.value.message
    assert other in file.read_text()
    workspace.confirm(run["run_id"], replace=True)
    assert other not in file.read_text()
    assert len(workspace.memory.every()) == 1


def test_a_run_without_an_answer_cannot_be_confirmed(workspace):
    run = ask(workspace, "What is the meaning of zygomorphic quux?")
    with pytest.raises(InvalidInput, match="no answer to confirm"):
        workspace.confirm(run["run_id"])


def test_a_follow_up_is_kept_with_what_it_follows(workspace):
    first = ask(workspace, "How many customers are in PE?")
    second = ask(workspace, "And in DE?", conversation_id=first["conversation_id"])
    kept = workspace.confirm(second["run_id"])
    assert kept["after"] == ["How many customers are in PE?"]
    examples = workspace.memory.examples()
    assert same("and in DE", ["How many customers are in PE?"], examples)
    assert same("And in DE?", [], examples) is None


def test_rights_have_memories_of_their_own(workspace):
    question = "How many customers are there?"
    mine = workspace.confirm(ask(workspace, question)["run_id"])
    annas = ask(workspace, question, who=ANNA)
    theirs = workspace.confirm(annas["run_id"], who=ANNA)
    assert mine["file"] != theirs["file"]
    assert sorted(each.file for each in workspace.memory.every()) == sorted([mine["file"], theirs["file"]])
    assert [each.run_id for each in workspace.memory.examples()] == [mine["run_id"]]
    assert [each.file for each in workspace.memory.every(ANNA)] == [theirs["file"]]
    assert ask(workspace, question, who=ANNA)["final"]["rows"] == [[3]]


def test_times_that_move_on_are_not_answered_with_what_was():
    old = Example("Revenue last month", "SELECT 1")
    assert same("Revenue last month", [], [old]) is None
    assert similar("revenue last month", [old]) == [old]


def test_the_likest_come_first():
    examples = [
        Example(text, "SELECT 1") for text in ("revenue by month", "customers by country", "revenue by country")
    ]
    assert similar("revenue by country in 2024", examples)[0].question == "revenue by country"
    assert similar("weather", examples) == []


LETTERS = st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"))
TEXT = st.text(LETTERS, max_size=60).map(lambda text: " ".join(text.split()))
COLUMNS = st.lists(st.sampled_from(["a INTEGER", "b DECIMAL(10,2)", "c d VARCHAR"]), max_size=2)


@given(TEXT.filter(bool), st.lists(TEXT, max_size=2), COLUMNS)
@settings(deadline=None)
def test_a_file_holds_what_was_written(question, after, columns):
    reads = (("main.t", tuple(columns)),)
    example = Example(question, "SELECT 1", "run-1", "2026-01-01T00:00:00Z", "local", "", tuple(after), "", reads)
    assert read(write(example)) == example


@given(st.text())
@settings(deadline=None)
def test_no_file_is_too_odd_to_be_read(text):
    read(text)
    read("# " + text)


def test_another_reading_that_is_asked_for_is_not_the_one_confirmed(workspace):
    rows = "VALUES (1, 'France', 10), (2, 'Germany', 30), (3, 'France', 15), (4, 'Italy', 5)"
    change(workspace, f"DROP TABLE customers; CREATE TABLE sales AS FROM ({rows}) AS t(sale_id, country, total)")
    first = ask(workspace, "biggest gap between countries")
    others = [each for each in first["final"]["next"] if each.startswith("rather: ")]
    picked = ask(workspace, others[0], conversation_id=first["conversation_id"])
    workspace.confirm(picked["run_id"])
    again = ask(workspace, others[1], conversation_id=first["conversation_id"])["final"]
    assert again["sql"] not in (first["final"]["sql"], picked["final"]["sql"])
    assert not any("confirmed by" in line for line in again["reading"])
