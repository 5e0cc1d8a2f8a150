"""Agent2Agent, driven by the official client: cards, sending, streaming, questions back, cancelling, who may what."""

import contextlib
import json
import uuid
from contextlib import asynccontextmanager

import anyio
import httpx
import pytest
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.client.errors import A2AClientError
from a2a.types import (
    CancelTaskRequest,
    GetTaskRequest,
    ListTasksRequest,
    Message,
    Part,
    Role,
    SendMessageRequest,
    SubscribeToTaskRequest,
    TaskPushNotificationConfig,
    TaskState,
)
from a2a.utils.errors import (
    ContentTypeNotSupportedError,
    InvalidParamsError,
    PushNotificationNotSupportedError,
    TaskNotCancelableError,
    TaskNotFoundError,
    UnsupportedOperationError,
)
from google.protobuf.json_format import MessageToDict
from tests.api.conftest import ONE, listening, script

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.tokens import TokenFile
from pluto_duck_backend.app.main import create_app

WHICH = {"clarify": {"question": "Which sales?", "options": ["gross", "net"]}}
SLOW = {"sql": "SELECT sum(a.range * b.range) AS s FROM range(1000000) a, range(1000000) b"}
NOTHING = {"cannot_answer": "The data holds no weather."}
SKILL = "---\ndescription: What sums are.\n---\nSums add up.\n"
WORDS = {"parts": [{"text": "how many"}]}
AGENT = "description: Small numbers.\nexamples: [how many are small]\nscope: {tables: [t], rows: {t: a < 2}}\n"


class Place:
    """A server, its tokens, and what its provider says next."""

    def __init__(self, folder):
        settings = script(folder, ONE)
        self._script = settings.agent.script
        self.workspace = Workspace.open(settings, wait_s=0)
        with self.workspace.warehouse.write() as session:
            session.execute("CREATE TABLE t AS SELECT range AS a FROM range(5)")
        self.workspace.agents.deploy("small", {"agent.yaml": AGENT, "skills/sums/SKILL.md": SKILL})
        self.workspace.agents.deploy("other", {"agent.yaml": ""})
        self.tokens = TokenFile(self.workspace.paths.tokens)
        texts = {name: self.tokens.create(name, "viewer") for name in ("anna", "bob")}
        texts["bot"] = self.tokens.create("bot", "viewer", agent="small")
        self.texts = {name: text for name, (_, text) in texts.items()}
        self.address = ""

    def says(self, *replies):
        self._script.write_text(json.dumps({"replies": list(replies)}))

    @asynccontextmanager
    async def client(self, who="anna", agent="", **config):
        headers = {"Authorization": f"Bearer {self.texts[who]}"}
        base = f"{self.address}/a2a/{agent}" if agent else self.address
        async with httpx.AsyncClient(headers=headers, trust_env=False, timeout=60) as http:
            card = await A2ACardResolver(http, base).get_agent_card()
            yield ClientFactory(ClientConfig(httpx_client=http, **config)).create(card)

    def run(self, work, *whose, **config):
        async def whole():
            async with self.client(*whose, **config) as client:
                return await work(client)

        return anyio.run(whole)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    made = Place(tmp_path_factory.mktemp("a2a"))
    with listening(create_app(made.workspace)) as made.address:
        yield made
    made.workspace.close()


@pytest.fixture(autouse=True)
def _answers(place):
    place.says(*ONE)


def asking(text="How many?", **more):
    parts = more.pop("parts", [Part(text=text)])
    said = Message(message_id=uuid.uuid4().hex, role=Role.ROLE_USER, parts=parts, **more)
    return SendMessageRequest(message=said)


async def sent(client, *given, **more):
    """The task that a message led to, without a stream."""
    [answer] = [each async for each in client.send_message(asking(*given, **more))]
    return answer.task


def rows_of(task):
    [text, data] = task.artifacts[0].parts
    assert (text.media_type, data.media_type) == ("text/markdown", "application/json")
    return MessageToDict(data.data)["rows"]


