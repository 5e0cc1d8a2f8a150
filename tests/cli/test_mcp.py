"""`pluto-duck mcp` as a coding agent meets it: the official client of the protocol, in both its eras.

A real process where it is about the process; what follows from a script is asked in this one, since one starts slowly.
"""

import contextlib
import json
import shutil
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import anyio
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult

from pluto_duck_backend.agent.actions import registry
from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.errors import EnvironmentFault
from pluto_duck_backend.app.core.owner import find_server
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_cli.client import connect
from pluto_duck_cli.mcp_server.lease import Lease
from pluto_duck_cli.mcp_server.offering import build

WHICH = {"clarify": {"question": "Which sales?", "options": ["gross", "net"]}}
SLOW = "SELECT sum(a.range * b.range) AS s FROM range(1000000) a, range(1000000) b"
COUNT = {"sql": "SELECT count(*) AS n FROM customers"}
RIDES = Path(__file__).parents[1] / "fixtures" / "dbt" / "rides"


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mcp")
    (folder / "customers.csv").write_text("customer_id,name,country\n1,Ann,Germany\n2,Bob,France\n3,Cid,Germany\n")
    command = [sys.executable, "-m", "pluto_duck_cli", "--root", folder / "root", "ingest", folder / "customers.csv"]
    subprocess.run(command, check=True, capture_output=True)
    return folder / "root"


def session(root, work, *flags, env=None, **options):
    """What `work(client)` returns; whatever is no message of the protocol on stdout fails it."""
    strange = []

    async def watch(message):
        if isinstance(message, Exception):
            strange.append(message)

    async def whole():
        words = ["-m", "pluto_duck_cli", "mcp", "--root", str(root), *flags]
        server = StdioServerParameters(command=sys.executable, args=words, env=env)
        async with Client(server, message_handler=watch, **options) as client:
            return await work(client)

    found = anyio.run(whole)
    assert strange == []
    return found


class Script:
    """What the scripted provider says from now on; it is read anew for each run."""

    def __init__(self, folder, reply):
        self.path = folder / "script.json"
        self.says(reply)

    def says(self, reply):
        self.path.write_text(json.dumps({"replies": [reply]}))

    def session(self, root, work, **options):
        settings = load_settings(root)
        settings.agent = settings.agent.model_copy(update={"script": self.path})
        lease = Lease(partial(connect, settings))

        async def whole():
            async with Client(build(lease, "scripted"), **options) as client:
                return await work(client)

        with contextlib.closing(lease):
            return anyio.run(whole)


def test_a_question_is_answered_with_its_proof_and_progress(root):
    told = []

    async def progress(done, total, message):
        told.append((done, message))

    async def work(client):
        asked = {"question": "how many customers from germany"}
        return await client.call_tool("ask", asked, progress_callback=progress)

    result = session(root, work)
    data = result.structured_content
    assert (result.is_error, data["status"], data["rows"]) == (False, "succeeded", [[2]])
    assert data["job_id"].startswith("query-")
    assert "country = 'Germany'" in result.content[0].text
    assert [done for done, _ in told] == list(range(1, len(told) + 1))
    assert any(message.startswith("sql: SELECT") for _, message in told)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_question_back_is_put_to_the_person(root, tmp_path, mode):
    shown, script = [], Script(tmp_path, WHICH)

    async def choose(context, form):
        script.says(COUNT)
        shown.append((form.message, form.requested_schema["properties"]["choice"]["enum"]))
        return ElicitResult(action="accept", content={"choice": "net"})

    async def work(client):
        result = await client.call_tool("ask", {"question": "sales"})
        runs = await client.read_resource("pluto-duck://runs")
        return result.structured_content, json.loads(runs.contents[0].text)["runs"]

    env, options = {"PLUTODUCK_AGENT__SCRIPT": str(script.path)}, {"mode": mode, "elicitation_callback": choose}
    data, runs = session(root, work, "--provider", "scripted", env=env, **options)
    assert shown == [("Which sales?", ["gross", "net"])]
    assert (data["status"], data["rows"]) == ("succeeded", [[3]])
    assert [each["question"] for each in runs[:2]] == ["net", "sales"]
    assert {each["conversation_id"] for each in runs[:2]} == {data["conversation"]}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_person_who_declines_gets_the_question(root, tmp_path, mode):
    async def decline(context, form):
        return ElicitResult(action="decline")

    async def work(client):
        return await client.call_tool("ask", {"question": "sales"})

    result = Script(tmp_path, WHICH).session(root, work, mode=mode, elicitation_callback=decline)
    assert result.structured_content["clarification"] == WHICH["clarify"]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_person_is_asked_five_times_at_most(root, tmp_path, mode):
    asked = []

    async def choose(context, form):
        asked.append(form)
        return ElicitResult(action="accept", content={"choice": "net"})

    async def work(client):
        return await client.call_tool("ask", {"question": "sales"})

    result = Script(tmp_path, WHICH).session(root, work, mode=mode, elicitation_callback=choose)
    assert (len(asked), result.structured_content["status"]) == (5, "needs_input")


