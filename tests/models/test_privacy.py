"""A hosted model that may see the schema alone: no stored text leaves that nobody said, whatever was mended."""

import json
from pathlib import Path

import pytest
from tests.models.conftest import final
from tests.models.server import Says, sql

from pluto_duck_backend.agent.context.quoting import without_enum
from pluto_duck_backend.agent.models.endpoints import resolve
from pluto_duck_backend.agent.providers.privacy import Sight
from pluto_duck_backend.app.core.config import load_settings

HOSTED = {"is_local": False, "api_key": "k"}
COUNT = "SELECT count(*) AS n FROM people"
FIXTURES = Path(__file__).parents[1] / "fixtures" / "privacy"
STORED = ("Zanzibar", "quietville", "goldtier", "leadtier", "mudtier", "70185", "70,185", "Northland")
SCHEMA, VALUES = (Sight.of(privacy, is_local=False) for privacy in ("schema", "values"))


@pytest.fixture
def workspace(open_workspace):
    made = open_workspace({"privacy": "schema", "words": "plain"}, HOSTED)
    with made.warehouse.write() as session:
        session.execute("CREATE TYPE grades AS ENUM ('goldtier', 'leadtier', 'mudtier')")
        session.execute(
            "CREATE TABLE people AS SELECT range AS id, 'Zanzibar Quux ' || range AS fullname,"
            " 'quietville' || (range % 50) AS city, 70000 + range * 37 AS salary,"
            " ['goldtier', 'leadtier', 'mudtier'][1 + range % 3] AS tier, tier::grades AS grade FROM range(200)"
        )
        session.execute("CREATE TABLE towns (id INTEGER PRIMARY KEY, name VARCHAR, tier VARCHAR)")
        session.execute("INSERT INTO towns SELECT id, fullname, tier FROM people")
        session.execute("CREATE TABLE trips (from_id INTEGER REFERENCES towns, to_id INTEGER REFERENCES towns)")
    return made


def cases(name):
    return [json.loads(line) for line in (FIXTURES / f"{name}.jsonl").read_text().splitlines()]


def _reply(case):
    return Says(calls=(("answer_with_sql", {"sql": case["sql"], "steps": case.get("steps", [])}),))


def sent(server):
    return json.dumps([each["messages"] for each in server.requests], ensure_ascii=False)


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("SELECT CAST(fullname AS INTEGER) AS n FROM people WHERE city = 'QUIETVILLE7'", "quietville7"),
        ("SELECT CAST(fullname AS INTEGER) AS n FROM people WHERE fullname = 'Zanzibar Qux 7'", "Zanzibar Quux 7"),
        ("SELECT id, count(*) AS n FROM people WHERE city = 'QUIETVILLE7' GROUP BY nothing_like_it", "quietville7"),
    ],
)
def test_a_spelling_that_was_mended_is_not_told_with_the_error(workspace, ask, server, written, stored):
    server.says(sql(written), sql(COUNT))
    assert final(ask(workspace, "How many people are there?"))["rows"] == [[200]]
    assert len(server.requests) == 2
    assert stored not in sent(server)
    assert written in json.loads(json.dumps(server.requests[1]["messages"][-2]["tool_calls"]))[0]["function"][
        "arguments"
    ].replace('\\"', '"')


def test_a_value_in_an_earlier_answer_is_told_only_as_it_was_said(workspace, ask, server):
    first = ask(workspace, "How many people are in quietville 12?", provider="embedded")
    assert "'quietville12'" in final(first)["sql"]
    server.says(sql(COUNT))
    ask(workspace, "And in all?", conversation_id=first[0]["content"]["conversation_id"])
    assert "quietville12" not in sent(server)
    assert "city = '…'" in sent(server)


@pytest.mark.parametrize("case", cases("replies"), ids=lambda case: case["title"])
def test_nothing_stored_is_told_of_what_came_of_a_reply(workspace, ask, server, case):
    server.says(_reply(case), sql(COUNT))
    answer = final(ask(workspace, case.get("question", "How many people are there?")))
    assert (answer["provider"], answer["rows"]) == ("openai", [[200]])
    assert len(server.requests) == 2
    assert [each for each in STORED if each in sent(server)] == []