def test_a_card_says_who_answers_where(place):
    whole = httpx.get(f"{place.address}/.well-known/agent-card.json", trust_env=False).json()
    assert (whole["name"], whole["capabilities"]["streaming"]) == ("Pluto-Duck", True)
    assert whole["supportedInterfaces"][0]["url"] == f"{place.address}/a2a"
    assert "token" in whole["securitySchemes"]
    assert "small" not in json.dumps(whole).casefold()

    async def card(client):
        return client._card

    made = place.run(card, "anna", "small")
    assert (made.name, made.description) == ("small", "Small numbers.")
    assert list(made.skills[0].examples) == ["how many are small"]
    assert [(each.id, each.description) for each in made.skills[1:]] == [("sums", "What sums are.")]


@pytest.mark.parametrize(("who", "status"), [("", 401), ("bob", 200), ("bot", 403)])
def test_an_agents_card_is_for_who_may_ask_it(place, who, status):
    headers = {"Authorization": f"Bearer {place.texts[who]}"} if who else {}
    path = f"{place.address}/a2a/other/.well-known/agent-card.json"
    assert httpx.get(path, headers=headers, trust_env=False).status_code == status


def test_a_question_is_answered_with_artifacts(place):
    async def work(client):
        task = await sent(client)
        again = await client.get_task(GetTaskRequest(id=task.id))
        short = await client.get_task(GetTaskRequest(id=task.id, history_length=0))
        return task, again, short

    task, again, short = place.run(work, streaming=False)
    assert (task.status.state, rows_of(task)) == (TaskState.TASK_STATE_COMPLETED, [[5.0]])
    assert task.status.message.parts[0].text == task.artifacts[0].parts[0].text
    assert [each.parts[0].text for each in task.history] == ["How many?"]
    assert (again, list(short.history)) == (task, [])
    run = place.workspace.runs.get(task.id)
    assert (run["status"], run["conversation_id"]) == ("succeeded", task.context_id)


def test_a_stream_tells_the_task_its_steps_the_artifact_and_the_end(place):
    async def work(client):
        return [each async for each in client.send_message(asking())]

    events = place.run(work)
    kinds = [each.WhichOneof("payload") for each in events]
    assert (kinds[0], kinds[-1]) == ("task", "status_update")
    assert kinds.count("artifact_update") >= 1
    steps = [each.status_update for each in events[1:-1] if each.HasField("status_update")]
    assert {each.status.state for each in steps} == {TaskState.TASK_STATE_WORKING}
    assert any(each.status.message.parts[0].text.startswith("sql: SELECT") for each in steps)
    numbers = [MessageToDict(each.metadata)["seq"] for each in steps]
    assert numbers == sorted(set(numbers))
    assert events[-1].status_update.status.state == TaskState.TASK_STATE_COMPLETED
    assert {each.status_update.task_id for each in events[-1:]} == {events[0].task.id}


@pytest.mark.parametrize("streaming", [True, False])
def test_a_question_back_is_answered_in_the_same_task(place, streaming):
    place.says(WHICH)

    async def work(client):
        first = [each async for each in client.send_message(asking("sales"))][-1]
        task_id = first.status_update.task_id if streaming else first.task.id
        waiting = await client.get_task(GetTaskRequest(id=task_id))
        place.says(*ONE)
        reply = asking("net", task_id=task_id, context_id=waiting.context_id)
        last = [each async for each in client.send_message(reply)][-1]
        assert task_id == (last.status_update.task_id if streaming else last.task.id)
        return waiting, await client.get_task(GetTaskRequest(id=task_id))

    waiting, done = place.run(work, streaming=streaming)
    assert waiting.status.state == TaskState.TASK_STATE_INPUT_REQUIRED
    assert waiting.status.message.parts[0].text == "Which sales?\n- gross\n- net"
    assert MessageToDict(waiting.status.message.parts[1].data) == {**WHICH["clarify"]}
    assert (done.id, done.status.state, rows_of(done)) == (waiting.id, TaskState.TASK_STATE_COMPLETED, [[5.0]])
    said = [(each.role, each.parts[0].text.splitlines()[0]) for each in done.history]
    assert said == [(Role.ROLE_USER, "sales"), (Role.ROLE_AGENT, "Which sales?"), (Role.ROLE_USER, "net")]