def test_without_elicitation_the_next_call_answers(root, tmp_path):
    script = Script(tmp_path, WHICH)

    async def work(client):
        first = await client.call_tool("ask", {"question": "sales"})
        script.says(COUNT)
        conversation = first.structured_content["conversation"]
        return first, await client.call_tool("ask", {"question": "net", "conversation": conversation})

    first, second = script.session(root, work)
    assert first.structured_content["status"] == "needs_input"
    assert first.structured_content["clarification"] == WHICH["clarify"]
    assert first.content[0].text.startswith("Not answered yet. Which sales?\n- gross\n- net\n")
    assert second.structured_content["rows"] == [[3]]
    assert second.structured_content["conversation"] == first.structured_content["conversation"]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_call_that_is_cancelled_cancels_its_query(root, tmp_path, mode):
    async def work(client):
        with anyio.CancelScope() as scope:

            async def progress(done, total, message):
                if message == "verifier":
                    scope.cancel()

            await client.call_tool("ask", {"question": "how long"}, progress_callback=progress)
        runs = json.loads((await client.read_resource("pluto-duck://runs")).contents[0].text)["runs"]
        events = await client.read_resource(f"pluto-duck://runs/{runs[0]['run_id']}/events")
        return runs[0]["question"], json.loads(events.contents[0].text)["events"][-1]

    question, last = Script(tmp_path, {"sql": SLOW}).session(root, work, mode=mode)
    assert (question, last["subtype"], last["content"]) == ("how long", "end", {"status": "cancelled"})


async def _every_door(client):
    """What each tool and resource gives, by name."""
    calls = {
        "query": ("query", {"sql": "SELECT * FROM customers ORDER BY 1", "max_rows": 2}),
        "refused": ("query", {"sql": "DROP TABLE customers"}),
        "schema": ("schema", {}),
        "table": ("schema", {"table": "customers"}),
        "no table": ("schema", {"table": "custmers"}),
        "values": ("values", {"like": "germny"}),
        "metrics": ("metrics", {}),
        "no metric": ("metrics", {"names": ["profit"]}),
        "misspelt": ("query", {"sql": "SELECT 1", "max_row": 1}),
        "not its to say": ("ask", {"question": "how many customers", "modle": "x"}),
        "no question": ("ask", {}),
        "no text": ("ask", {"question": 7}),
        "no tool": ("qery", {}),
        "no answer": ("ask", {"question": "what is the weather tomorrow"}),
    }
    found = {name: await client.call_tool(*call) for name, call in calls.items()}
    run_id = found["no answer"].structured_content["run_id"]
    for path in ("schema", "schema/customers", "runs", f"runs/{run_id}", f"runs/{run_id}/events"):
        contents = (await client.read_resource(f"pluto-duck://{path}")).contents
        found[f"/{path.replace(run_id, 'ID')}"] = json.loads(contents[0].text)
    with pytest.raises(MCPError, match="run-0"):
        await client.read_resource("pluto-duck://runs/run-0")
    with pytest.raises(MCPError, match=r"There is no prompt 'anser'\. There are: answer, explore, check"):
        await client.get_prompt("anser", {})
    with pytest.raises(MCPError, match="The prompt answer needs question"):
        await client.get_prompt("answer", {})
    found["tools"] = {each.name for each in (await client.list_tools()).tools}
    found["prompts"] = {each.name: await _text(client, each) for each in (await client.list_prompts()).prompts}
    return found


async def _text(client, prompt):
    """A prompt about customers."""
    got = await client.get_prompt(prompt.name, {prompt.arguments[0].name: "customers"})
    return got.messages[0].content.text.replace("runs/customers", "runs/it")


@contextlib.contextmanager
def served(root):
    server = subprocess.Popen([sys.executable, "-m", "pluto_duck_cli", "--root", str(root), "serve", "--port", "0"])
    deadline = time.monotonic() + 60
    while find_server(Paths(root)) is None and time.monotonic() < deadline:
        time.sleep(0.1)
    yield
    server.terminate()
    server.wait(30)


@contextlib.contextmanager
def alone(root):
    yield


@pytest.fixture(scope="module", params=[alone, served], ids=["alone", "served"])
def found(root, request):
    """What every door gives, with the warehouse in the session's process and behind a server."""
    with request.param(root):
        return session(root, _every_door)


