"""The MCP inspector (npm), a client that none of ours has made, drives every tool, resource and prompt, both ways in.

`make inspector` installs it. One daemon of its holds the connections; `inspecting.mjs` gives it its commands.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from pluto_duck_backend.agent.actions import registry
from pluto_duck_backend.app.core.owner import find_server
from pluto_duck_backend.app.core.paths import Paths

FOLDER = Path(__file__).parents[2] / ".inspector"
SCRIPT = FOLDER / "node_modules/@modelcontextprotocol/inspector/clients/mcpdo/build/mcp-bin.js"
CALLS = {
    "schema": {"table": "towns"},
    "values": {"like": "BONN"},
    "query": {"sql": "SELECT count(*) AS n FROM towns"},
    "metrics": {},
    "calculator": {"expression": "1/8"},
    "note": {"text": "two towns"},
    "notes": {},
    "skills": {},
    "ingest": {"source": "/none.csv"},
    "dbt": {"command": "ls"},
}
FAILS = {"skills": "agent_needed", "ingest": "file_not_found", "dbt": "dbt_project_not_found"}


@pytest.fixture(scope="module")
def inspector(tmp_path_factory):
    """`inspector(*words)`: what a command of the inspector prints, as data; a daemon of this module's own."""
    node = shutil.which("node")
    if not node or not SCRIPT.is_file():
        reason = "the MCP inspector is not installed: `make inspector`, which wants node and npm"
        pytest.fail(reason) if os.environ.get("PLUTODUCK_REQUIRE_SERVICES") else pytest.skip(reason)
    home = tmp_path_factory.mktemp("home")
    own = {"HOME": str(home), "MCP_INSPECTOR_DAEMON_DIR": str(home / "d"), "MCP_INSPECTOR_DAEMON_TOKEN": "of-this-test"}
    own |= {"MCP_INSPECTOR_SECRET_STORE": "memory"}
    (home / "d").mkdir(mode=0o700)
    command = [node, str(Path(__file__).with_name("inspecting.mjs")), str(SCRIPT)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command, env={**os.environ, **own}, **pipes)

    def _inspector(*words, fails=False):
        given = ["--format", "json", "--stored-auth-only", *map(str, words)]
        process.stdin.write(f"{json.dumps(given)}\n")
        process.stdin.flush()
        done = json.loads(process.stdout.readline())
        assert bool(done["error"]) == fails, done
        return json.loads(done["out"])

    yield _inspector
    _inspector("daemon", "stop")
    process.communicate(timeout=30)


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inspected")
    (folder / "towns.csv").write_text("id,name\n1,Bonn\n2,Köln\n")
    _pluto_duck(folder, "ingest", folder / "towns.csv").communicate(timeout=60)
    return folder / "root"


def _pluto_duck(folder, *words):
    return subprocess.Popen([sys.executable, "-m", "pluto_duck_cli", *words, "--root", folder / "root"])


@pytest.fixture(scope="module", params=["stdio", "http"])
def drive(request, inspector, root):
    """`drive(*words)`: a command of the inspector over one connection, by each way in."""
    with contextlib.ExitStack() as ends:
        if request.param == "stdio":
            target = ("--", sys.executable, "-m", "pluto_duck_cli", "mcp", "--writes", "--root", root)
        else:
            target = (ends.enter_context(_served(root)),)
        name = inspector("connect", "--connect-timeout", "60000", *target)["name"]
        yield partial(inspector, "--connection", name)
        inspector("disconnect", name)


@contextlib.contextmanager
def _served(root):
    server = _pluto_duck(root.parent, "serve", "--port", "0")
    deadline = time.monotonic() + 60
    while find_server(Paths(root)) is None and time.monotonic() < deadline:
        time.sleep(0.1)
    yield f"{find_server(Paths(root)).address}/mcp"
    server.terminate()
    server.wait(30)


def test_the_inspector_drives_every_tool_resource_and_prompt(drive):
    asked = _called(drive, "ask", {"question": "how many towns are there"})
    assert asked["rows"] == [[2]]
    calls = {**CALLS, "export": {"run_id": asked["run_id"]}, "chart": {"job_id": asked["job_id"]}}
    offered = {each["name"] for each in drive("tools/list")["tools"]}
    assert offered == {"ask", *calls} == {*registry.installed()}
    codes = {name: (_called(drive, name, given).get("error") or {}).get("code") for name, given in calls.items()}
    assert codes == {**dict.fromkeys(calls), **FAILS}
    listed = [each["uri"] for each in drive("resources/list")["resources"]]
    listed += [each["uriTemplate"] for each in drive("resources/templates/list")["resourceTemplates"]]
    read = [drive("resources/read", _filled(each, asked["run_id"]))["contents"][0]["text"] for each in listed]
    assert len(read) == 5
    assert [*map(type, map(json.loads, read))] == [dict] * 5
    for prompt in drive("prompts/list")["prompts"]:
        said = drive("prompts/get", prompt["name"], "--prompt-args", f"{prompt['arguments'][0]['name']}=towns")
        assert "towns" in said["messages"][0]["content"]["text"]


def _called(drive, name, given):
    """The data of a tool's result; of one that failed the inspector ends with an exit code of its own."""
    done = drive("tools/call", name, "--tool-args-json", json.dumps(given), fails=name in FAILS)
    assert done["isError"] == (name in FAILS), done
    return done["structuredContent"]


def _filled(address, run_id):
    return address.replace("{run_id}", run_id).replace("{table}", "towns")