@pytest.mark.parametrize(
    ("model", "is_local"), [("gpt-oss:20b", True), ("gpt-oss:120b-cloud", False), ("x:cloud", False)]
)
def test_a_model_that_ollama_has_others_run_is_hosted(tmp_path, model, is_local):
    assert resolve("ollama", load_settings(tmp_path / "root"), model).is_local == is_local


@pytest.mark.parametrize("case", cases("followed"), ids=lambda case: case["title"])
def test_nothing_stored_is_told_of_an_earlier_answer(workspace, ask, server, case):
    server.says(_reply(case))
    first = ask(workspace, "How many people are there?")
    assert final(first)["status"] == "succeeded"
    server.says(sql(COUNT))
    ask(workspace, "And in all?", conversation_id=first[0]["content"]["conversation_id"])
    assert [each for each in STORED if each in sent(server)] == []


def test_an_option_that_was_picked_tells_no_stored_text(workspace, ask, server):
    with workspace.warehouse.write() as session:
        session.execute(
            "CREATE TABLE orders AS SELECT range AS id, ['Northland', 'Eastland'][1 + range % 2] AS region,"
            " ['Open', 'Closed', 'Northland'][1 + range % 3] AS status, date '2024-01-01' + range::INT AS placed"
            " FROM range(300)"
        )
    first = ask(workspace, "recent northlnd orders", provider="embedded")
    assert final(first)["clarification"]["options"][1].endswith("= Northland)")
    server.says(sql(COUNT))
    ask(workspace, "2", conversation_id=first[0]["content"]["conversation_id"])
    assert server.requests
    assert "northlnd" in sent(server)
    assert "Northland" not in sent(server)


@pytest.mark.parametrize(
    ("written", "said", "told"),
    [
        ("SELECT 1 WHERE a = 'Köln' AND b = 'x'", "in Köln?", "SELECT 1 WHERE a = 'Köln' AND b = '…'"),
        ("SELECT DATE_TRUNC('MONTH', d) WHERE a = 'it''s'", "", "SELECT DATE_TRUNC('MONTH', d) WHERE a = '…'"),
        ("SELECT 1 WHERE a = $$x$$ OR a = 'Kölnisch'", "Köln", "SELECT 1 WHERE a = '…' OR a = '…'"),
        ("SELECT 'unfinished", "", ""),
        (
            "SELECT a -- Alice's\nFROM t /* and 'Bob' */\nWHERE d=DATE '2024-01-01'",
            "",
            "SELECT a FROM t WHERE d=DATE '…'",
        ),
    ],
)
def test_of_sql_the_texts_that_nobody_said_are_left_out(written, said, told):
    assert SCHEMA.sql(written, said) == told
    assert VALUES.sql(written, said) == written


def test_of_a_type_the_rest_stays_where_its_values_are_left_out():
    assert without_enum("STRUCT(a ENUM('x)', 'it''s'), b INTEGER)") == "STRUCT(a ENUM, b INTEGER)"


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("city is 'Berlin', not “Bern”", "city is '…', not “Bern”"),
        ('"O\'Brien" or "D\'Arcy"?', '"…" or "…"?'),
        ("Which ‘Acme Corp’ is meant?", "Which ‘…’ is meant?"),
        ("the customer's name or the store's region", "the customer's name or the store's region"),
        ("name = 'O''Brien'", "name = '…''…'"),
    ],
)
def test_of_an_option_what_it_quotes_is_left_out(option, told):
    assert SCHEMA.words(option, "Bern") == told
    assert VALUES.words(option, "") == option


@pytest.mark.parametrize(("privacy", "is_told"), [("schema", True), ("values", False)])
def test_a_model_that_may_not_see_what_is_stored_is_told_that(open_workspace, ask, server, privacy, is_told):
    server.says(sql("SELECT count(*) AS n FROM albums"))
    ask(open_workspace({"privacy": privacy, "words": "plain"}, HOSTED))
    assert ("# The data\\n\\nWhat is stored is not told here" in sent(server)) == is_told
