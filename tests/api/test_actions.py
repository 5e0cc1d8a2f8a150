"""Actions over HTTP: who may, what is refused, progress, the end of calls, keys, plug-ins, the audit log."""

import base64
import http.client
import itertools
import json
import shutil
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import EntryPoint
from typing import Annotated
from urllib.parse import urlsplit

import pytest
from pydantic import AfterValidator
from tests.api.reading import blocks
from tests.api.test_roles import Server

from pluto_duck_backend.agent.actions import registry
from pluto_duck_backend.agent.actions.calling import Actions
from pluto_duck_backend.agent.actions.contract import Call, Result, action
from pluto_duck_backend.agent.actions.keys import KEPT_S, Once
from pluto_duck_backend.app.core.errors import Conflict, PlutoDuckError
from pluto_duck_backend.app.core.principal import ROLES, Principal
from pluto_duck_backend.app.services.state.in_files.backend import FileState

COUNT = "SELECT count(*) AS n FROM t"
begun, let_go = threading.Event(), threading.Event()
done = []


@action("Wait", "viewer", timeout_s=30)
def wait(call: Call, heeds: bool = True) -> dict:
    """Tells that it has begun, then waits until it is let go, or ended if it heeds that."""
    call.tell("waiting")
    begun.set()
    with call.token.interrupting(let_go.set if heeds else lambda: None):
        let_go.wait(30)
    call.token.check()
    done.append("waited")
    return {"waited": True}


@action("Break", "viewer")
def broken(call: Call) -> dict:
    """Has a bug."""
    raise ZeroDivisionError("by zero")


@action("Add", "engineer", writes=True)
def add(call: Call, what: str, fails: bool = False) -> dict:
    """Does what may be done once."""
    done.append(what)
    if fails:
        raise PlutoDuckError("not now", code="later", retryable=True)
    return {"added": what, "all": len(done)}


@action("Share", "viewer")
def share(call: Call, of: Annotated[int, AfterValidator(lambda of: 100 // of)]) -> dict:
    """Has a bug in what it takes."""
    return {"share": of}


@action("Spoil", "viewer")
def spoil(call: Call) -> dict:
    """Leaves no place for its result under a key."""
    folder = call.workspace.paths.artifacts / "actions"
    shutil.rmtree(folder)
    folder.touch()
    return {"spoilt": True}


@pytest.fixture(scope="module", autouse=True)
def _plugins():
    """This module's actions by a plug-in's door, among plug-ins that are none."""
    here = __name__
    doors = [
        EntryPoint(name, f"{here}:{name}", registry.GROUP)
        for name in ("wait", "broken", "add", "share", "spoil", "COUNT")
    ]
    doors += [EntryPoint("gone", "no_such_module:gone", registry.GROUP)]
    kept = registry.entry_points
    registry.entry_points = lambda group: doors
    registry.installed.cache_clear()
    yield
    registry.entry_points = kept
    registry.installed.cache_clear()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    made = Server(tmp_path_factory.mktemp("actions"))
    for role in ROLES:
        made.add(role, role)
    yield made
    made.workspace.close()


@pytest.fixture(autouse=True)
def _fresh():
    begun.clear()
    let_go.clear()
    done.clear()


def call(server, name, arguments=None, who="admin", **more):
    return server.call(who, "POST", "/actions", json={"name": name, "arguments": arguments or {}, **more})


def test_each_role_is_told_of_what_it_may_call(server):
    every = registry.installed()
    assert {"ask", "query", "wait"} <= set(every)
    for role in ROLES:
        listed = {each["name"] for each in server.call(role, "GET", "/actions").json()["actions"]}
        assert listed == {name for name, each in every.items() if ROLES.index(role) >= ROLES.index(each.role)}
        for name in every.keys() - listed:
            refused = call(server, name, {}, role)
            assert (refused.status_code, refused.json()["code"]) == (403, "role_too_small"), (role, name)


def test_a_result_has_content_details_and_no_error(server):
    found = call(server, "query", {"sql": COUNT}).json()
    assert (found["details"]["rows"], found["error"]) == ([[5]], None)
    assert json.loads(found["content"]) == found["details"]
    asked = call(server, "ask", {"question": "How many?"}, "viewer").json()
    assert (asked["details"]["rows"], asked["details"]["status"]) == ([[5]], "succeeded")
    assert asked["details"]["job_id"] in asked["content"]


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("query", {"sql": "DROP TABLE t"}, "not_a_select"),
        ("query", {"sql": "SELECT x FROM t"}, "binder_error"),
        ("schema", {"table": "tt"}, "table_not_found"),
        ("calculator", {"expression": "1 +"}, "bad_expression"),
        ("broken", {}, "internal"),
        ("ingest", {"source": "/no/such/file.csv"}, "file_not_found"),
        ("ask", {"question": "How many?", "conversation": "conv-0123456789ab-0123456789ab"}, "conversation_not_found"),
    ],
)
def test_what_fails_says_so_with_its_code(server, name, arguments, code):
    answer = call(server, name, arguments)
    found = answer.json()
    assert (answer.status_code, found["error"]["code"], found["details"]) == (200, code, {})
    assert found["content"].startswith("error: " + "\n  ".join(found["error"]["message"].splitlines()))


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("qurey", {}, "action_not_found"),
        ("query", {}, "invalid_arguments"),
        ("query", {"sql": COUNT, "limit": 1}, "invalid_arguments"),
        ("values", {"like": "x", "limit": "many"}, "invalid_arguments"),
    ],
)
def test_what_cannot_be_begun_is_a_problem(server, name, arguments, code):
    for path in ("/actions", "/actions?stream=true"):
        answer = server.call("admin", "POST", path, json={"name": name, "arguments": arguments})
        assert (answer.status_code in (404, 422), answer.json()["code"]) == (True, code), path


