"""Traces and metrics as a collector of OpenTelemetry on loopback receives them, of questions asked through the API."""

import asyncio
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status
from tests.models.server import Breaks, sql

from pluto_duck_backend.agent import doctor
from pluto_duck_backend.app.core import logs, telemetry
from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.main import create_app

TRACE, CALLER = "ab" * 16, "cd" * 8
QUESTION = "How many albums are there, pd_" + "q" * 43 + "?"
SQL = "SELECT count(*) AS n FROM albums"
SECRETS = {"key": "a-models-own-key", "token": "the-servers-own-token", "header": "the-collectors-own-key"}


class Collector:
    """Takes OTLP over HTTP; `.bodies`: what came, each with its path; `.headers`: of the last."""

    def __init__(self):
        self.bodies, self.headers = [], {}
        kept = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                kept.headers = dict(self.headers)
                kept.bodies.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *about):
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        self._http.shutdown()
        self._http.server_close()

    def spans(self):
        sent = [ExportTraceServiceRequest.FromString(body) for path, body in self.bodies if path == "/v1/traces"]
        return [span for one in sent for each in one.resource_spans for got in each.scope_spans for span in got.spans]

    def metrics(self):
        sent = [ExportMetricsServiceRequest.FromString(body) for path, body in self.bodies if path == "/v1/metrics"]
        found = [got for one in sent for each in one.resource_metrics for got in each.scope_metrics]
        return {metric.name: metric for got in found for metric in got.metrics}


@pytest.fixture
def collector(monkeypatch):
    made = Collector()
    monkeypatch.setenv(telemetry.ENDPOINT, made.url)
    yield made
    made.close()


@pytest.fixture
def asked(open_workspace, server):
    """`asked(reply, **headers)`: what the server tells at its start, a question's run by its API, the trace's id."""

    def _asked(reply=None, trace_text=False, **headers):
        server.says(reply or sql(SQL))
        made = open_workspace(
            {"words": "plain"}, {"api_key": SECRETS["key"], "retries": 0}, server={"trace_text": trace_text}
        )
        told = []
        with telemetry.sending(made.settings, told.append):
            run_id, job_id, trace_id = asyncio.run(_post(made, headers))
            list(made.runs.log(run_id).follow())
            made.queries.wait(job_id)
        return told, made.runs.get(run_id), trace_id

    return _asked


async def _post(workspace, headers):
    transport = httpx.ASGITransport(create_app(workspace, SECRETS["token"]))
    headers = {**headers, "Authorization": f"Bearer {SECRETS['token']}"}
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost", headers=headers) as client:
        query = await client.post("/api/v1/query", json={"sql": "SELECT 1 WHERE false"})
        run = await client.post("/api/v1/agent/run", json={"question": QUESTION})
        assert (query.status_code, run.status_code) == (202, 202), run.text
        return run.json()["run_id"], query.json()["job_id"], logs.trace_id()


def _attributes(span):
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in span.attributes}


def _parents(spans):
    """The names of each span and of those around it, outermost first."""
    by_id = {span.span_id: span for span in spans}

    def path(span):
        above = by_id.get(span.parent_span_id)
        return (*(path(above) if above else ()), span.name)

    return {path(span) for span in spans}


