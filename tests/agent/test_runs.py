"""Runs through the graph: what they yield, how they end, and what survives."""

import time
from types import SimpleNamespace

import pytest

from pluto_duck_backend.agent.cancel import CancelToken
from pluto_duck_backend.agent.event_log import EventLog
from pluto_duck_backend.agent.events import RunStart
from pluto_duck_backend.agent.querying import run_query
from pluto_duck_backend.agent.run_views import RUN_SHAPE
from pluto_duck_backend.app.core.errors import Cancelled, EnvironmentFault, InvalidInput, NotFound
from pluto_duck_backend.app.core.ids import new_id
from pluto_duck_backend.app.core.principal import OWNER
from pluto_duck_backend.app.services.execution import later
from pluto_duck_backend.app.services.state.in_files.sessions import SessionFiles

_END = b'{"run_id":"r","seq":2,"type":"run","subtype":"end","content":{"status":"cancelled"},"timestamp":""}\n'
SLOW = "SELECT sum(a.range * b.range) AS s FROM range(1000000) a, range(1000000) b"


def _names(events):
    return [f"{event['type']}.{event['subtype']}" for event in events]


def _tools(events):
    return [event["content"]["tool"] for event in events if _names([event]) == ["tool.end"]]


def _final(events):
    return next(event["content"] for event in events if _names([event]) == ["message.final"])


def test_a_question_goes_through_every_node(open_workspace, ask):
    workspace = open_workspace()
    events = ask(workspace)
    names = _names(events)
    assert (names[0], names[-1]) == ("run.start", "run.end")
    assert _tools(events) == ["planner", "schema", "sql", "verifier"]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    final = _final(events)
    assert (final["status"], final["rows"], final["row_count"]) == ("succeeded", [[5]], 1)
    assert (
        "".join(e["content"]["text"] for e in events if e["type"] == "message" and "text" in e["content"])
        == (final["answer"])
    )
    job = workspace.queries.get(final["job_id"])
    assert (job.status, job.sql) == ("succeeded", final["sql"])


def test_every_reasoning_event_names_its_decision(open_workspace, ask):
    decisions = [event["content"]["decision"] for event in ask(open_workspace()) if event["type"] == "reasoning"]
    assert decisions == [each for each in ("planner", "schema", "sql", "verifier", "finalize") for _ in range(3)]


def test_what_comes_at_once_is_told_at_once_and_what_takes_time_is_told_before(open_workspace, ask):
    workspace = open_workspace()
    told = {name: event["timestamp"] for event in ask(workspace) for name in _names([event])}
    assert told["message.chunk"] == told["message.final"] == told["run.end"]
    events = ask(workspace, provider="embedded")
    starts = {each["content"]["tool"]: each["timestamp"] for each in events if _names([each]) == ["tool.start"]}
    ends = {each["content"]["tool"]: each["timestamp"] for each in events if _names([each]) == ["tool.end"]}
    assert [tool for tool in starts if starts[tool] < ends[tool]] == ["schema", "sql", "verifier"]


def test_a_failed_verification_goes_back_to_sql_with_the_error(open_workspace, ask):
    events = ask(open_workspace([{"sql": "SELECT no_such FROM t"}, {"sql": "SELECT max(a) AS m FROM t"}]))
    assert _tools(events) == ["planner", "schema", "sql", "verifier", "sql", "verifier"]
    verified = [e["content"] for e in events if e["content"].get("tool") == "verifier" and e["subtype"] == "end"]
    assert "no_such" in verified[0]["error"]["message"]
    assert (verified[0]["attempt"], verified[1]["attempt"], verified[1]["error"]) == (1, 2, None)
    assert _final(events)["rows"] == [[4]]


def test_attempts_are_limited_and_the_run_fails_with_the_last_error(open_workspace, ask):
    events = ask(open_workspace([{"sql": "SELECT no_such FROM t"}], max_attempts=2))
    assert _tools(events).count("verifier") == 2
    assert _names(events)[-1] == "run.error"
    assert "no_such" in events[-1]["content"]["message"]
    assert "message.final" not in _names(events)


def test_sql_that_would_write_is_never_run(open_workspace, ask):
    workspace = open_workspace([{"sql": "DROP TABLE t"}], max_attempts=1)
    assert _names(ask(workspace))[-1] == "run.error"
    with workspace.warehouse.read() as session:
        assert session.rows("SELECT count(*) FROM t") == [(5,)]