def test_the_stream_tells_progress_and_the_result_last(server):
    answer = server.call(
        "viewer", "POST", "/actions?stream=true", json={"name": "ask", "arguments": {"question": "n?"}}
    )
    events = [event for _, event in blocks(answer.text.splitlines())]
    assert [each["seq"] for each in events] == list(range(1, len(events) + 1))
    assert [events[0]["subtype"], events[1]["subtype"], events[-1]["subtype"]] == ["start", "chunk", "end"]
    assert any(each["content"].get("message", "").startswith("sql: SELECT") for each in events)
    assert events[-1]["content"]["details"]["rows"] == [[5]]


def test_a_bug_before_a_call_begins_is_a_problem_of_its_stream_too(server):
    for path in ("/actions", "/actions?stream=true"):
        answer = server.call("viewer", "POST", path, json={"name": "share", "arguments": {"of": 0}})
        assert (answer.status_code, answer.json()["code"]) == (500, "internal"), path


def test_a_result_that_cannot_be_kept_under_its_key_ends_the_stream(server):
    asked = {"name": "spoil", "arguments": {}, "idempotency_key": "spoilt"}
    answer = server.call("viewer", "POST", "/actions?stream=true", json=asked)
    (server.workspace.paths.artifacts / "actions").unlink()
    events = [event for _, event in blocks(answer.text.splitlines())]
    assert [each["subtype"] for each in events] == ["start", "end"]
    assert (events[1]["content"]["details"], events[1]["content"]["error"]["refused"]) == ({}, False)


def _in_background(work):
    found = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    assert begun.wait(30)
    return found, thread


def test_a_call_is_cancelled_by_its_caller_alone(server):
    found, thread = _in_background(lambda: call(server, "wait", who="viewer").json())
    [call_id] = server.workspace.actions._live
    assert server.call("analyst", "POST", f"/actions/{call_id}/cancel").status_code == 404
    assert server.call("viewer", "POST", f"/actions/{call_id}/cancel").status_code == 202
    thread.join(30)
    assert (found[0]["error"]["code"], done) == ("cancelled", [])
    assert server.call("viewer", "POST", f"/actions/{call_id}/cancel").status_code == 404


