"""What a viewer reaches by every call, tool, resource, message, agent and saved thing there is: nothing it should not.

The owner has asked, confirmed, pinned, noted and set tasks over a table, a column and rows whose texts hold one word.
Three viewers try every door: one sees all data and nobody's work, two see a part of the data. What a door answers
beside what was typed must not hold the word. The calls are those of the table of roles: a new one is tried as well.
"""

import json
import re
import uuid

import anyio
import httpx
import pytest
from tests.api.conftest import listening
from tests.api.test_mcp import session
from tests.api.test_roles import OPEN

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.api.roles import NEEDED
from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.tokens import TokenFile
from pluto_duck_backend.app.main import create_app
from pluto_duck_cli.mcp_server.streamable import Streamable

OWNER = "the-owners-own-token"
HIDDEN = "okapi"
DATA = """
CREATE TABLE customers AS SELECT range AS id, 'name ' || range AS name, 'okapi' || range AS okapi_mail, 'DE' AS country
FROM range(10) UNION ALL SELECT 10 + range, 'okapi ' || range, 'x', 'OKAPILAND' FROM range(10);
CREATE TABLE okapi_salaries AS SELECT range AS okapi_id, 'okapi-' || range AS person, 7 AS amount FROM range(3);
COMMENT ON TABLE okapi_salaries IS 'What an okapi earns';
CREATE SCHEMA okapis; CREATE TABLE okapis.okapi_calls AS SELECT 'okapi' AS caller;
CREATE VIEW everybody AS SELECT person AS name FROM okapi_salaries;
"""
PART = {"tables": ["customers"], "columns": {"customers": ["id", "name", "country"]}}
PART["rows"] = {"customers": "country = 'DE'"}
AGENTS = {
    "part": "description: Customers.\nscope: " + json.dumps(PART) + "\n",
    "payroll": "description: Pay.\nscope: {tables: [okapi_salaries], rows: {okapi_salaries: \"person <> 'okapi'\"}}\n"
    "servers: {crm: {command: [okapi-server]}}\n",
}
WORDS = "- **pay**: okapi_salaries.amount\n- **gone**: okapi_salaries.okapi_gone\n"
QUESTION = "How many okapi salaries are there?"
CONFINED = ("eu", "bot")


class Place:
    """A server, the owner's work on it, and its viewers' tokens."""

    def __init__(self, folder):
        root = folder / "root"
        (root / "configs" / "knowledge").mkdir(parents=True)
        (root / "configs" / "knowledge" / "words.md").write_text(WORDS)
        settings = load_settings(root, agent={"provider": "embedded"}, rights={"part": PART})
        self.workspace = Workspace.open(settings, wait_s=0)
        with self.workspace.warehouse.write() as made:
            made.execute(DATA)
        for name, text in AGENTS.items():
            self.workspace.agents.files.deploy(name, {"agent.yaml": text})
        tokens = TokenFile(self.workspace.paths.tokens)
        self.tokens = {"all": tokens.create("all", "viewer")[1], "eu": tokens.create("eu", "viewer", rights="part")[1]}
        self.tokens |= {"bot": tokens.create("bot", "viewer", agent="part")[1], "owner": OWNER}
        self.address, self.ids = "", {}

    def call(self, name, method, path, **more):
        headers = {"Authorization": f"Bearer {self.tokens[name]}"}
        root = "" if path.startswith(("/a2a", "/ap/", "/.well-known")) else "/api/v1"
        url = f"{self.address}{root}{path}"
        return httpx.request(method, url, headers=headers, trust_env=False, timeout=60, **more)

    def made(self, method, path, **body):
        """As the owner, who must succeed."""
        answer = self.call("owner", method, path, json=body)
        assert answer.status_code < 300, (path, answer.text)
        return answer.json()

    def work(self):
        """What the owner does, and the names that lead to it."""
        ids = self.ids
        begun = self.made("POST", "/agent/run", question=QUESTION, conversation_id="okapi-talk")
        ids["run_id"] = begun["run_id"]
        list(self.workspace.runs.log(begun["run_id"]).follow())
        run = self.made("GET", f"/agent/{begun['run_id']}")
        assert run["status"] == "succeeded", run
        ids["job_id"] = run["final"]["job_id"]
        ids["name"] = self.made("POST", f"/agent/{begun['run_id']}/confirm")["file"].rpartition("/")[2]
        ids["board_id"] = self.made("POST", "/boards", title="Okapi board")["board_id"]
        self.made("POST", f"/boards/{ids['board_id']}/tiles", run_id=begun["run_id"])
        ids["task_id"] = self.made("POST", "/ap/v1/agent/tasks", input=QUESTION)["task_id"]
        step = self.made("POST", f"/ap/v1/agent/tasks/{ids['task_id']}/steps")
        ids["step_id"] = step["step_id"]
        artifacts = self.made("GET", f"/ap/v1/agent/tasks/{ids['task_id']}/artifacts")["artifacts"]
        ids["artifact_id"] = artifacts[0]["artifact_id"]
        note = {"name": "note", "arguments": {"text": "The okapi note."}, "idempotency_key": "okapi"}
        self.made("POST", "/actions", **note)
        ids |= {"table": "okapi_salaries", "agent": "payroll", "call_id": "call-1"}
        return self


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    made = Place(tmp_path_factory.mktemp("doors"))
    with listening(create_app(made.workspace, OWNER, mcp=Streamable())) as made.address:
        yield made.work()
    made.workspace.close()


