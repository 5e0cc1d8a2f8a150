"""Every way to call wrongly, and the problem document it gets."""

import asyncio
import io
import json
import logging

import httpx
import pytest

from pluto_duck_backend.app.api.answers.fault_answers import Problem
from pluto_duck_backend.app.core import logs
from pluto_duck_backend.app.core.config import ServerSettings
from pluto_duck_backend.app.main import create_app

JSON = {"content-type": "application/json"}
DEEP = b'{"question": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"


def problem(answer, status, code):
    """The body, checked to be a whole problem document."""
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json"), answer.text
    body = answer.json()
    Problem.model_validate(body)
    assert (body["status"], body["code"]) == (status, code)
    assert body["instance"] == answer.request.url.path
    assert body["detail"] and body["hint"]
    return body


def _runs(client):
    return [each["run_id"] for each in client.get("/agent").json()["runs"]]


@pytest.mark.parametrize(
    ("body", "code", "told"),
    [
        ({"question": ""}, "empty_question", "empty"),
        ({"question": " \n\t "}, "empty_question", "empty"),
        ({"question": "x" * 10_001}, "question_too_long", "10,001"),
        ({"question": "x" * 100_000}, "question_too_long", "100,000"),
        ({}, "invalid_request", "question"),
        ({"question": None}, "invalid_request", "question"),
        ({"question": 7}, "invalid_request", "question"),
        ({"question": "q", "provder": "embedded"}, "invalid_request", "provder"),
        ({"question": "q", "provider": "embeded"}, "unknown_provider", "Did you mean embedded"),
        ({"question": "q", "max_rows": -1}, "invalid_request", "max_rows"),
        ({"question": "q", "max_rows": 10_001}, "invalid_request", "max_rows"),
        ({"question": "q", "max_rows": "many"}, "invalid_request", "max_rows"),
        ({"question": "q", "max_rows": "5"}, "invalid_request", "max_rows"),
        ({"question": "q", "max_rows": True}, "invalid_request", "max_rows"),
        ({"question": "q", "timeout_s": "5"}, "invalid_request", "timeout_s"),
        ({"question": "q", "timeout_s": 0}, "invalid_request", "timeout_s"),
        ({"question": "q", "timeout_s": 1e9}, "invalid_request", "timeout_s"),
        ({"question": "q", "conversation_id": ""}, "bad_conversation", "conversation_id"),
        ({"question": "q", "conversation_id": "x" * 201}, "bad_conversation", "conversation_id"),
        (["q"], "invalid_request", "body"),
        (None, "invalid_request", "body"),
    ],
)
def test_a_question_that_can_not_be_asked_starts_nothing(shared_api, body, code, told):
    client = shared_api()
    before = _runs(client)
    assert told in problem(client.post("/agent/run", json=body), 422, code)["detail"]
    assert _runs(client) == before


def test_a_conversation_that_nobody_began_is_not_gone_on_with(shared_api):
    client = shared_api()
    asked = {"question": "How many?", "conversation_id": "conv-019a9f0c2b11-5f0e5f0e5f0e"}
    told = problem(client.post("/agent/run", json=asked), 404, "conversation_not_found")
    assert "conv-019a9f0c2b11" in told["detail"] and "runs list" in told["hint"]
    assert client.post("/agent/run", json={**asked, "conversation_id": "a name of my own"}).status_code == 202


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"question=how+many",
        b'{"question": "\xff"}',
        b'{"question": "half a pair \\ud800"}',
        b'{"\\ud800": 1, "question": "q"}',
        b'{"question": "q", "timeout_s": NaN}',
        b'{"question": "q", "timeout_s": Infinity}',
        b'{"question": "q", "max_rows": 1e400}',
        DEEP,
    ],
    ids=lambda raw: repr(raw[:30]),
)
def test_a_body_that_is_no_usable_json_is_the_clients_fault(shared_api, raw):
    answer = shared_api().post("/agent/run", content=raw, headers=JSON)
    assert answer.status_code in (400, 422)
    problem(answer, answer.status_code, answer.json()["code"])


@pytest.mark.parametrize(
    "declared", [{}, {"content-type": "text/plain"}, {"content-type": "application/x-www-form-urlencoded"}]
)
def test_a_body_that_is_not_declared_as_json_is_told_how_to_be(shared_api, declared):
    answer = shared_api().post("/agent/run", content=b'{"question": "how many"}', headers=declared)
    assert "Content-Type: application/json" in problem(answer, 422, "invalid_request")["detail"]


def _chunks(size):
    yield b'{"question": "'
    yield from (b"x" * 10_000 for _ in range(size // 10_000))
    yield b'"}'


@pytest.mark.parametrize("content", [b"x" * 1_000_001, _chunks(2_000_000)], ids=["announced", "chunked"])
def test_a_body_over_the_limit_is_too_large(shared_api, content):
    body = problem(shared_api().post("/agent/run", content=content, headers=JSON), 413, "body_too_large")
    assert "1,000,000" in body["detail"]


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nothing", 404, "no_such_path"),
        ("GET", "/agent/run-1/steps", 404, "no_such_path"),
        ("DELETE", "/agent", 405, "method_not_allowed"),
        ("GET", "/agent/run-1", 404, "run_not_found"),
        ("GET", "/agent/..%2F..%2Fetc%2Fpasswd", 404, "no_such_path"),
        ("GET", "/agent/run-1/events", 404, "run_not_found"),
        ("POST", "/agent/run-1/cancel", 404, "run_not_found"),
        ("GET", "/agent?limit=0", 422, "invalid_request"),
        ("GET", "/agent?limit=1001", 422, "invalid_request"),
        ("GET", "/query/query-1", 404, "job_not_found"),
        ("GET", "/query/query-1/result", 404, "job_not_found"),
        ("GET", "/query/query-1/result?format=xml", 422, "invalid_request"),
        ("POST", "/query/query-1/cancel", 404, "job_not_found"),
        ("GET", "/ingest/ingest-1", 404, "job_not_found"),
        ("GET", "/dbt/dbt-1/events", 404, "job_not_found"),
        ("POST", "/dbt/biuld", 422, "unknown_dbt_command"),
        ("GET", "/schema/tt", 404, "table_not_found"),
    ],
)
def test_what_is_not_there_or_not_allowed_is_said(shared_api, method, path, status, code):
    problem(shared_api().request(method, path), status, code)


