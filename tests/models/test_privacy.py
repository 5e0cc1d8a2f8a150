"""A hosted model that may see the schema alone: no stored text leaves that nobody said, whatever was mended."""

import json

import pytest
from tests.models.conftest import final
from tests.models.server import sql

from pluto_duck_backend.agent.providers.privacy import Sight

HOSTED = {"is_local": False, "api_key": "k"}
COUNT = "SELECT count(*) AS n FROM people"
SCHEMA, VALUES = (Sight.of(privacy, is_local=False) for privacy in ("schema", "values"))


@pytest.fixture
def workspace(open_workspace):
    made = open_workspace({"privacy": "schema", "words": "plain"}, HOSTED)
    with made.warehouse.write() as session:
        session.execute(
            "CREATE TABLE people AS SELECT range AS id, 'Zanzibar Quux ' || range AS fullname,"
            " 'quietville' || (range % 50) AS city FROM range(200)"
        )
    return made


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