def test_every_tool_and_resource(found):
    assert found["tools"] == {name for name, action in registry.installed().items() if not action.writes}
    assert found["prompts"].keys() == {"answer", "explore", "check"}
    assert [name for name, text in found["prompts"].items() if text.count("customers") != 1] == []
    query = found["query"].structured_content
    assert (query["rows"], query["row_count"]) == ([[1, "Ann", "Germany"], [2, "Bob", "France"]], 3)
    assert json.loads(found["query"].content[0].text) == query
    assert (query["truncated"], query["sql"]) == (True, "SELECT * FROM customers ORDER BY 1")
    assert [each["table"] for each in found["schema"].structured_content["tables"]] == ["customers"]
    assert found["table"].structured_content["row_count"] == 3
    assert found["/schema"] == found["schema"].structured_content
    assert found["/schema/customers"] == found["table"].structured_content
    values = found["values"].structured_content["values"]
    assert [(each["table"], each["column"], each["value"]) for each in values] == [("customers", "country", "Germany")]
    assert found["metrics"].structured_content == {"metrics": []}
    assert found["/runs/ID/events"]["events"][-1]["type"] == "run"
    assert found["/runs/ID"]["status"] == "cannot_answer"
    assert found["/runs"]["runs"][0]["run_id"] == found["/runs/ID"]["run_id"]


def test_nothing_that_failed_looks_like_an_answer(found):
    for name in ("refused", "no table", "no metric", "misspelt", "not its to say", "no question", "no text", "no tool"):
        assert found[name].is_error, name
        assert found[name].structured_content["status"] == "failed", name
        assert "rows" not in found[name].structured_content, name
    told = found["misspelt"].structured_content["error"]
    assert told["message"] == "query takes no argument 'max_row'. Did you mean max_rows?"
    assert found["not its to say"].structured_content["error"]["code"] == "invalid_arguments"
    assert found["no question"].structured_content["error"]["message"] == "ask: question: Field required"
    assert found["no text"].structured_content["error"]["code"] == "invalid_arguments"
    assert "Did you mean query" in found["no tool"].content[0].text
    assert "Did you mean customers" in found["no table"].content[0].text
    assert found["no answer"].is_error
    assert found["no answer"].content[0].text.startswith("cannot answer: ")


@pytest.mark.parametrize("where", [alone, served], ids=["alone", "served"])
def test_with_writes_data_is_loaded_and_dbt_runs(tmp_path, where):
    (tmp_path / "ducks.csv").write_text("id,name\n1,Ann\n2,Bob\n")
    project, told = tmp_path / "root" / "dbt_project", []
    (project / "models").mkdir(parents=True)
    (project / "dbt_project.yml").write_text("name: ducks\nprofile: rides\n")
    shutil.copy(RIDES / "profiles.yml", project)
    (project / "models" / "pond.sql").write_text("select count(*) as n from main.ducks")

    async def progress(done, total, message):
        told.append(message)

    async def write(client):
        source = {"source": str(tmp_path / "ducks.csv")}
        loaded = await client.call_tool("ingest", source, progress_callback=progress)
        again = await client.call_tool("ingest", {"source": str(tmp_path / "none.csv")})
        built = await client.call_tool("dbt", {"command": "build"}, progress_callback=progress)
        counted = await client.call_tool("query", {"sql": "SELECT n FROM pond"})
        return loaded, again, built, counted

    with where(tmp_path / "root"):
        loaded, again, built, counted = session(tmp_path / "root", write, "--writes")
    assert [each["rows"] for each in loaded.structured_content["tables"]] == [2]
    assert (again.is_error, again.structured_content["error"]["code"]) == (True, "file_not_found")
    assert (built.structured_content["exit_code"], counted.structured_content["rows"]) == (0, [[2]]), built.content
    assert told


def test_an_idle_session_keeps_nobody_waiting(root):
    settings = load_settings(root)
    lease = Lease(partial(connect, settings), idle_s=0.05)
    with lease.client() as client:
        first = client
        assert client.schema()["tables"]
    with connect(settings) as other:
        assert other.schema()["tables"]
    with lease.client() as client:
        assert client is not first
    lease.close()


def test_after_a_server_has_gone_the_next_call_looks_for_another():
    opened = []

    @contextlib.contextmanager
    def numbered():
        opened.append(len(opened))
        yield opened[-1]

    lease = Lease(numbered)
    with pytest.raises(EnvironmentFault), lease.client():
        raise EnvironmentFault("gone", code="server_away")
    with lease.client() as client:
        assert client == 1
    with lease.client() as client:
        assert client == 1
    lease.close()


def test_without_the_library_it_says_what_to_install(root):
    script = (
        "import sys; sys.modules['mcp'] = None; from pluto_duck_cli.main import execute; sys.exit(execute(['mcp']))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert "hint: pip install 'pluto-duck[mcp]'" in done.stderr