def test_a_call_ends_when_its_time_is_over(server):
    found = call(server, "wait", timeout_s=0.05).json()
    assert (found["error"]["code"], found["error"]["retryable"], done) == ("action_timeout", True, [])


def test_who_hears_nothing_of_an_end_is_answered_for(server, monkeypatch):
    monkeypatch.setattr("pluto_duck_backend.agent.actions.calling._GRACE_S", 0.05)
    found = call(server, "wait", {"heeds": False}, timeout_s=0.05).json()
    assert found["error"]["code"] == "action_timeout"
    let_go.set()


@pytest.mark.parametrize("query", ["", "?stream=true"])
def test_going_away_ends_a_call(serve, query):
    body = json.dumps({"name": "wait"})
    connection = http.client.HTTPConnection(urlsplit(serve()).netloc)
    connection.request("POST", f"/api/v1/actions{query}", body, {"Content-Type": "application/json"})
    assert begun.wait(30)
    connection.close()
    assert let_go.wait(30)
    assert done == []


def test_under_a_key_a_thing_is_done_once(server):
    first, again = (call(server, "add", {"what": "a"}, idempotency_key="k1").json() for _ in range(2))
    assert (first, done) == (again, ["a"])
    other = call(server, "add", {"what": "b"}, idempotency_key="k1")
    assert (other.status_code, other.json()["code"]) == (409, "key_reused")
    assert call(server, "add", {"what": "a"}, "engineer", idempotency_key="k1").json()["details"]["all"] == 2
    restarted = Actions(server.workspace).call("add", {"what": "a"}, who=Principal("admin"), key="k1")
    assert (restarted.to_dict(), done) == (first, ["a", "a"])


def test_who_calls_meanwhile_waits_for_the_same_result(server):
    results = []
    found, thread = _in_background(lambda: call(server, "wait", idempotency_key="k2").json())
    second = threading.Thread(target=lambda: results.append(call(server, "wait", idempotency_key="k2").json()))
    second.start()
    let_go.set()
    thread.join(30)
    second.join(30)
    assert (found[0]["details"], results, done) == ({"waited": True}, found, ["waited"])


def test_what_can_be_tried_again_is_done_again(server):
    for _ in range(2):
        found = call(server, "add", {"what": "c", "fails": True}, idempotency_key="k3").json()
        assert found["error"]["code"] == "later"
    assert done == ["c", "c"]


def _once(folder, process="one", later_s=0.0):
    return Once(FileState(folder).memory(), lambda: process, lambda: time.time() + later_s)


def _done():
    return Result("done")


def test_work_that_was_cut_off_is_not_repeated_unasked(tmp_path):
    def killed():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _once(tmp_path).do("k", "anna", {}, killed)
    with pytest.raises(Conflict, match="its end was not seen"):
        _once(tmp_path).do("k", "anna", {}, _done)
    assert _once(tmp_path, later_s=KEPT_S + 1).do("k", "anna", {}, _done).content


def test_what_another_process_does_under_a_key_is_not_done_here(tmp_path):
    def meanwhile():
        asked = (("two", 0, "key_at_work"), ("two", 11, "key_cut_off"), ("one", 0, "key_cut_off"))
        for process, later_s, code in asked:
            with pytest.raises(Conflict) as told:
                _once(tmp_path, process, later_s).do("k", "anna", {}, _done)
            assert told.value.code == code
        return Result("first")

    assert _once(tmp_path).do("k", "anna", {}, meanwhile, 10).content == "first"
    assert _once(tmp_path, "two").do("k", "anna", {}, _done).content == "first"
    assert _once(tmp_path, "two").do("k", "bob", {}, _done).content == "done"


