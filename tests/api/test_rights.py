"""Tokens with rights over HTTP: what a confined user sees of data, schema, questions, jobs and others' work."""

import httpx
import pytest

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.main import create_app

CONFIG = """
[server.tokens.anna]
token = "anna-token"
rights = "germans"

[server.tokens.boss]
token = "boss-token"

[rights.germans]
tables = ["customers"]
columns = { customers = ["id", "name", "country"] }
rows = { customers = "country = 'DE'" }
"""


@pytest.fixture(scope="module")
def ask_as(tmp_path_factory):
    root = tmp_path_factory.mktemp("rights") / "root"
    (root / "configs").mkdir(parents=True)
    (root / "configs" / "config.toml").write_text(CONFIG)
    workspace = Workspace.open(load_settings(root), wait_s=0)
    with workspace.warehouse.write() as session:
        session.execute(
            "CREATE TABLE customers AS SELECT range AS id, 'name ' || range AS name, 'm' || range AS email, "
            "['DE', 'FR'][1 + range % 2] AS country FROM range(20); CREATE TABLE salaries AS SELECT 1 AS amount"
        )

    transport = httpx.ASGITransport(create_app(workspace, "owner-token"))

    async def _call(token, method, path, **more):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with httpx.AsyncClient(
            transport=transport, base_url="http://localhost/api/v1", headers=headers
        ) as client:
            return await client.request(method, path, **more)

    def ask(token, method, path, **more):
        import asyncio

        return asyncio.run(_call(token, method, path, **more))

    ask.workspace = workspace
    yield ask
    workspace.close()


def _query(ask_as, token, sql):
    return ask_as(token, "POST", "/query?wait=true", json={"sql": sql})


def test_each_token_sees_what_its_rights_show(ask_as):
    count = "SELECT count(*) AS n FROM customers"
    assert _query(ask_as, "anna-token", count).json()["rows"] == [[10]]
    for token in ("boss-token", "owner-token"):
        assert _query(ask_as, token, count).json()["rows"] == [[20]]
    for token in ("", "wrong"):
        assert _query(ask_as, token, count).status_code == 401
    refused = _query(ask_as, "anna-token", "SELECT * FROM salaries")
    assert (refused.status_code, refused.json()["code"]) == (403, "unknown_table")
    assert _query(ask_as, "anna-token", "SELECT email FROM customers").status_code == 400


def test_the_schema_shows_only_what_may_be_seen(ask_as):
    tables = ask_as("anna-token", "GET", "/schema").json()["tables"]
    assert [(table["table"], table["row_count"]) for table in tables] == [("customers", 10)]
    assert [column["name"] for column in tables[0]["columns"]] == ["id", "name", "country"]
    country = ask_as("anna-token", "GET", "/schema/customers").json()["columns"][2]
    assert (country["n_distinct"], country["frequent"]) == (1, ["DE"])
    boss = ask_as("boss-token", "GET", "/schema/customers").json()["columns"]
    assert sorted(boss[3]["frequent"]) == ["DE", "FR"] and boss[0]["frequent"] == []
    assert ask_as("anna-token", "GET", "/schema/salaries").status_code == 404
    assert len(ask_as("boss-token", "GET", "/schema").json()["tables"]) == 2


def _answered(ask_as, token, question):
    run_id = ask_as(token, "POST", "/agent/run", json={"question": question}).json()["run_id"]
    list(ask_as.workspace.runs.log(run_id).follow(0))
    return ask_as(token, "GET", f"/agent/{run_id}").json()


def test_questions_are_answered_from_what_may_be_seen(ask_as):
    assert _answered(ask_as, "anna-token", "how many customers are there")["final"]["rows"] == [[10]]
    assert _answered(ask_as, "boss-token", "how many customers are there")["final"]["rows"] == [[20]]
    hidden = _answered(ask_as, "anna-token", "what is the total amount of salaries")
    assert hidden["status"] in ("cannot_answer", "needs_input")
    for event in ask_as.workspace.runs.log(hidden["run_id"]).events():
        if event["content"].get("tool") == "schema" and event["subtype"] == "end":
            assert "salaries" not in str(event["content"]["schema_preview"])


def test_others_work_is_not_there(ask_as):
    job = _query(ask_as, "boss-token", "SELECT 1 AS one").json()["job_id"]
    run = _answered(ask_as, "boss-token", "how many customers are there")["run_id"]
    for path in (f"/query/{job}", f"/query/{job}/result", f"/agent/{run}", f"/agent/{run}/events"):
        assert ask_as("anna-token", "GET", path).status_code == 404, path
        assert ask_as("boss-token", "GET", path).status_code == 200, path
    for path in (f"/query/{job}/cancel", f"/agent/{run}/cancel"):
        assert ask_as("anna-token", "POST", path).status_code == 404
    shown = {each["run_id"] for each in ask_as("anna-token", "GET", "/agent").json()["runs"]}
    assert run not in shown
    assert run in {each["run_id"] for each in ask_as("owner-token", "GET", "/agent").json()["runs"]}


def test_a_board_is_seen_and_run_with_the_rights_it_was_made_under(ask_as):
    count = "SELECT count(*) AS n FROM customers"
    for token, rows in (("boss-token", [[20]]), ("anna-token", [[10]])):
        board = ask_as(token, "POST", "/boards", json={"title": f"Of {token}"}).json()["board_id"]
        job = _query(ask_as, token, count).json()["job_id"]
        pinned = ask_as(token, "POST", f"/boards/{board}/tiles", json={"job_id": job})
        assert pinned.json()["tiles"][0]["result"]["rows"] == rows
        refreshed = ask_as(token, "POST", f"/boards/{board}/refresh").json()
        assert refreshed["tiles"][0]["result"]["rows"] == rows
    assert [each["board_id"] for each in ask_as("anna-token", "GET", "/boards").json()["boards"]] == ["of-anna-token"]
    assert [each["board_id"] for each in ask_as("owner-token", "GET", "/boards").json()["boards"]] == ["of-boss-token"]
    assert ask_as("anna-token", "GET", "/boards/of-boss-token").status_code == 404
    assert ask_as("anna-token", "POST", "/boards/of-boss-token/refresh").status_code == 404
    foreign = _query(ask_as, "boss-token", "SELECT * FROM salaries").json()["job_id"]
    assert ask_as("anna-token", "POST", "/boards/of-anna-token/tiles", json={"job_id": foreign}).status_code == 404


def test_the_confined_only_read(ask_as):
    loads = ask_as("anna-token", "POST", "/ingest", json={"config": {"path": "x.csv"}})
    assert (loads.status_code, loads.json()["code"]) == (403, "not_granted")
    assert ask_as("anna-token", "POST", "/dbt/run", json={}).status_code == 403
    assert ask_as("anna-token", "GET", "/ingest").status_code == 403


def test_rights_that_nobody_defined_are_named(tmp_path):
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "config.toml").write_text('[server.tokens.eve]\ntoken = "x"\nrights = "none such"\n')
    with pytest.raises(InvalidInput, match=r"server\.tokens\.eve\.rights='none such'"):
        load_settings(tmp_path)
