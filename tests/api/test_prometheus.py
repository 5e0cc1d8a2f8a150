"""What Prometheus reads of a running server, by its own parser: what happens moves the counts, and names no data."""

import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.api.test_roles import Server

from pluto_duck_backend.app.core import counts

METRICS = "http://localhost/metrics"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    made = Server(tmp_path_factory.mktemp("counted"))
    made.add("viewer", "viewer")
    yield made
    made.workspace.close()


def _samples(text):
    families = text_string_to_metric_families(text)
    return {(each.name, frozenset(each.labels.items())): each.value for one in families for each in one.samples}


def _read(server):
    answer = server.call("owner", "GET", METRICS)
    assert answer.status_code == 200, answer.text
    return _samples(answer.text)


@pytest.fixture
def moved(server):
    """`moved(work, name, **labels)`: by how much a sample rises while `work()` is done."""

    def _moved(work, name, **labels):
        key = name, frozenset(labels.items())
        before = _read(server).get(key, 0)
        work()
        return _read(server).get(key, 0) - before

    return _moved


def _ask(server):
    run_id = server.call("owner", "POST", "/agent/run", json={"question": "How many?"}).json()["run_id"]
    list(server.workspace.runs.log(run_id).follow(0))


@pytest.mark.parametrize("end", ["count", "bucket"])
def test_a_run_counts_with_its_status_and_provider(server, moved, end):
    bound = {"le": "+Inf"} if end == "bucket" else {}
    name = f"pluto_duck_run_duration_seconds_{end}"
    assert moved(lambda: _ask(server), name, status="succeeded", provider="scripted", **bound) == 1


@pytest.mark.parametrize(
    ("sql", "status"),
    [
        ("SELECT 1", "succeeded"),
        ("SELECT error('secret_text')", "failed"),
        ("DROP TABLE t", "refused"),
    ],
)
def test_a_query_counts_with_its_status(server, moved, sql, status):
    def query():
        server.call("owner", "POST", "/query?wait=true", json={"sql": sql})

    assert moved(query, "pluto_duck_query_duration_seconds_count", status=status) == 1


def test_a_load_counts_with_its_status(server, moved):
    def load():
        config = {"connector": "csv", "config": {"path": "no-such-file.csv"}}
        job_id = server.call("owner", "POST", "/ingest", json=config).json()["job_id"]
        list(server.workspace.jobs.log(job_id).follow(0))

    assert moved(load, "pluto_duck_job_duration_seconds_count", kind="ingest", status="failed") == 1


@pytest.mark.parametrize(
    ("name", "arguments", "labels"),
    [
        ("calculator", {"expression": "1 + 1"}, {"action": "calculator", "outcome": "allowed"}),
        ("secret_text", {}, {"action": "unknown", "outcome": "failed"}),
    ],
)
def test_an_action_counts_with_its_outcome(server, moved, name, arguments, labels):
    def call():
        server.call("owner", "POST", "/actions", json={"name": name, "arguments": arguments})

    assert moved(call, "pluto_duck_action_calls_total", **labels) == 1


@pytest.mark.parametrize(
    ("caller", "call", "labels"),
    [
        ("viewer", ("GET", METRICS), {"method": "GET", "route": "/metrics", "status": "403"}),
        ("viewer", ("GET", "/metrics"), {"method": "GET", "route": "/api/v1/metrics", "status": "200"}),
        (
            "owner",
            ("GET", "/schema/secret_text"),
            {"method": "GET", "route": "/api/v1/schema/{table}", "status": "404"},
        ),
        ("", ("GET", "/schema/secret_text"), {"method": "GET", "route": "none", "status": "401"}),
        ("owner", ("SECRET_TEXT", "/secret_text"), {"method": "other", "route": "none", "status": "404"}),
    ],
)
def test_a_request_counts_by_its_route_and_status(server, moved, caller, call, labels):
    assert moved(lambda: server.call(caller, *call), "pluto_duck_http_requests_total", **labels) == 1


def test_the_process_and_its_queue_are_told_and_nothing_that_was_typed(server):
    server.call("owner", "GET", "/schema/secret_text")
    told = _read(server)
    none = frozenset()
    assert told["process_resident_memory_bytes", none] > 1_000_000
    assert told["process_cpu_seconds_total", none] > 0
    assert (told["pluto_duck_queries_waiting", none], told["pluto_duck_queries_running", none]) == (0, 0)
    assert "secret_text" not in server.call("owner", "GET", METRICS).text.casefold()


def test_there_are_only_so_many_series_and_any_text_can_be_read_back():
    counter = counts.Counter("many_total", "Many.", "name")
    odd = 'a "quoted" \\ back\nslash'
    counter.add(odd)
    for number in range(600):
        counter.add(str(number))
    found = _samples("\n".join(counter.text()) + "\n")
    assert found["many_total", frozenset({("name", odd)})] == 1
    assert found["many_total", frozenset({("name", "other")})] == 101
    assert len(found) == 501


def test_durations_are_counted_in_buckets():
    durations = counts.Durations("took_seconds", "Took.", "status")
    for seconds in (0.01, 0.2, 1000):
        durations.add(seconds, "ok")
    found = _samples("\n".join(durations.text()) + "\n")
    below = [found["took_seconds_bucket", frozenset({("status", "ok"), ("le", le)})] for le in ("0.01", "0.5", "+Inf")]
    assert below == [1, 2, 3]
    assert found["took_seconds_sum", frozenset({("status", "ok")})] == pytest.approx(1000.21)