def test_of_processes_that_begin_at_once_one_does_it(tmp_path):
    begun = threading.Barrier(4)

    def tried(process):
        once = _once(tmp_path, process)
        begun.wait()
        try:
            return once.do("k", "anna", {}, lambda: done.append(process) or Result(process)).content
        except Conflict as told:
            return told.code

    with ThreadPoolExecutor(4) as pool:
        found = set(pool.map(tried, "abcd"))
    assert len(done) == 1 and found <= {*done, "key_at_work"}


def test_keys_are_forgotten_after_a_day(tmp_path):
    clock = [time.time()]
    once = Once(FileState(tmp_path).memory(), lambda: "one", lambda: clock[0])
    once.do("old", "anna", {}, _done)
    clock[0] += KEPT_S - 10
    once.do("new", "anna", {}, _done)
    clock[0] += 4000
    once.do("newer", "anna", {}, _done)
    assert len(list(tmp_path.rglob("*.json"))) == 2


def test_keys_are_swept_while_others_are_used(tmp_path):
    hours = itertools.count(int(time.time()), 3_700)
    once = Once(FileState(tmp_path).memory(), lambda: "one", lambda: float(next(hours)))
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda number: once.do(f"k{number}", "anna", {}, _done, KEPT_S), range(400)))
    assert {each.content for each in results} == {"done"}


def test_a_plug_in_that_is_no_action_is_left_out_and_the_rest_works():
    assert {"wait", "broken", "add"} <= set(registry.installed())
    assert "gone" not in registry.installed()


def test_the_audit_log_has_a_line_for_each_call(server):
    call(server, "schema", who="viewer")
    call(server, "add", {"what": "x"}, "viewer")
    call(server, "query", {"sql": "DROP TABLE t"})
    told = [(each["who"], each["action"], each["outcome"], each["code"]) for each in server.audit() if "action" in each]
    assert told[-3:] == [
        ("viewer", "schema", "allowed", None),
        ("viewer", "add", "refused", "role_too_small"),
        ("admin", "query", "refused", "not_a_select"),
    ]


def test_notes_are_their_callers_own(server):
    call(server, "note", {"text": "amounts are in euros"}, "viewer")
    call(server, "note", {"text": "weeks begin on Monday"}, "viewer")
    texts = [each["text"] for each in call(server, "notes", {}, "viewer").json()["details"]["notes"]]
    assert texts == ["weeks begin on Monday", "amounts are in euros"]
    assert len(call(server, "notes", {"like": "EURO"}, "viewer").json()["details"]["notes"]) == 1
    assert call(server, "notes", {}, "analyst").json()["details"]["notes"] == []


def test_an_answer_comes_as_a_file(server):
    run_id = call(server, "ask", {"question": "How many?"}).json()["details"]["run_id"]
    text = call(server, "export", {"run_id": run_id, "format": "csv"}).json()
    assert text["content"] == text["details"]["text"] == "n\n5\n"
    data = call(server, "export", {"run_id": run_id, "format": "parquet"}).json()["details"]
    assert base64.b64decode(data["base64"]).startswith(b"PAR1")


def test_a_token_bound_to_an_agent_has_its_scope_in_every_action(server):
    files = {"agent.yaml": "scope: {tables: [t], rows: {t: a < 2}}\n"}
    server.call("owner", "PUT", "/agents/small", json={"files": files})
    server.add("bot", "engineer", agent="small")
    assert call(server, "query", {"sql": COUNT}, "bot").json()["details"]["rows"] == [[2]]
    assert call(server, "values", {"like": "x3"}, "bot").json()["details"]["values"] == []
    refused = {
        name: call(server, name, given, "bot").json()["error"]["code"]
        for name, given in {"ingest": {"source": "/t.csv"}, "dbt": {"command": "ls"}, "metrics": {}}.items()
    }
    assert refused == dict.fromkeys(refused, "not_granted")
    other = call(server, "ask", {"question": "How many?", "agent": "other"}, "bot").json()
    assert other["error"]["code"] == "other_agent"
