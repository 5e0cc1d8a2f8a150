"""MCP servers that an agent's file names: real ones, over both transports, as actions and for a model."""

import json
import shutil
import sys
import threading
import time
from pathlib import Path

import pytest
from tests.agent.outside.desk import HOSTILE, made
from tests.api.conftest import listening
from tests.models.conftest import final, of
from tests.models.server import ModelServer, Says, sql

from pluto_duck_backend.agent.actions.keys import Once
from pluto_duck_backend.agent.agents.definition import read_definition
from pluto_duck_backend.agent.cancel import CancelToken
from pluto_duck_backend.agent.event_log import EventLog
from pluto_duck_backend.agent.events import RunStart
from pluto_duck_backend.agent.outside.connection import Connection
from pluto_duck_backend.agent.outside.lookups import APPROVE, DECLINE
from pluto_duck_backend.agent.outside.server import Server
from pluto_duck_backend.agent.outside.service import OutsideTools
from pluto_duck_backend.agent.run_views import RUN_SHAPE
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.errors import Conflict, EnvironmentFault, InvalidInput, NotFound, Refused
from pluto_duck_backend.app.core.ids import new_id
from pluto_duck_backend.app.core.principal import Principal

DESK = Path(__file__).parent / "desk.py"
VIEWER = Principal("vic", "", "viewer", "sales")
SQL = "SELECT count(*) * 1.25 AS dollars FROM albums"


@pytest.fixture(scope="module")
def model():
    served = ModelServer()
    yield served
    served.close()


@pytest.fixture(scope="module")
def notes(tmp_path_factory):
    """What the servers have written down."""
    path = tmp_path_factory.mktemp("desk") / "notes"
    path.touch()
    return path


@pytest.fixture(scope="module")
def workspace(tmp_path_factory, model, notes):
    root = tmp_path_factory.mktemp("outside")
    with listening(made(notes).streamable_http_app()) as address, pytest.MonkeyPatch.context() as environment:
        environment.setenv("DESK_KEY", "s3cret")
        environment.setenv("OTHER_KEY", "never to be handed on")
        command = f"command: {json.dumps([sys.executable, str(DESK), str(notes)])}"
        _agent(
            root,
            "sales",
            f"desk: {{{command}, env: {{KEY: 'Bearer ${{env:DESK_KEY}}'}}, timeout_s: 5}}",
            f"web: {{url: '{address}/mcp', headers: {{X-Key: '${{env:DESK_KEY}}'}}, allow: [rate, 'n*']}}",
            "gone: {url: 'http://127.0.0.1:9/mcp'}",
        )
        _agent(root, "strict", f"desk: {{{command}, approval: always}}", tools=["ask", "desk.rate"])
        opened = Workspace.open(_settings(root, model), wait_s=0)
        with opened.warehouse.write() as session:
            session.execute("CREATE TABLE albums AS SELECT range AS id, 'x' || range AS title FROM range(4)")
        yield opened
        opened.close()


def _settings(root, model):
    chosen = {"base_url": f"{model.url}/v1", "model": "fake", "retries": 0}
    return load_settings(root, agent={"provider": "openai", "words": "plain"}, providers={"openai": chosen})


def _agent(root, name, *servers, tools=None):
    folder = root / "configs" / "agents" / name
    folder.mkdir(parents=True)
    lines = ["servers:", *(f"  {each}" for each in servers), *([f"tools: {json.dumps(tools)}"] if tools else [])]
    (folder / "agent.yaml").write_text("\n".join(lines) + "\n")


@pytest.fixture
def call(workspace):
    def _call(name, arguments=None, agent="sales", **options):
        return workspace.actions.call(name, arguments or {}, agent=agent, **options)

    return _call


@pytest.fixture
def ask(workspace):
    def _ask(question="What are the albums worth?", **options):
        handle = workspace.runs.start(question, agent="sales", **options)
        return handle, list(workspace.runs.log(handle.run_id).follow())

    return _ask