@pytest.mark.parametrize(
    ("body", "code", "told"),
    [
        ({"metrics": []}, "invalid_request", "metrics"),
        ({"metrics": ["x"], "grain": "decade"}, "bad_metric_query", "No grain 'decade'. Grains: day, week"),
        ({"metrics": ["x"], "start": "yesterday"}, "bad_metric_query", "'yesterday' is no day"),
    ],
)
def test_a_metric_query_that_can_not_be_asked_for(shared_api, body, code, told):
    assert told in problem(shared_api().post("/metrics/query", json=body), 422, code)["detail"]


def test_a_name_that_dbt_does_not_take_is_told_in_our_words(shared_api):
    client = shared_api()
    run_id = client.post("/agent/run", json={"question": "how many"}).json()["run_id"]
    client.get(f"/agent/{run_id}/events")  # ends with the run
    body = problem(client.post(f"/agent/{run_id}/save", json={"kind": "model", "name": "A b"}), 422, "bad_asset_name")
    assert body["detail"] == "'A b' is no name for a model."


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"connector": "auto"}, 422, "invalid_request"),
        ({"connector": "auto", "config": {}}, 422, "bad_ingest_request"),
        ({"connector": "auto", "config": {"path": "x.csv"}, "mode": "replce"}, 422, "invalid_request"),
        ({"connector": "csvv", "config": {"path": "x.csv"}}, 422, "unknown_connector"),
        ({"connector": "auto", "config": {"url": "gopher://x/y"}}, 422, "unknown_connector"),
    ],
)
def test_a_load_that_can_not_be_asked_for(shared_api, body, status, code):
    problem(shared_api().post("/ingest", json=body), status, code)


@pytest.mark.parametrize(
    ("sql", "status"), [("SELEC 1", 400), ("SELECT nope FROM t", 400), ("DROP TABLE t", 403), ("", 400)]
)
def test_sql_that_does_not_run_is_a_problem_when_waited_for_and_a_failed_job_otherwise(shared_api, sql, status):
    client = shared_api()
    waited = client.post("/query?wait=true", json={"sql": sql})
    assert waited.status_code in (status, 403, 422)
    body = problem(waited, waited.status_code, waited.json()["code"])
    job_id = client.post("/query", json={"sql": sql}).json()["job_id"]
    while (job := client.get(f"/query/{job_id}").json())["status"] == "running":
        pass
    assert (job["status"], job["error"]["code"]) == ("failed", body["code"])
    assert client.get("/schema/t").json()["row_count"] == 5


def test_the_log_as_json_has_the_callers_trace_id_also_of_a_runs_thread_and_no_secret(workspace):
    made, heard = workspace(), io.StringIO()
    secret = made.settings.model_copy(update={"server": ServerSettings(token="a-set-token")})
    made.catalog.describe = lambda: _leak()
    made.runs._answering.provenance_for = lambda who: _leak()
    handler = logs.install("json", logs.secrets_in(secret), heard)
    traced = {"traceparent": f"00-{'ab' * 16}-{'cd' * 8}-01"}
    transport = httpx.ASGITransport(create_app(made), raise_app_exceptions=False)

    async def call():
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost", headers=traced) as client:
            begun = (await client.post("/api/v1/agent/run", json={"question": "How many?"})).json()
            return await client.get("/api/v1/schema"), begun["run_id"]

    try:
        answer, run_id = asyncio.run(call())
        list(made.runs.log(run_id).follow())
    finally:
        logging.getLogger().removeHandler(handler)
    lines = [json.loads(line) for line in heard.getvalue().splitlines()]
    assert answer.json()["trace_id"] == "ab" * 16
    traced_by = {each["logger"].rpartition(".")[2] for each in lines if each["trace_id"] == "ab" * 16}
    assert traced_by >= {"problems", "answering"}
    assert all("RuntimeError: *** *** ://***@db" in each["error"] for each in lines if each["error"])
    assert not [each for each in ("a-set-token", "hunter2", "pd_") if each in heard.getvalue().replace("_leak", "")]


def _leak():
    said = " ".join(["a-set-token", "pd_" + "x" * 43, "://root:hunter2@db"])
    raise RuntimeError(said)


def test_a_bug_shows_a_trace_id_that_the_log_has_and_nothing_else(workspace, caplog):
    made = workspace()
    made.catalog.describe = lambda: 1 / 0
    transport = httpx.ASGITransport(create_app(made), raise_app_exceptions=False)

    async def call():
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.get("/api/v1/schema")

    with caplog.at_level(logging.ERROR):
        body = problem(asyncio.run(call()), 500, "internal")
    assert "division" not in json.dumps(body)
    assert body["trace_id"] in caplog.text
    assert "ZeroDivisionError" in caplog.text