def kept(answer, *typed):
    """What an answer holds of the hidden word, beside what was typed."""
    text = answer if isinstance(answer, str) else json.dumps(answer, default=str)
    for each in sorted(typed, key=len, reverse=True):
        text = text.replace(each, "")
    return re.findall(rf".{{0,60}}{HIDDEN}.{{0,60}}", text, re.IGNORECASE)


OTHERS = ("run_id", "job_id", "task_id", "step_id", "artifact_id", "call_id")
LISTS = ("/agent", "/agents", "/ap/v1/agent/tasks")
READS = [call for call, role in NEEDED.items() if role == "viewer" and not call.startswith("POST /a2a")]


@pytest.mark.parametrize("name", ["all", *CONFINED])
@pytest.mark.parametrize("call", READS)
def test_what_a_call_answers(place, call, name):
    method, path = call.split()
    named = re.findall(r"{(\w+)}", path)
    queries = {"params": {"like": HIDDEN}} if path == "/values" else {}
    queries |= {"params": {"agent": "payroll"}} if path == "/actions" and method == "GET" else {}
    answer = place.call(name, method, path.format(**place.ids), **queries)
    assert answer.status_code < 500, answer.text
    if any(each in OTHERS for each in named):
        assert answer.status_code == 404, answer.text
    if name in CONFINED or any(each in OTHERS for each in named) or path in LISTS:
        assert kept(answer.text, *place.ids.values()) == [], (call, answer.text)
    if name in CONFINED and set(named) & {"board_id", "table"}:
        assert answer.status_code == 404, answer.text


QUESTIONS = [
    "How many customers are there?",
    "List all customers",
    "Which countries are there?",
    "What is the total pay?",
    "What is gone?",
    "How many salaries are there?",
    "Who earns most?",
    "What did others ask?",
]


@pytest.mark.parametrize("name", CONFINED)
@pytest.mark.parametrize("agent", [None, "part", "payroll"])
def test_what_a_question_finds_by_the_choice_of_an_agent(place, name, agent):
    for question in QUESTIONS:
        begun = place.call(name, "POST", "/agent/run", json={"question": question, "agent": agent})
        assert kept(begun.text) == []
        if begun.status_code == 202:
            run_id = begun.json()["run_id"]
            assert kept(place.call(name, "GET", f"/agent/{run_id}/events").text) == [], question
            run = place.call(name, "GET", f"/agent/{run_id}").json()
            assert kept(run) == [], question
            assert "okapi" not in place.call(name, "GET", f"/agent/{run_id}/export?format=md").text.casefold()


@pytest.mark.parametrize("name", ["all", *CONFINED])
def test_anothers_conversation_is_none(place, name):
    body = {"question": "And how many of them?", "conversation_id": "okapi-talk"}
    begun = place.call(name, "POST", "/agent/run", json=body).json()
    events = place.call(name, "GET", f"/agent/{begun['run_id']}/events").text
    assert "salaries" not in events.split('"tool":"schema"')[0], events
    if name in CONFINED:
        assert kept(events, "okapi-talk") == []


def acts(place):
    """Arguments that lead to what is not the caller's, by action."""
    ids = place.ids
    return {
        "ask": {"question": "How many salaries are there?", "conversation": "okapi-talk"},
        "schema": {"table": "okapi_salaries"},
        "values": {"like": HIDDEN},
        "metrics": {},
        "chart": {"job_id": ids["job_id"]},
        "export": {"run_id": ids["run_id"]},
        "calculator": {"expression": "1 + 1"},
        "note": {"text": "mine"},
        "notes": {"like": ""},
        "skills": {"agent": "payroll"},
        "query": {"sql": "SELECT * FROM customers"},
        "ingest": {"source": "/none.csv"},
        "dbt": {"command": "ls"},
    }


