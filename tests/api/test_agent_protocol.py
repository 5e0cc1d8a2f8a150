"""The Agent Protocol's whole task life, over HTTP: set, stepped, asked back, read, listed; and whose it is."""

import contextlib
import json
import threading
import time

import httpx
import pytest
from tests.api.conftest import ONE, listening
from tests.api.test_a2a import NOTHING, SLOW, WHICH, Place

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.main import create_app

STEP = {"task_id", "step_id", "name", "input", "additional_input", "status"}
STEP |= {"output", "additional_output", "artifacts", "is_last"}
ARTIFACT = {"artifact_id", "agent_created", "file_name", "relative_path", "created_at"}


class AgentProtocol:
    """A client that knows the protocol and nothing of ours."""

    def __init__(self, address, token):
        headers = {"Authorization": f"Bearer {token}"}
        self.http = httpx.Client(base_url=f"{address}/ap/v1/agent", headers=headers, trust_env=False, timeout=60)

    def create(self, text=None, **additional):
        answer = self.http.post("/tasks", json={"input": text, "additional_input": additional})
        assert answer.status_code == 200, answer.text
        assert set(answer.json()) == {"task_id", "input", "additional_input", "artifacts"}
        return answer.json()["task_id"]

    def step(self, task_id, text=None):
        answer = self.http.post(f"/tasks/{task_id}/steps", json={"input": text} if text else {})
        assert answer.status_code == 200, answer.text
        assert set(answer.json()) == STEP
        return answer.json()

    def get(self, path, **params):
        answer = self.http.get(f"/tasks{path}", params=params)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def code(self, method, path, **more):
        answer = self.http.request(method, f"/tasks{path}", **more)
        return answer.status_code, answer.json()["code"]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    made = Place(tmp_path_factory.mktemp("ap"))
    with listening(create_app(made.workspace)) as made.address:
        yield made
    made.workspace.close()


@pytest.fixture(autouse=True)
def _answers(place):
    place.says(*ONE)


@pytest.fixture
def client(place):
    return AgentProtocol(place.address, place.texts["anna"])


def test_a_task_from_its_setting_to_its_artifacts(client, place):
    task_id = client.create("How many?")
    assert client.get(f"/{task_id}/steps")["steps"] == []
    step = client.step(task_id)
    assert (step["status"], step["is_last"], step["input"]) == ("completed", True, "How many?")
    assert step["additional_output"]["rows"] == [[5]]
    assert step["additional_output"]["sql"] in step["output"]
    run = place.workspace.runs.get(step["step_id"])
    assert (run["status"], run["question"]) == ("succeeded", "How many?")
    assert client.get(f"/{task_id}/steps/{step['step_id']}") == step
    listed = client.get(f"/{task_id}/artifacts")["artifacts"]
    assert listed == step["artifacts"] == client.get(f"/{task_id}")["artifacts"]
    assert [set(each) for each in listed] == [ARTIFACT, ARTIFACT]
    files = [client.http.get(f"/tasks/{task_id}/artifacts/{each['artifact_id']}").text for each in listed]
    assert ("How many?" in files[0], files[1]) == (True, "n\n5\n")


def test_a_question_back_is_a_step_that_is_not_the_last(client, place):
    place.says(WHICH)
    task_id = client.create("sales")
    first = client.step(task_id)
    assert (first["is_last"], first["status"]) == (False, "completed")
    assert first["additional_output"]["clarification"] == WHICH["clarify"]
    assert client.code("POST", f"/{task_id}/steps", json={}) == (422, "input_needed")
    place.says(*ONE)
    second = client.step(task_id, "net")
    assert (second["is_last"], second["additional_output"]["rows"]) == (True, [[5]])
    assert [each["step_id"] for each in client.get(f"/{task_id}/steps")["steps"]] == [
        first["step_id"],
        second["step_id"],
    ]


def test_after_the_last_step_only_a_question_goes_on(client):
    task_id = client.create("How many?")
    client.step(task_id)
    assert client.code("POST", f"/{task_id}/steps") == (409, "task_over")
    assert client.step(task_id, "and now?")["input"] == "and now?"


def test_a_task_without_an_input_takes_its_first_steps(client):
    task_id = client.create()
    assert client.code("POST", f"/{task_id}/steps") == (422, "input_needed")
    assert client.step(task_id, "How many?")["additional_output"]["rows"] == [[5]]


