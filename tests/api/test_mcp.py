"""The Model Context Protocol at /mcp of a server, driven by the official client: tools, roles, sessions, pages."""

import json
from contextlib import asynccontextmanager

import anyio
import httpx
import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult

from pluto_duck_backend.app.core.tokens import TokenFile
from pluto_duck_cli.mcp_server.streamable import Streamable

WHICH = {"clarify": {"question": "Which sales?", "options": ["gross", "net"]}}
COUNT = {"sql": "SELECT count(*) AS n FROM t"}
_WHO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a test", "version": "1"}}
INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": _WHO}
FREE = ("ask", "schema", "values", "metrics", "calculator", "note", "notes", "export", "chart")
READS = {**dict.fromkeys(FREE, ""), "skills": "agent_needed"}
WRITES = dict.fromkeys(("ingest", "dbt"), "role_too_small")
SPEAKS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


@pytest.fixture
def address(serve):
    return serve(mcp=Streamable())


@asynccontextmanager
async def connected(address, token="", **options):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with httpx2.AsyncClient(headers=headers, trust_env=False, timeout=60) as http:
        transport = streamable_http_client(f"{address}/mcp", http_client=http)
        async with Client(transport, **options) as client:
            yield client


def session(address, work, token="", **options):
    async def whole():
        async with connected(address, token, **options) as client:
            return await work(client)

    return anyio.run(whole)


async def _every_door(client):
    """What a caller gets of each tool and resource: the error's code, or none."""
    calls = {
        "ask": {"question": "How many?"},
        "query": {"sql": "SELECT 1 AS one"},
        "schema": {},
        "values": {"like": "x1"},
        "metrics": {},
        "calculator": {"expression": "1 / 8"},
        "note": {"text": "five rows"},
        "notes": {},
        "skills": {},
        "ingest": {"source": "/none.csv"},
        "dbt": {"command": "ls"},
    }
    found = {name: await client.call_tool(name, given) for name, given in calls.items()}
    names = found["ask"].structured_content
    found["export"] = await client.call_tool("export", {"run_id": names["run_id"]})
    found["chart"] = await client.call_tool("chart", {"job_id": names["job_id"]})
    assert set(found) == {each.name for each in (await client.list_tools()).tools}
    codes = {name: (each.structured_content.get("error") or {}).get("code", "") for name, each in found.items()}
    run_id = found["ask"].structured_content["run_id"]
    for path in ("schema", "schema/t", "runs", f"runs/{run_id}", f"runs/{run_id}/events"):
        assert json.loads((await client.read_resource(f"pluto-duck://{path}")).contents[0].text)
    return codes, run_id


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_every_tool_and_resource_without_a_token_on_loopback(address, mode):
    codes, _ = session(address, _every_door, mode=mode)
    assert codes == {**READS, "query": "", "ingest": "file_not_found", "dbt": "dbt_project_not_found"}


def test_a_token_may_do_over_the_protocol_what_it_may_do_over_http(address, workspace):
    tokens = TokenFile(workspace.opened[0].paths.tokens)
    texts = {role: tokens.create(f"the-{role}", role)[1] for role in ("viewer", "analyst")}
    codes, run_id = session(address, _every_door, texts["viewer"])
    assert codes == {**READS, "query": "role_too_small", **WRITES}
    codes, _ = session(address, _every_door, texts["analyst"])
    assert codes == {**READS, "query": "", **WRITES}

    async def anothers_run(client):
        with pytest.raises(MCPError, match=run_id):
            await client.read_resource(f"pluto-duck://runs/{run_id}")

    session(address, anothers_run, texts["analyst"])
    audit = [json.loads(line) for line in workspace.opened[0].paths.audit.read_text().splitlines()]
    refused = [(each["who"], each["action"]) for each in audit if each["outcome"] == "refused"]
    analysts = [("the-analyst", each) for each in WRITES]
    assert refused == [("the-viewer", each) for each in ["query", *WRITES]] + analysts
    assert httpx.post(f"{address}/mcp", json=INITIALIZE, headers=SPEAKS, trust_env=False).status_code == 401


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_question_back_is_put_to_the_person(serve, mode, workspace):
    address = serve((WHICH,), mcp=Streamable())
    shown = []

    async def choose(context, form):
        shown.append(form.message)
        workspace.opened[0].settings.agent.script.write_text(json.dumps({"replies": [COUNT]}))
        return ElicitResult(action="accept", content={"choice": "net"})

    async def work(client):
        return await client.call_tool("ask", {"question": "sales"})

    result = session(address, work, mode=mode, elicitation_callback=choose)
    assert (shown, result.structured_content["rows"]) == (["Which sales?"], [[5]])


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_an_argument_that_a_tool_does_not_take_is_refused(address, mode):
    async def work(client):
        return await client.call_tool("values", {"like": "x1", "limt": 1})

    error = session(address, work, mode=mode).structured_content["error"]
    assert error["message"].startswith("values takes no argument 'limt'. Did you mean limit")


def _post(address, **headers):
    return httpx.post(f"{address}/mcp", json=INITIALIZE, headers={**SPEAKS, **headers}, trust_env=False)


@pytest.mark.parametrize(
    ("header", "value"), [("Host", "evil.example"), ("Origin", "http://evil.example"), ("Origin", "null")]
)
def test_a_page_that_was_lured_here_reaches_nothing(address, header, value):
    code = f"foreign_{header.casefold()}"
    refused = _post(address, **{header: value})
    assert (refused.status_code, refused.json()["code"]) == (403, code)
    refused = httpx.get(f"{address}/mcp", headers={**SPEAKS, header: value}, trust_env=False)
    assert (refused.status_code, refused.json()["code"]) == (403, code)
    assert _post(address, Origin=address).status_code == 200


def test_a_session_is_its_callers_alone(address, workspace):
    tokens = TokenFile(workspace.opened[0].paths.tokens)
    one, other = ({"Authorization": f"Bearer {tokens.create(name, 'viewer')[1]}"} for name in ("one", "other"))
    opened = _post(address, **one)
    named = {"Mcp-Session-Id": opened.headers["mcp-session-id"]}
    ends = [httpx.delete(f"{address}/mcp", headers={**SPEAKS, **who, **named}, trust_env=False) for who in (other, one)]
    assert [each.status_code for each in ends] == [404, 200]


def test_without_the_library_there_is_no_such_path(serve):
    answer = _post(serve())
    assert (answer.status_code, answer.json()["code"]) == (404, "no_such_path")