def test_a_task_is_cancelled_and_its_query_with_it(place):
    place.says(SLOW)

    async def work(client):
        updates = client.send_message(asking())
        task = (await anext(updates)).task
        async for each in updates:
            if (
                each.status_update.status.message.parts
                and each.status_update.status.message.parts[0].text == "verifier"
            ):
                break
        with pytest.raises(UnsupportedOperationError, match="takes no message"):
            await sent_again(client, task)
        ended = await client.cancel_task(CancelTaskRequest(id=task.id))
        left = [each async for each in updates]
        with pytest.raises(TaskNotCancelableError):
            await client.cancel_task(CancelTaskRequest(id=task.id))
        return ended, left

    async def sent_again(client, task):
        async for _ in client.send_message(asking("more", task_id=task.id)):
            pass

    ended, left = place.run(work)
    assert ended.status.state == TaskState.TASK_STATE_CANCELED
    assert left[-1].status_update.status.state == TaskState.TASK_STATE_CANCELED
    assert place.workspace.runs.get(ended.id)["status"] == "cancelled"


def test_at_once_then_followed_to_its_end(place):
    place.says(SLOW)

    async def begin(client):
        return await sent(client)

    task = place.run(begin, streaming=False, polling=True)
    assert task.status.state == TaskState.TASK_STATE_WORKING

    async def work(client):
        updates = client.subscribe(SubscribeToTaskRequest(id=task.id))
        assert (await anext(updates)).task.id == task.id
        await client.cancel_task(CancelTaskRequest(id=task.id))
        last = [each async for each in updates][-1]
        with pytest.raises(UnsupportedOperationError, match="is over"):
            await anext(client.subscribe(SubscribeToTaskRequest(id=task.id)))
        return last

    assert place.run(work).status_update.status.state == TaskState.TASK_STATE_CANCELED


def test_what_the_data_cannot_answer_is_rejected_and_what_fails_failed(place):
    async def work(client):
        place.says(NOTHING)
        rejected = await sent(client, "weather?")
        place.says({"sql": "SELECT nothing FROM nowhere"})
        return rejected, await sent(client)

    rejected, failed = place.run(work, streaming=False)
    assert (rejected.status.state, list(rejected.artifacts)) == (TaskState.TASK_STATE_REJECTED, [])
    assert failed.status.state == TaskState.TASK_STATE_FAILED
    assert failed.status.message.parts[0].text


def test_tasks_are_listed_page_by_page_for_their_owner(place):
    async def work(client):
        context = (await sent(client, "first pears")).context_id
        for text in ("then plums", "then figs"):
            await sent(client, text, context_id=context)
        every = await client.list_tasks(ListTasksRequest(context_id=context))
        page = await client.list_tasks(ListTasksRequest(context_id=context, page_size=2))
        rest = await client.list_tasks(
            ListTasksRequest(context_id=context, page_size=2, page_token=page.next_page_token, include_artifacts=True)
        )
        none = await client.list_tasks(ListTasksRequest(context_id=context, status=TaskState.TASK_STATE_INPUT_REQUIRED))
        return every, page, rest, none

    every, page, rest, none = place.run(work, "bob", streaming=False)
    assert [each.history[0].parts[0].text for each in every.tasks] == ["then figs", "then plums", "first pears"]
    assert (every.total_size, len(page.tasks), [each.id for each in rest.tasks]) == (3, 2, [every.tasks[2].id])
    assert (list(every.tasks[0].artifacts), rows_of(rest.tasks[0]), rest.next_page_token) == ([], [[5.0]], "")
    assert list(none.tasks) == []


def test_a_task_is_its_askers_and_its_agents_alone(place):
    async def ask(client):
        return await sent(client)

    async def look(client):
        with pytest.raises(TaskNotFoundError):
            await client.get_task(GetTaskRequest(id=task.id))
        with pytest.raises(TaskNotFoundError):
            await client.cancel_task(CancelTaskRequest(id=task.id))
        with pytest.raises((TaskNotFoundError, InvalidParamsError)):
            await sent(client, "and?", context_id=task.context_id)
        return await client.list_tasks(ListTasksRequest())

    task = place.run(ask, "anna", "small", streaming=False)
    assert rows_of(task) == [[2.0]]
    assert MessageToDict(task.metadata)["agent"] == "small"
    assert task.id not in [each.id for each in place.run(look, "bob").tasks]
    assert rows_of(place.run(ask, "bot", streaming=False)) == [[2.0]]
    with pytest.raises(A2AClientError, match="403"):
        place.run(ask, "bot", "other")

    async def elsewhere(client):
        with pytest.raises(TaskNotFoundError):
            await client.get_task(GetTaskRequest(id=task.id))

    place.run(elsewhere, "anna", "other")