def test_a_question_is_one_trace_below_its_callers_and_holds_nothing_that_was_typed(asked, collector, monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", f"x-key={SECRETS['header']}")
    told, run, _ = asked(traceparent=f"00-{TRACE}-{CALLER}-01")
    assert told == [f"Traces and metrics go to {collector.url}"]
    assert run["status"] == "succeeded"
    spans = collector.spans()
    assert {span.trace_id.hex() for span in spans} == {TRACE}
    outermost = {span.name: span for span in spans if span.parent_span_id.hex() == CALLER}
    asks, queries = "POST /api/v1/agent/run", "POST /api/v1/query"
    assert outermost.keys() == {asks, queries}
    assert {span.kind for span in outermost.values()} == {Span.SPAN_KIND_SERVER}
    assert _attributes(outermost[asks]) == {
        "http.request.method": "POST",
        "http.route": "/api/v1/agent/run",
        "http.response.status_code": 202,
    }
    (run,) = [_attributes(span) for span in spans if span.name == "run"]
    assert run["pluto_duck.run.status"] == "succeeded"
    assert _parents(spans) >= {
        (queries, "query"),
        (asks, "run"),
        (asks, "run", "node sql"),
        (asks, "run", "node sql", "model call"),
        (asks, "run", "node verifier", "query"),
        (asks, "run", "node finalize"),
    }
    (call,) = [_attributes(span) for span in spans if span.name == "model call"]
    assert call["gen_ai.provider.name"] == "openai"
    assert (call["gen_ai.request.model"], call["gen_ai.usage.input_tokens"]) == ("fake", 11)
    queries = [_attributes(span) for span in spans if span.name == "query"]
    assert {(each["db.system.name"], each["db.response.returned_rows"]) for each in queries} == {
        ("duckdb", 0),
        ("duckdb", 1),
    }
    assert collector.headers["x-key"] == SECRETS["header"]
    sent = b" ".join(body for _, body in collector.bodies).decode(errors="replace")
    assert not [text for text in (*SECRETS.values(), "albums", "SELECT") if text in sent]


def test_metrics_arrive_as_prometheus_reads_them(asked, collector):
    asked()
    metrics = collector.metrics()
    (run,) = metrics["pluto_duck_run_duration"].histogram.data_points
    assert (run.count, metrics["pluto_duck_run_duration"].unit) == (1, "s")
    assert _attributes(run) == {"status": "succeeded", "provider": "openai"}
    tokens = {_attributes(each)["direction"]: each for each in metrics["pluto_duck_model_tokens"].sum.data_points}
    assert tokens["input"].as_double == 11 or tokens["input"].as_int == 11


def test_a_setting_adds_question_and_sql_without_what_looks_secret(asked, collector):
    _, _, trace_id = asked(trace_text=True)
    assert trace_id in {span.trace_id.hex() for span in collector.spans() if span.name == "run"}
    told = {value for span in collector.spans() for value in _attributes(span).values()}
    assert told >= {"How many albums are there, ***?", "SELECT 1 WHERE false", SQL}


def test_a_fault_is_a_spans_status_by_its_kind_alone(asked, collector):
    asked(Breaks("status", 401))
    (call,) = [span for span in collector.spans() if span.name == "model call"]
    assert call.status.code == Status.STATUS_CODE_ERROR
    assert (_attributes(call)["error.type"], call.status.message, list(call.events)) == ("unauthorized", "", [])


def test_jobs_and_refused_requests_are_spans_and_tell_no_path(open_workspace, collector):
    made = open_workspace({}, {})
    with telemetry.sending(made.settings, print):
        asyncio.run(_load_and_mistype(made))
    spans = collector.spans()
    assert {span.trace_id.hex() for span in spans} == {TRACE}
    assert _parents(spans) == {("POST /api/v1/ingest",), ("POST /api/v1/ingest", "job ingest"), ("GET none",)}
    (job,) = [span for span in spans if span.name == "job ingest"]
    assert (_attributes(job)["pluto_duck.job.status"], job.status.code) == ("failed", Status.STATUS_CODE_ERROR)
    assert "no-such-file" not in _attributes(job)["error.type"]
    sent = b" ".join(body for _, body in collector.bodies).decode(errors="replace")
    assert not [text for text in ("no-such-file", "typed") if text in sent]


async def _load_and_mistype(workspace):
    transport = httpx.ASGITransport(create_app(workspace))
    headers = {"traceparent": f"00-{TRACE}-{CALLER}-01"}
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost", headers=headers) as client:
        load = {"connector": "csv", "config": {"path": "/no-such-file.csv"}, "target": "t"}
        begun = await client.post("/api/v1/ingest", json=load)
        assert begun.status_code == 202, begun.text
        assert (await client.get("/typed/by/somebody")).status_code == 404
    list(workspace.jobs.log(begun.json()["job_id"]).follow())
    workspace.jobs.close()


def test_without_an_endpoint_nothing_is_sent(asked, collector, monkeypatch):
    monkeypatch.delenv(telemetry.ENDPOINT)
    told, run, _ = asked()
    assert (told, run["status"], collector.bodies) == ([], "succeeded", [])


def test_without_an_endpoint_nothing_is_loaded(tmp_path):
    code = f"""
import pathlib, sys
from pluto_duck_backend.app.core import telemetry
from pluto_duck_backend.app.core.config import load_settings
with telemetry.sending(load_settings(pathlib.Path({str(tmp_path)!r})), print):
    print([name for name in sys.modules if name.startswith("opentelemetry")])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_collector_that_is_away_harms_nothing(asked, collector, monkeypatch):
    collector.close()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
    assert asked()[1]["status"] == "succeeded"


def test_where_the_extra_is_missing_doctor_and_the_start_say_so(asked, collector, monkeypatch, tmp_path):
    monkeypatch.setattr(telemetry, "_LIBRARY", "a-library-that-is-not-there")
    (told,), run, _ = asked()
    assert "nothing is sent" in told and telemetry.HINT in told
    assert (run["status"], collector.bodies) == ("succeeded", [])
    schema = {"tables": [], "glossary": {"terms": [], "warnings": []}}
    checks = doctor.examine(load_settings(tmp_path / "root"), lambda: schema)
    (check,) = [each for each in checks if each.check == "telemetry"]
    assert (check.ok, check.hint) == (True, "pip install 'pluto-duck[otel]', or unset it.")


def test_a_variable_that_is_not_usable_is_told_and_the_server_serves(asked, collector, monkeypatch):
    monkeypatch.setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "1000000")
    (told,), run, _ = asked()
    assert "nothing is sent" in told and "max_export_batch_size" in told
    assert (run["status"], collector.bodies) == ("succeeded", [])