@pytest.mark.parametrize("name", ["all", *CONFINED])
def test_what_an_action_and_a_tool_give(place, name):
    given = acts(place)
    typed = [*place.ids.values(), "okapi-talk", HIDDEN] if name == "all" else [*place.ids.values(), "okapi-talk"]

    async def tools(client):
        assert {each.name for each in (await client.list_tools()).tools} == set(given)
        return {each: (await client.call_tool(each, said)).structured_content for each, said in given.items()}

    by_protocol = session(place.address, tools, place.tokens[name])
    for each, arguments in given.items():
        by_http = place.call(name, "POST", "/actions", json={"name": each, "arguments": arguments}).json()
        for found in (by_http, by_protocol[each]):
            if name in CONFINED or each not in ("schema", "values", "ask"):
                assert kept(found, *typed) == [], (each, found)
    for each in ("chart", "export"):
        assert by_protocol[each]["error"]["code"] in ("job_not_found", "run_not_found")
    assert by_protocol["query"]["error"]["code"] == "role_too_small"


@pytest.mark.parametrize("name", ["all", *CONFINED])
def test_a_key_is_nobody_elses(place, name):
    body = {"name": "note", "arguments": {"text": "The okapi note."}, "idempotency_key": "okapi"}
    mine = place.call(name, "POST", "/actions", json={**body, "arguments": {"text": "Another."}})
    assert mine.json()["details"]["text"] == "Another."


@pytest.mark.parametrize("name", ["all", *CONFINED])
def test_what_a_resource_holds(place, name):
    ids = place.ids

    async def read(client):
        found = {}
        addresses = ["schema", "schema/okapi_salaries", "runs", f"runs/{ids['run_id']}", f"runs/{ids['run_id']}/events"]
        templates = {each.uri_template for each in (await client.list_resource_templates()).resource_templates}
        assert len(templates) + len((await client.list_resources()).resources) == len(addresses)
        for each in addresses:
            try:
                found[each] = (await client.read_resource(f"pluto-duck://{each}")).contents[0].text
            except Exception as refused:
                found[each] = f"refused: {refused}"
        return found

    found = session(place.address, read, place.tokens[name])
    for each, text in found.items():
        if name in CONFINED or each.startswith("runs"):
            assert kept(text, *ids.values(), "okapi-talk") == [], (each, text)
        if each.startswith("runs/"):
            assert text.startswith("refused"), text


def rpc(place, name, method, agent="", **params):
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    headers = {"A2A-Version": "1.0"}
    path = f"/a2a/{agent}" if agent else "/a2a"
    url = f"{place.address}{path}"
    headers["Authorization"] = f"Bearer {place.tokens[name]}"
    return httpx.post(url, json=body, headers=headers, trust_env=False, timeout=60)


def message(text, **more):
    return {"messageId": uuid.uuid4().hex, "role": "ROLE_USER", "parts": [{"text": text}], **more}


@pytest.mark.parametrize("agent", ["", "part", "payroll"])
@pytest.mark.parametrize("name", ["all", *CONFINED])
def test_what_other_agents_are_told(place, name, agent):
    task = place.ids["run_id"]
    for method in ("GetTask", "CancelTask", "SubscribeToTask"):
        answer = rpc(place, name, method, agent, id=task)
        assert "error" in answer.text or answer.status_code in (403, 404), answer.text
        assert kept(answer.text, task) == [], answer.text
    answer = rpc(place, name, "SendMessage", agent, message=message("How many?", taskId=task))
    assert "error" in answer.text or answer.status_code in (403, 404), answer.text
    listed = rpc(place, name, "ListTasks", agent, includeArtifacts=True)
    assert task not in listed.text
    said = rpc(place, name, "SendMessage", agent, message=message("How many customers?", contextId="okapi-talk"))
    card = place.call(name, "GET", f"/a2a/{agent}/.well-known/agent-card.json") if agent else None
    for answer in (listed, said, card):
        if answer is not None and name in CONFINED:
            assert kept(answer.text, "okapi-talk") == [], answer.text


def test_nothing_of_it_is_open_to_who_has_no_token(place):
    for call in OPEN:
        method, path = call.replace("{name}", "page.css").split()
        answer = httpx.request(method, f"{place.address}{path}", trust_env=False)
        assert (answer.status_code, kept(answer.text)) == (200, []), call
    assert anyio.run(_unnamed, place) == 401


async def _unnamed(place):
    async with httpx.AsyncClient(trust_env=False) as client:
        return (await client.post(f"{place.address}/mcp", json={})).status_code