def test_the_tools_of_an_agents_servers_are_actions_beside_ours(workspace):
    listed = workspace.actions.every(agent="sales")
    found = {each["name"]: each for each in listed["actions"]}
    assert {"query", "desk.rate", "web.rate", "web.note"} <= found.keys()
    assert "web.crash" not in found  # allow: [rate, n*]
    assert [(found[f"desk.{name}"]["role"], found[f"desk.{name}"]["approval"]) for name in ("rate", "note")] == [
        ("viewer", False),
        ("engineer", True),
    ]
    assert found["desk.unmarked"]["approval"]  # who does not say that it reads is taken to write
    assert found["desk.rate"]["input_schema"]["required"] == ["currency"]
    assert "\n" not in found["desk.lie"]["description"]
    assert [(each["server"], each["code"]) for each in listed["away"]] == [("gone", "server_down")]
    of_viewers = [each["name"] for each in workspace.actions.every(VIEWER)["actions"]]
    assert "desk.rate" in of_viewers
    assert "desk.note" not in of_viewers
    assert not [each for each in workspace.actions.every()["actions"] if "." in each["name"]]
    strict = [each["name"] for each in workspace.actions.every(agent="strict")["actions"]]
    assert strict == ["ask", "desk.rate"]


@pytest.mark.parametrize("server", ["desk", "web"])
def test_a_tool_that_reads_is_called_at_once(call, server, workspace):
    told = []
    done = call(f"{server}.rate", {"currency": "EUR"}, who=VIEWER, agent=None, tell=told.append)
    assert (done.error, done.details["data"]) == (None, {"currency": "EUR", "rate": 1.25})
    assert told == ['"looking it up"']
    line = json.loads(workspace.paths.audit.read_text().splitlines()[-1])
    assert (line["who"], line["action"], line["outcome"]) == ("vic", f"{server}.rate", "allowed")


def test_a_tool_that_writes_wants_approval_and_the_role(call, notes):
    with pytest.raises(Conflict) as refused:
        call("desk.note", {"text": "unapproved"})
    assert (refused.value.code, '{"text": "unapproved"}' in refused.value.message) == ("approval_needed", True)
    with pytest.raises(Refused):
        call("desk.note", {"text": "by a viewer"}, who=VIEWER, approved=True)
    with pytest.raises(Conflict):
        call("desk.rate", {"currency": "EUR"}, agent="strict")  # approval: always
    done = [call("desk.note", {"text": "approved"}, approved=True, key="once") for _ in range(2)]
    assert [each.details["text"] for each in done] == ["kept", "kept"]
    assert notes.read_text() == "approved\n"


def test_what_fails_says_what_and_whose_words_they_are(call):
    failed = call("desk.fail").error
    assert (failed["code"], '"Error executing tool fail' in failed["message"]) == ("tool_failed", True)
    assert ("\n" not in failed["message"], "actions list --agent" in failed["hint"]) == (True, True)
    with pytest.raises(NotFound, match=r"Did you mean desk\.rate"):
        call("desk.rats")
    with pytest.raises(NotFound) as unnamed:
        call("desk.rate", agent=None)
    assert "--agent NAME" in unnamed.value.hint
    assert call("desk.rate").error["code"] == "tool_failed"
    began = time.monotonic()
    assert call("desk.slow", timeout_s=0.3).error["code"] == "action_timeout"
    assert time.monotonic() - began < 5
    assert call("desk.lie").content == json.dumps({"tool": "desk.lie", "data": {"result": HOSTILE}})


def test_a_server_that_crashes_is_started_again_and_a_write_is_not_repeated(call, notes):
    assert call("desk.crash_once").details["text"] == "up again"
    done = call("desk.crash", {"text": "half"}, approved=True)
    assert (done.error["code"], done.error["retryable"]) == ("call_cut_off", False)
    assert notes.read_text().splitlines().count("half") == 1
    assert call("desk.rate", {"currency": "EUR"}).error is None


def test_one_that_is_away_is_not_waited_for_again_and_again(call):
    for _ in range(3):
        with pytest.raises(EnvironmentFault) as away:
            call("gone.rate")
    assert (away.value.code, away.value.retryable) == ("server_down", True)
    assert "It is tried again after" in away.value.hint, away.value.hint


def test_one_that_was_let_go_of_is_not_started_again(notes):
    connection = Connection("desk", Server(command=[sys.executable, str(DESK), str(notes)]))
    assert connection.tools(CancelToken())
    connection.close()
    with pytest.raises(EnvironmentFault) as gone:
        connection.tools(CancelToken())
    assert (gone.value.code, gone.value.retryable) == ("server_away", True)


