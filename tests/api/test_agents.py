"""Agents over HTTP: an admin deploys and removes them, a bound token sees its scope at every door."""

import pytest
from tests.api.test_roles import Server

from pluto_duck_backend.agent.actions import registry
from pluto_duck_backend.app.api.roles import NEEDED, TOOL_OF

FILES = {"agent.yaml": "description: Small numbers.\nscope: {tables: [t], rows: {t: a < 2}}\n"}


@pytest.fixture
def server(tmp_path):
    made = Server(tmp_path)
    with made.workspace.warehouse.write() as session:
        session.execute("CREATE TABLE secrets AS SELECT 'x' AS secret")
    yield made
    made.workspace.close()


def test_an_admin_deploys_looks_and_removes(server):
    checked = server.call("owner", "PUT", "/agents/small", json={"files": FILES, "check": True}).json()
    assert (checked["deployed"], checked["demands"][0]) == (False, "It reads t; of t the rows where a < 2.")
    assert server.call("owner", "GET", "/agents/small").status_code == 404
    assert server.call("owner", "PUT", "/agents/small", json={"files": FILES}).json()["deployed"]
    assert server.call("owner", "GET", "/agents/small").json()["files"] == FILES
    [shown] = server.call("owner", "GET", "/agents").json()["agents"]
    assert (shown["name"], shown["scope"]["tables"], shown["problem"]) == ("small", ["t"], None)
    assert server.call("owner", "DELETE", "/agents/small").json() == {"name": "small"}
    assert server.call("owner", "GET", "/agents").json() == {"agents": []}


def test_a_broken_definition_is_a_problem_that_names_the_line(server):
    answer = server.call("owner", "PUT", "/agents/small", json={"files": {"agent.yaml": "a: 1\n"}})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_agent")
    assert "configs/agents/small/agent.yaml:1: there is no key 'a'" in answer.json()["detail"]


def test_a_bound_token_sees_its_scope_at_every_door(server):
    server.call("owner", "PUT", "/agents/small", json={"files": FILES})
    server.call("owner", "PUT", "/agents/other", json={"files": {"agent.yaml": ""}})
    server.add("bot", "admin", agent="small")
    query = server.call("bot", "POST", "/query?wait=true", json={"sql": "SELECT a FROM t"}).json()
    assert query["rows"] == [[0], [1]]
    refused = server.call("bot", "POST", "/query?wait=true", json={"sql": "SELECT * FROM secrets"}).json()
    assert refused["status"] == "failed" or refused["code"]
    assert [each["table"] for each in server.call("bot", "GET", "/schema").json()["tables"]] == ["t"]
    assert server.call("bot", "GET", "/schema/secrets").status_code == 404
    assert [each["name"] for each in server.call("bot", "GET", "/agents").json()["agents"]] == ["small"]
    other = server.call("bot", "POST", "/agent/run", json={"question": "How many?", "agent": "other"})
    assert (other.status_code, other.json()["code"]) == (403, "other_agent")
    for method, path in (("GET", "/agents/other"), ("DELETE", "/agents/other"), ("GET", "/settings")):
        assert server.call("bot", method, path).status_code == 403
    run_id = server.call("bot", "POST", "/agent/run", json={"question": "How many?"}).json()["run_id"]
    list(server.workspace.runs.log(run_id).follow(0))
    assert server.call("bot", "GET", f"/agent/{run_id}").json()["agent"] == "small"
    server.call("owner", "DELETE", "/agents/small")
    assert server.call("bot", "GET", "/schema").status_code == 404


EVERY_DOOR = {
    "ask": [
        ("POST", "/agent/run", {"question": "How many?"}),
        ("POST", "/a2a", {}),
        ("POST", "/ap/v1/agent/tasks", {}),
    ],
    "query": [("POST", "/query?wait=true", {"sql": "SELECT a FROM t"})],
    "schema": [("GET", "/schema", None), ("GET", "/schema/t", None)],
    "values": [("GET", "/values?like=x", None)],
    "metrics": [("POST", "/metrics/query", {"metrics": ["m"]})],
}


@pytest.mark.parametrize("tools", [["ask"], ["query", "schema"], [], None])
def test_a_bound_token_has_its_agents_tools_by_every_door(server, tools):
    text = FILES["agent.yaml"] + ("" if tools is None else f"tools: {tools}\n")
    server.call("owner", "PUT", "/agents/small", json={"files": {"agent.yaml": text}})
    server.add("bot", "analyst", agent="small")
    listed = {each["name"] for each in server.call("bot", "GET", "/actions").json()["actions"]}
    for tool, doors in EVERY_DOOR.items():
        is_closed = tools is not None and tool not in tools
        assert (tool in listed) != is_closed
        called = server.call("bot", "POST", "/actions", json={"name": tool, "arguments": {}})
        codes = [called, *(server.call("bot", method, path, json=body) for method, path, body in doors)]
        refused = [each.status_code == 403 and each.json()["code"] == "tool_not_granted" for each in codes]
        assert refused == [is_closed] * len(codes), (tool, [each.text for each in codes])
    assert server.call("owner", "GET", "/schema").status_code == 200


def test_every_call_that_amounts_to_an_action_names_one():
    assert set(TOOL_OF) <= set(NEEDED)
    assert set(TOOL_OF.values()) <= set(registry.installed())