def test_a_server_started_again_goes_on_with_a_task(tmp_path):

    async def begin(client):
        return await sent(client, "sales")

    async def go_on(client):
        return await sent(client, "net", task_id=task.id)

    place = Place(tmp_path)
    place.says(WHICH)
    with contextlib.closing(place.workspace), listening(create_app(place.workspace)) as place.address:
        task = place.run(begin, streaming=False)
    place.says(*ONE)
    again = Workspace.open(place.workspace.settings, wait_s=0)
    with contextlib.closing(again), listening(create_app(again)) as place.address:
        done = place.run(go_on, streaming=False)
    assert (done.id, done.status.state) == (task.id, TaskState.TASK_STATE_COMPLETED)


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        (asking(parts=[]), InvalidParamsError),
        (asking(parts=[Part(raw=b"png")]), ContentTypeNotSupportedError),
        (asking("  "), InvalidParamsError),
        (asking(task_id="run-0"), TaskNotFoundError),
        (asking(context_id="conv-0123456789ab-0123456789ab"), TaskNotFoundError),
    ],
)
def test_what_is_no_question_is_told_so(place, request_, error):
    async def work(client):
        with pytest.raises(error):
            await anext(client.send_message(request_))

    place.run(work)
    place.run(work, streaming=False)


def test_what_is_not_offered_says_so(place):
    async def work(client):
        with pytest.raises(PushNotificationNotSupportedError):
            await client.create_task_push_notification_config(TaskPushNotificationConfig(task_id="x", url="http://x"))

    place.run(work)
    headers = {"Authorization": f"Bearer {place.texts['anna']}", "A2A-Version": "0.3"}
    body = {"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": {}}
    answer = httpx.post(f"{place.address}/a2a", json=body, headers=headers, trust_env=False).json()
    assert (answer["id"], answer["error"]["code"]) == (1, -32009)


def _asked(method, **params):
    return json.dumps({"jsonrpc": "2.0", "method": method, "params": params})


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("{", -32700),
        ("[]", -32600),
        ('{"jsonrpc": "1.0", "method": "GetTask"}', -32600),
        ('{"jsonrpc": "2.0", "method": "GetTask", "params": []}', -32600),
        ('{"jsonrpc": "2.0", "method": "Dance"}', -32601),
        ('{"jsonrpc": "2.0", "method": "GetTask", "params": {"id": 7}}', -32602),
        ('{"jsonrpc": "2.0", "method": "GetTask", "params": {"id": "../x"}}', -32001),
        ('{"jsonrpc": "2.0", "method": "ListTasks", "params": {"pageSize": 101}}', -32602),
        (_asked("GetTask"), -32602),
        (_asked("SubscribeToTask", id=7), -32602),
        (_asked("ListTasks", status="done"), -32602),
        (_asked("ListTasks", includeArtifacts="no"), -32602),
        (_asked("SendMessage"), -32602),
        (_asked("SendMessage", message={"taskId": 0, **WORDS}), -32602),
        (_asked("SendMessage", message=WORDS, configuration=[]), -32602),
        (_asked("SendMessage", message=WORDS, configuration={"returnImmediately": "no"}), -32602),
    ],
)
def test_what_is_no_request_is_told_so(place, body, code):
    headers = {"Authorization": f"Bearer {place.texts['anna']}"}
    answer = httpx.post(f"{place.address}/a2a", content=body, headers=headers, trust_env=False)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400 if code in (-32700, -32600) else 200, code)
    told = answer.json()["error"]["data"][0]
    assert told["reason"]
    assert told["metadata"]["hint"]