def test_a_provider_that_fails_ends_the_run(open_workspace, ask):
    workspace = open_workspace([{"fail": "the model is away"}])
    events = ask(workspace)
    assert events[-1]["content"]["code"] == "provider_failed"
    assert workspace.runs.get(events[0]["run_id"])["status"] == "failed"


def test_what_can_wait_waits_for_a_question_even_before_its_query(open_workspace, ask, monkeypatch):
    monkeypatch.setattr(later, "_QUIET_S", 60.0)
    workspace, done = open_workspace([{"cannot_answer": "Nothing here is called churn."}]), []
    ask(workspace)
    workspace.queries._later.submit(lambda: done.append("kept"), 1)
    time.sleep(0.05)
    assert done == []
    workspace.queries._later.hurry()
    workspace.queries.close()
    assert done == ["kept"]


def test_what_the_data_cannot_answer_is_said(open_workspace, ask):
    events = ask(open_workspace([{"cannot_answer": "Nothing here is called churn."}]))
    assert events[-1]["content"] == {"status": "cannot_answer"}
    assert (_final(events)["answer"], _final(events)["job_id"]) == ("Nothing here is called churn.", None)


def test_a_question_back_is_answered_in_the_same_conversation(open_workspace, ask):
    workspace = open_workspace([{"clarify": {"question": "Which one?", "options": ["gross", "net"]}}])
    first = ask(workspace, "Total sales")
    assert first[-1]["content"] == {"status": "needs_input"}
    assert _final(first)["clarification"] == {"question": "Which one?", "options": ["gross", "net"]}
    conversation = first[0]["content"]["conversation_id"]
    turns = workspace.runs._turns(conversation, OWNER)
    assert [(turn.message, turn.status, turn.options) for turn in turns] == [
        ("Total sales", "needs_input", ("gross", "net"))
    ]


def test_cancelling_interrupts_the_query(open_workspace):
    workspace = open_workspace([{"sql": SLOW}])
    handle = workspace.runs.start("slow")
    log = workspace.runs.log(handle.run_id)
    next(event for event in log.follow() if event["content"].get("tool") == "verifier")
    time.sleep(0.2)
    workspace.runs.cancel(handle.run_id)
    events = list(log.follow())
    assert events[-1]["content"] == {"status": "cancelled"}
    assert workspace.runs.get(handle.run_id)["status"] == "cancelled"


def test_cancelling_reaches_a_query_that_has_not_begun(open_workspace):
    workspace, job_id, token = open_workspace(), new_id("query"), CancelToken()

    def begin(sql, *, begun, **options):
        token.cancel()
        return workspace.queries.run(sql, begun=begun, **options)

    queries = SimpleNamespace(run=begin, cancel=workspace.queries.cancel)
    tools = SimpleNamespace(queries=queries, token=token, run_id=None, max_rows=1, who=OWNER)
    with pytest.raises(Cancelled):
        run_query(SLOW, job_id, tools)
    assert workspace.queries.get(job_id).status == "cancelled"


def test_a_run_that_takes_too_long_fails_and_says_so(open_workspace, ask):
    events = ask(open_workspace([{"sql": SLOW}]), timeout_s=0.5)
    assert (_names(events)[-1], events[-1]["content"]["code"]) == ("run.error", "run_timeout")


def test_closing_ends_what_runs_and_a_new_owner_sees_it(open_workspace, ask):
    workspace = open_workspace([{"sql": SLOW}])
    handle = workspace.runs.start("slow")
    workspace.close()
    again = open_workspace()
    run = again.runs.get(handle.run_id)
    assert (run["status"], run["error"]["code"], run["error"]["retryable"]) == ("failed", "interrupted", True)


def test_a_log_left_open_by_a_dead_process_is_ended_once(open_workspace):
    workspace = open_workspace()
    run_id = new_id("run")
    log = EventLog.create(workspace.places.sessions("artifacts/runs", RUN_SHAPE), run_id)
    log.append(RunStart("q", "c", "embedded", None))
    with (workspace.paths.runs / f"{run_id}.jsonl").open("ab") as file:
        file.write(b'{"run_id": "torn')
    assert workspace.runs.recover() == [run_id]
    assert workspace.runs.recover() == []
    assert _names(workspace.runs.log(run_id).events()) == ["run.start", "run.error"]