@pytest.mark.parametrize(
    ("reply", "name"), [(NOTHING, "cannot answer"), ({"sql": "SELECT nothing FROM nowhere"}, "failed")]
)
def test_what_is_no_answer_is_told_as_an_error(client, place, reply, name):
    place.says(reply)
    step = client.step(client.create("weather?"))
    assert (step["name"], step["is_last"], step["artifacts"]) == (name, True, [])
    assert step["additional_output"]["error"]["message"] in step["output"]


def test_a_step_that_runs_is_seen_and_no_other_begins(client, place):
    place.says(SLOW)
    task_id = client.create("How long?")
    thread = threading.Thread(target=lambda: client.step(task_id))
    thread.start()
    while not (steps := client.get(f"/{task_id}/steps")["steps"]):
        time.sleep(0.05)
    assert (steps[0]["status"], steps[0]["output"], steps[0]["is_last"]) == ("running", None, False)
    assert client.code("POST", f"/{task_id}/steps", json={"input": "more"}) == (409, "step_running")
    place.workspace.runs.cancel(steps[0]["step_id"])
    thread.join(30)
    assert client.get(f"/{task_id}/steps/{steps[0]['step_id']}")["name"] == "cancelled"


def test_pages_are_counted_from_one(place):
    client = AgentProtocol(place.address, place.texts["bob"])
    ids = [client.create(f"task {number}") for number in range(3)]
    first, second = (client.get("", current_page=page, page_size=2) for page in (1, 2))
    assert [each["task_id"] for each in first["tasks"] + second["tasks"]] == ids[::-1]
    assert second["pagination"] == {"total_items": 3, "total_pages": 2, "current_page": 2, "page_size": 2}
    assert client.code("GET", "", params={"current_page": 0}) == (422, "invalid_request")


def test_a_task_is_its_setters_alone(client, place):
    task_id = client.create("How many?")
    step_id = client.step(task_id)["step_id"]
    other = AgentProtocol(place.address, place.texts["bob"])
    for path in ("", "/steps", f"/steps/{step_id}", "/artifacts", f"/artifacts/{step_id}.csv"):
        assert other.code("GET", f"/{task_id}{path}") == (404, "task_not_found"), path
    assert other.code("POST", f"/{task_id}/steps", json={"input": "x"}) == (404, "task_not_found")
    assert task_id not in [each["task_id"] for each in other.get("", page_size=1000)["tasks"]]
    mine = client.create("How many?")
    assert client.code("GET", f"/{mine}/steps/{step_id}") == (404, "step_not_found")
    assert client.code("GET", f"/{mine}/artifacts/{step_id}.csv") == (404, "step_not_found")
    assert client.code("GET", f"/{task_id}/artifacts/{step_id}.exe") == (404, "artifact_not_found")


def test_an_agent_answers_within_its_scope(client, place):
    step = client.step(client.create("How many?", agent="small"))
    assert step["additional_output"]["rows"] == [[2]]
    bot = AgentProtocol(place.address, place.texts["bot"])
    assert bot.step(bot.create("How many?"))["additional_output"]["rows"] == [[2]]
    assert bot.code("POST", "", json={"additional_input": {"agent": "other"}}) == (403, "other_agent")
    assert client.code("POST", "", json={"additional_input": {"agent": "none"}})[0] == 404
    assert client.code("POST", "", json={"additional_input": {"agent": 7}}) == (422, "invalid_request")


def test_a_server_started_again_goes_on_with_a_task(tmp_path):
    place = Place(tmp_path)
    place.says(WHICH)
    with contextlib.closing(place.workspace), listening(create_app(place.workspace)) as address:
        client = AgentProtocol(address, place.texts["anna"])
        task_id = client.create("sales", debug=True)
        first = client.step(task_id)
    place.says(*ONE)
    again = Workspace.open(place.workspace.settings, wait_s=0)
    with contextlib.closing(again), listening(create_app(again)) as address:
        client = AgentProtocol(address, place.texts["anna"])
        assert client.get(f"/{task_id}/steps")["steps"] == [first]
        assert client.get(f"/{task_id}")["additional_input"] == {"debug": True}
        assert client.step(task_id, "net")["is_last"]


def test_what_was_set_is_readable_by_its_user_only(client, place):
    task_id = client.create("How many?")
    path = place.workspace.paths.tasks / f"{task_id}.json"
    assert (path.stat().st_mode & 0o077, json.loads(path.read_bytes())["input"]) == (0, "How many?")
