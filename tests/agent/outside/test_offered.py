"""An agent's outside tools through our own MCP server, driven by the official client: who sees them, who approves."""

import json
import sys
from pathlib import Path

import anyio
import pytest
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client
from mcp_types import ElicitResult
from tests.api.conftest import listening
from tests.api.test_mcp import session

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.tokens import TokenFile
from pluto_duck_backend.app.main import create_app
from pluto_duck_cli.mcp_server.streamable import Streamable

DESK = Path(__file__).parent / "desk.py"


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    made = tmp_path_factory.mktemp("offered")
    (made / "configs" / "agents" / "sales").mkdir(parents=True)
    command = json.dumps([sys.executable, str(DESK), str(made / "notes")])
    file = made / "configs" / "agents" / "sales" / "agent.yaml"
    file.write_text(f"servers: {{desk: {{command: {command}, allow: [rate, note]}}}}\n")
    (made / "notes").touch()
    return made


@pytest.fixture(scope="module")
def place(root):
    """The server's address, and a token by name: `eng` is an engineer's, `bot` a viewer's, both bound to the agent."""
    workspace = Workspace.open(load_settings(root), wait_s=0)
    tokens = TokenFile(workspace.paths.tokens)
    roles = {"eng": "engineer", "bot": "viewer"}
    texts = {name: tokens.create(name, role, agent="sales")[1] for name, role in roles.items()}
    texts["free"] = tokens.create("free", "engineer")[1]
    with listening(create_app(workspace, "the-owner", mcp=Streamable())) as address:
        yield address, texts
    workspace.close()


async def _outside(client):
    return {each.name: each for each in (await client.list_tools()).tools if "." in each.name}


def test_they_are_offered_to_who_may_call_them(place):
    address, tokens = place
    found = {name: session(address, _outside, text) for name, text in tokens.items()}
    assert {name: sorted(tools) for name, tools in found.items()} == {
        "eng": ["desk.note", "desk.rate"],
        "bot": ["desk.rate"],
        "free": [],
    }
    rate, note = found["bot"]["desk.rate"], found["eng"]["desk.note"]
    assert (rate.input_schema["required"], rate.annotations.read_only_hint) == (["currency"], True)
    assert not note.annotations.read_only_hint


async def _rate(client):
    return await client.call_tool("desk.rate", {"currency": "EUR"})


def test_a_call_is_the_actions_own(place, root):
    address, tokens = place
    assert session(address, _rate, tokens["bot"]).structured_content["data"] == {"currency": "EUR", "rate": 1.25}
    refused = session(address, _rate, tokens["free"])
    assert (refused.is_error, refused.structured_content["error"]["code"]) == (True, "action_not_found")
    audit = [json.loads(line) for line in (root / "artifacts" / "audit.jsonl").read_text().splitlines()]
    assert ("bot", "desk.rate", "allowed") in [(each["who"], each.get("action"), each["outcome"]) for each in audit]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("says", ["Yes, call it", "No", None])
def test_a_person_approves_what_writes(place, root, mode, says):
    address, tokens = place
    text, shown = f"{mode} {says}", []

    async def answer(context, form):
        shown.append(form.message)
        return ElicitResult(action="accept", content={"approval": says}) if says else ElicitResult(action="cancel")

    async def work(client):
        return await client.call_tool("desk.note", {"text": text})

    found = session(address, work, tokens["eng"], mode=mode, elicitation_callback=answer)
    assert len(shown) == 1 and text in shown[0] and "desk.note" in shown[0]
    assert (text in (root / "notes").read_text()) == (says == "Yes, call it")
    if says != "Yes, call it":
        assert found.structured_content["error"]["code"] == "approval_needed"


def test_a_client_that_cannot_ask_is_told_so_and_nothing_is_done(place, root):
    address, tokens = place

    async def work(client):
        return await client.call_tool("desk.note", {"text": "unasked"})

    assert session(address, work, tokens["eng"]).structured_content["error"]["code"] == "approval_needed"
    assert "unasked" not in (root / "notes").read_text()


def test_over_stdio_for_the_agent_that_is_named(root, tmp_path):
    other = tmp_path / "root"
    (other / "configs").mkdir(parents=True)
    (other / "configs" / "agents").symlink_to(root / "configs" / "agents")

    async def offered(*words):
        command = StdioServerParameters(
            command=sys.executable, args=["-m", "pluto_duck_cli", "mcp", "--root", str(other), *words]
        )
        async with Client(stdio_client(command)) as client:
            tools = await _outside(client)
            return sorted(tools), (await _rate(client)).structured_content if tools else None

    names, rate = anyio.run(offered, "--agent", "sales")
    assert (names, rate["data"]["rate"]) == (["desk.rate"], 1.25)