def test_one_that_does_not_answer_is_let_go_of_at_once(tmp_path):
    silent = [sys.executable, "-c", f"open({str(tmp_path / 'up')!r}, 'w'); import time; time.sleep(600)"]
    connection, found = Connection("silent", Server(command=silent)), []

    def asked():
        with pytest.raises(EnvironmentFault) as gone:
            connection.tools(CancelToken())
        found.append(gone.value.code)

    asking = threading.Thread(target=asked)
    asking.start()
    while not (tmp_path / "up").exists():
        time.sleep(0.01)
    began = time.monotonic()
    connection.close()
    asking.join()
    assert (found, time.monotonic() - began < 9) == (["server_away"], True)


def test_no_server_is_connected_after_the_end(workspace):
    outside = OutsideTools(workspace.agents.files)
    outside.close()
    with pytest.raises(EnvironmentFault) as refused:
        outside.get("sales", "desk.rate")
    assert refused.value.code == "ending"


def test_a_server_is_handed_what_its_file_names_and_nothing_else(call):
    handed = json.loads(call("desk.handed").details["text"])
    assert handed["KEY"] == "Bearer s3cret"
    assert [name for name, value in handed.items() if "handed on" in value or name == "OTHER_KEY"] == []


def test_a_model_has_tools_called_before_it_decides(ask, model, workspace):
    model.says(Says(calls=(("desk__rate", {"currency": "EUR"}),)), Says(calls=(("desk__lie", {}),)), sql(SQL))
    _, events = ask()
    assert final(events)["rows"] == [[5.0]]
    caveats = " ".join(final(events)["caveats"])
    assert "desk.rate was called, which is outside of the data." in caveats
    assert "The MCP server gone is away" in caveats
    ends = [each for each in of(events, "tool.end") if each["tool"] == "lookup"]
    assert [each["name"] for each in ends] == ["desk.rate", "desk.lie"]
    offered = {each["function"]["name"] for each in model.requests[-1]["tools"]}
    assert {"answer_with_sql", "desk__rate", "desk__note", "web__rate"} <= offered
    told = [each["content"] or "" for each in model.requests[-1]["messages"]]
    assert sum('"rate": 1.25' in each for each in told) == 1
    assert not [each for each in told if "\nIgnore all rules" in each or "\nyou call desk__note" in each]


def test_a_model_without_tools_asks_in_json(ask, model, workspace):
    model.says("words", '{"call": "web__rate", "arguments": {"currency": "EUR"}}', sql(SQL))
    _, events = ask()
    assert final(events)["status"] == "succeeded", events[-1]
    assert [each["name"] for each in of(events, "tool.end") if each["tool"] == "lookup"] == ["web.rate"]


@pytest.mark.parametrize(("reply", "kept"), [(APPROVE, ["from the model"]), ("2", [])], ids=["approved", "declined"])
def test_a_write_waits_for_a_persons_word_and_then_that_very_call_is_made(ask, model, notes, reply, kept):
    notes.write_text("")
    model.says(
        Says(calls=(("desk__rate", {"currency": "EUR"}),)), Says(calls=(("desk__note", {"text": "from the model"}),))
    )
    begun, events = ask()
    asked = final(events)["clarification"]
    assert asked["question"] == 'May sales call desk.note with {"text": "from the model"}?'
    assert (asked["options"], notes.read_text()) == ([APPROVE, DECLINE], "")
    model.says(sql(SQL))
    _, events = ask(reply, conversation_id=begun.conversation_id)
    assert final(events)["rows"] == [[5.0]]
    assert notes.read_text().splitlines() == kept
    told = " ".join(str(each["content"]) for each in model.requests[-1]["messages"])
    assert ("What are the albums worth?" in told, '"rate": 1.25' in told) == (True, True)
    assert ("did not approve" in told) is not bool(kept)


def test_the_word_may_be_given_to_another_process(ask, model, notes, workspace, tmp_path):
    notes.write_text("")
    model.says(Says(calls=(("desk__note", {"text": "from the model"}),)))
    begun, events = ask()
    assert final(events)["status"] == "needs_input"
    left = shutil.copytree(workspace.paths.root, tmp_path / "root", ignore=shutil.ignore_patterns(".owner*"))
    model.says(sql(SQL))
    other = Workspace.open(_settings(left, model), wait_s=0)
    try:
        handle = other.runs.start("1", conversation_id=begun.conversation_id)
        assert final(list(other.runs.log(handle.run_id).follow()))["rows"] == [[5.0]]
    finally:
        other.close()
    assert notes.read_text() == "from the model\n"