def _left_open(workspace, provider="scripted"):
    """The id of a run whose process died when it had begun."""
    run_id = new_id("run")
    log = EventLog.create(workspace.places.sessions("artifacts/runs", RUN_SHAPE), run_id)
    log.append(RunStart("How many?", "c", provider, None))
    log.close()
    return run_id


def test_a_run_whose_provider_is_gone_is_not_resumed_and_holds_up_no_other(open_workspace):
    workspace = open_workspace()
    gone, there = _left_open(workspace, "nobody"), _left_open(workspace)
    assert sorted(workspace.runs.recover(resume=True)) == sorted([gone, there])
    ends = [list(workspace.runs.log(run_id).follow())[-1] for run_id in (gone, there)]
    assert _names(ends) == ["run.error", "run.end"]
    assert ends[0]["content"]["code"] == "interrupted"


@pytest.mark.parametrize("comes_first", ["before it is opened", "before its end is written"])
def test_what_another_process_ends_first_stays_ended_so(open_workspace, monkeypatch, comes_first):
    workspace = open_workspace()
    raced, other = _left_open(workspace), _left_open(workspace)
    resume = SessionFiles.resume

    def resumed(files, run_id):
        writer = None if comes_first == "before it is opened" else resume(files, run_id)
        if run_id == raced:
            path = workspace.paths.runs / f"{run_id}.jsonl"
            path.unlink() if writer is None else path.write_bytes(path.read_bytes() + _END)
        return writer or resume(files, run_id)

    monkeypatch.setattr(SessionFiles, "resume", resumed)
    assert sorted(workspace.runs.recover()) == sorted([raced, other])
    assert _names(workspace.runs.log(other).events()) == ["run.start", "run.error"]
    if comes_first == "before its end is written":
        assert _names(workspace.runs.log(raced).events()) == ["run.start", "run.end"]


def test_runs_are_listed_newest_first_and_paged(open_workspace, ask):
    workspace = open_workspace()
    ids = [ask(workspace, f"question {n}")[0]["run_id"] for n in range(5)]
    listed = workspace.runs.list(limit=3)
    assert [each["run_id"] for each in listed] == sorted(ids, reverse=True)[:3]
    rest = workspace.runs.list(limit=3, before=listed[-1]["run_id"])
    assert {each["run_id"] for each in [*listed, *rest]} == set(ids)
    assert {each["status"] for each in listed} == {"succeeded"}


@pytest.mark.parametrize("question", ["", "  \n", "x" * 10_001, "how many \ud800", 7, None])
def test_a_question_that_is_none_starts_nothing(open_workspace, question):
    workspace = open_workspace()
    with pytest.raises(InvalidInput):
        workspace.runs.start(question)
    assert workspace.runs.list() == []


def test_an_unknown_provider_is_named_with_those_there_are(open_workspace):
    with pytest.raises(
        InvalidInput, match=r"No provider 'embeded'. Available: embedded, scripted, .*Did you mean embedded"
    ):
        open_workspace().runs.start("How many?", provider="embeded")


@pytest.mark.parametrize("run_id", ["run-1", "../../etc/passwd", "run-000000000000-000000000000", ""])
def test_an_unknown_run_is_not_found(open_workspace, run_id):
    with pytest.raises(NotFound):
        open_workspace().runs.log(run_id)


def test_a_hundred_questions_at_once_all_end(open_workspace):
    workspace = open_workspace()
    handles = [workspace.runs.start(f"question {n}") for n in range(100)]
    ends = [list(workspace.runs.log(handle.run_id).follow())[-1] for handle in handles]
    assert {end["content"].get("status") for end in ends} == {"succeeded"}


def test_no_run_is_begun_after_the_end(open_workspace):
    runs = open_workspace().runs
    runs.close()
    with pytest.raises(EnvironmentFault) as refused:
        runs.start("How many?")
    assert (refused.value.code, refused.value.retryable) == ("ending", True)
    assert runs.list() == []


def test_a_run_that_is_begun_while_its_process_ends_is_told_to_be_interrupted(open_workspace, monkeypatch):
    runs, append = open_workspace().runs, EventLog.append

    def closing(log, *events, **options):
        if isinstance(events[0], RunStart):
            runs.close()
        append(log, *events, **options)

    monkeypatch.setattr(EventLog, "append", closing)
    run_id = runs.start("How many?").run_id
    assert (runs.get(run_id)["status"], runs.get(run_id)["error"]["code"]) == ("failed", "interrupted")