def test_who_is_asked_for_the_same_call_again_is_told_of_the_first(ask, model):
    note = Says(calls=(("desk__note", {"text": "twice"}),))
    model.says(note)
    begun, _ = ask()
    model.says(note)
    _, events = ask(APPROVE, conversation_id=begun.conversation_id)
    told = final(events)["clarification"]["question"]
    assert "This very call has come up before: " in told and "kept" in told, told


def _begun_and_killed(settings, start, is_called):
    """What a process leaves that is killed after the person's word: the run's first event, and the key of its call."""
    dying = Workspace.open(settings, wait_s=0)
    log = EventLog.create(dying.places.sessions("artifacts/runs", RUN_SHAPE), new_id("run"))
    log.append(RunStart(**{**start, "question": APPROVE}))
    if is_called:
        request = {"name": "desk.note", "arguments": {"text": "said yes"}, "agent": "sales"}
        with pytest.raises(SystemExit):
            Once(dying.places.beside_sessions, lambda: dying.places.process_name).do(
                f"{log.owner_id} approved", start["who"], request, sys.exit
            )
    dying.close()
    return log.owner_id


@pytest.mark.parametrize("cut", ["before the call", "in its midst"])
def test_a_process_that_ends_after_the_word_was_given_is_followed_by_one_that_keeps_it(
    ask, model, notes, workspace, tmp_path, cut
):
    """The run goes on with its asker's role; what may have been done is not done again, and not told as failed."""
    notes.write_text("")
    model.says(Says(calls=(("desk__note", {"text": "said yes"}),)))
    _, events = ask()
    left = shutil.copytree(workspace.paths.root, tmp_path / "root", ignore=shutil.ignore_patterns(".owner*"))
    run_id = _begun_and_killed(_settings(left, model), events[0]["content"], cut == "in its midst")
    model.says(sql(SQL))
    other = Workspace.open(_settings(left, model), wait_s=0, resume=True)
    try:
        caveats = " ".join(final(list(other.runs.log(run_id).follow()))["caveats"])
    finally:
        other.close()
    assert notes.read_text().splitlines() == (["said yes"] if cut == "before the call" else [])
    assert ("its end was not seen (key_cut_off)" in caveats) is (cut == "in its midst"), caveats
    assert "and failed" not in caveats


def test_a_viewers_run_is_not_offered_what_writes(ask, model):
    model.says(Says(calls=(("desk__note", {"text": "by a viewer"}),)))
    _, events = ask(who=VIEWER)
    assert [each for each in of(events, "tool.end") if each["tool"] == "lookup"] == []
    offered = {each["function"]["name"] for each in model.requests[-1].get("tools", ())}
    assert not {"desk__note", "desk__unmarked"} & offered


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("a: {command: [x], url: 'http://y'}", "servers.a: Value error, it wants either a command or a url"),
        ("a: {url: 'file:///etc/passwd'}", "begins with neither"),
        ("a: {command: [x], env: {KEY: hunter2}}", "KEY names no variable of the environment"),
        ("A.b: {command: [x]}", "is no name for a server"),
        ("a: {comand: [x]}", "Did you mean command"),
    ],
)
def test_a_broken_server_is_told_with_its_line_and_never_with_a_secret(said, problem):
    with pytest.raises(InvalidInput) as raised:
        read_definition(f"servers:\n  {said}\n", "agent.yaml")
    assert "agent.yaml:" in raised.value.message
    assert problem in raised.value.message
    assert "hunter2" not in raised.value.message


def test_who_deploys_an_agent_starts_and_hands_on_only_what_this_machine_names(workspace):
    for said, code in (
        ("command: [sh, -c, 'env']", "program_not_allowed"),
        ("url: 'http://127.0.0.1:9', headers: {A: '${env:OPENAI_API_KEY}'}", "variable_not_allowed"),
    ):
        with pytest.raises(Refused) as refused:
            workspace.agents.deploy("evil", {"agent.yaml": f"servers: {{a: {{{said}}}}}\n"})
        assert refused.value.code == code
    demanded = workspace.agents.deploy(
        "fine", {"agent.yaml": "servers: {a: {url: 'http://127.0.0.1:9'}}\n"}, check=True
    )
    assert "As the MCP server a it calls http://127.0.0.1:9; tools: *." in demanded["demands"]
