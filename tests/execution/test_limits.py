"""Limits: time, rows, size, memory; what cannot be stopped; what is kept and for how long; what a dead process left."""

import os
import subprocess
import sys
import textwrap
import time

import orjson
import pytest

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.errors import NotFound, QueryFailed, QueryTimeout
from pluto_duck_backend.app.core.warehouse import Warehouse
from pluto_duck_backend.app.services.execution.executor import QueryService

SLOW = "SELECT sum(a.range * b.range) AS s FROM range(1000000) a, range(1000000) b"


@pytest.fixture
def open_service(tmp_path):
    opened = []
    settings = load_settings(tmp_path / "root")
    settings.paths.create()
    warehouse = Warehouse.open(settings.paths.warehouse)
    with warehouse.write() as session:
        session.execute("CREATE TABLE t AS SELECT range AS a, 'x' || range AS b FROM range(300000)")

    def _open(**query):
        service = QueryService(warehouse, settings.paths, settings.query.model_copy(update=query))
        opened.append(service)
        return service

    yield _open
    for each in opened:
        each.close()
    warehouse.close()


def test_time(open_service):
    service = open_service(timeout_s=0.3)
    with pytest.raises(QueryTimeout, match=r"0\.3 s"):
        service.run(SLOW)
    assert service.run("SELECT 1 AS one").rows == [[1]]


@pytest.mark.parametrize("sql", ["SELECT a FROM t", "SELECT a FROM t LIMIT 2000"])
def test_rows_of_a_result(open_service, sql):
    service = open_service(result_rows=1000)
    assert service.run("SELECT a FROM t LIMIT 1000").row_count == 1000
    with pytest.raises(QueryFailed, match="more than 1,000 rows") as raised:
        service.run(sql)
    assert raised.value.code == "result_too_large"
    assert not list(service._store._folder.glob("*.part"))


def test_size_of_a_result_on_disk(open_service):
    service = open_service(result_mb=1)
    with pytest.raises(QueryFailed, match="larger than 1 MB"):
        service.run("SELECT hash(x.a + y.a) AS h FROM t x, t y")


def test_memory_of_the_process(open_service):
    service = open_service(process_memory_mb=1)
    with pytest.raises(QueryFailed, match="holds more than"):
        service.run(SLOW)


def test_disk_beyond_memory(tmp_path):
    settings = load_settings(tmp_path / "root")
    settings.paths.create()
    warehouse = Warehouse.open(
        settings.paths.warehouse, memory_limit="100MB", temp_folder=settings.paths.temp, temp_limit="0KB"
    )
    service = QueryService(warehouse, settings.paths, settings.query)
    with pytest.raises(QueryFailed) as raised:
        service.run("SELECT x.range AS a, y.range AS b FROM range(3000) x, range(3000) y ORDER BY hash(a + b)")
    assert raised.value.code == "out_of_memory"
    service.close()
    warehouse.close()


def test_what_cannot_be_stopped_ends_its_process_and_leaves_the_truth(tmp_path):
    """The one place where something stands in for DuckDB: an interrupt that does nothing."""
    script = textwrap.dedent(
        f"""
        from pathlib import Path
        from pluto_duck_backend.app.core.config import load_settings
        from pluto_duck_backend.app.core.warehouse import Session, Warehouse
        from pluto_duck_backend.app.services.execution.executor import QueryService

        Session.interrupt = lambda self: None
        settings = load_settings(Path({str(tmp_path / "root")!r}))
        service = QueryService(Warehouse.open(settings.paths.create().warehouse), settings.paths,
            settings.query.model_copy(update={{"stuck_s": 0.5}}))
        service.submit("SELECT 1 AS other_query, sum(a.range) AS s FROM range(100000) a, range(10000000) b")
        service.run({SLOW!r}, timeout_s=0.2, job_id="query-0123456789ab-0123456789ab")
        """
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, "could not be stopped" in ended.stderr) == (1, True)
    settings = load_settings(tmp_path / "root")
    warehouse = Warehouse.open(settings.paths.warehouse)
    service = QueryService(warehouse, settings.paths, settings.query)
    service.recover()
    stuck = service.get("query-0123456789ab-0123456789ab")
    assert (stuck.status, stuck.error["code"]) == ("failed", "query_stuck")
    other = next(each for each in service.list() if each["job_id"] != stuck.job_id)
    assert (other["status"], other["error"]["code"], other["error"]["retryable"]) == ("failed", "interrupted", True)
    assert settings.paths.queries_running.read_bytes() == b""
    service.close()
    warehouse.close()


def test_what_was_running_beside_a_stuck_query_is_run_again_once(open_service, tmp_path):
    service = open_service()
    job = service.run("SELECT count(*) AS n FROM t")
    request = {"sql": "SELECT 7 AS seven", "timeout_s": None, "max_rows": None, "run_id": None,
               "who": {"name": "local", "rights": ""}, "retried": False}  # fmt: skip
    lost, tried = "query-00000000000a-00000000000a", "query-00000000000b-00000000000b"
    lines = ({"job_id": lost, "request": request}, {"job_id": tried, "request": {**request, "retried": True}})
    journal = tmp_path / "root" / "artifacts" / "queries" / "running.jsonl"
    journal.write_bytes(b"\n".join(map(orjson.dumps, lines)) + b'\n{"job_id": "query-torn')
    again = open_service()
    again.recover(resume=True)
    assert again.wait(lost, 10).rows == [[7]]
    assert again.get(tried).error["code"] == "interrupted"
    assert again.get(job.job_id).rows == [[300000]]
    with pytest.raises(NotFound):
        again.get("query-torn")
    assert journal.read_bytes() == b""


def test_old_results_go_and_their_records_stay(open_service):
    service = open_service(keep_days=1, keep_mb=0)
    old, new = (service.run(f"SELECT {n} AS n") for n in (1, 2))
    long_ago = time.time() - 2 * 86_400
    os.utime(service._store.path(old.job_id), (long_ago, long_ago))
    service.recover()
    with pytest.raises(NotFound, match="deleted"):
        service.stream(old.job_id, "json")
    assert service.list()[1]["job_id"] == old.job_id
    assert b"".join(service.stream(new.job_id, "json")[1]).endswith(b'"rows":[[2]]}')


def test_beyond_the_room_the_oldest_results_go(open_service):
    service = open_service(keep_days=0, keep_mb=1)
    jobs = [service.run("SELECT a, hash(a) AS h FROM t LIMIT 60000") for _ in range(3)]
    for age, job in enumerate(reversed(jobs)):
        os.utime(service._store.path(job.job_id), (time.time() - age, time.time() - age))
    assert service._store.prune() == [jobs[1].job_id, jobs[0].job_id]


def test_a_result_that_cannot_be_kept_says_why_when_it_is_asked_for(open_service, monkeypatch):
    service = open_service()
    service.warm()
    folder = service._store._folder
    job = service.run("SELECT 1 AS one")
    service._store._folder = folder / "no folder"
    service._store._folder.touch()
    lost = service.run("SELECT 2 AS two")
    assert (lost.status, lost.rows, lost.keep_error["code"]) == ("succeeded", [[2]], "cannot_keep_result")
    service._store._folder = folder
    with pytest.raises(Exception, match="cannot be kept") as raised:
        service.stream(lost.job_id, "csv")
    assert raised.value.status == 503
    assert service.stream(job.job_id, "csv")


def test_every_query_is_in_the_audit_log(open_service, tmp_path):
    service = open_service()
    service.run("SELECT a FROM t LIMIT 1")
    for sql in ("SELECT * FROM 'x.csv'", "SELECT nothing FROM t"):
        with pytest.raises(Exception, match=r"x\.csv|nothing"):
            service.run(sql)
    log = tmp_path / "root" / "artifacts" / "audit.jsonl"
    entries = [orjson.loads(line) for line in log.read_bytes().splitlines()]
    assert [(each["who"], each["outcome"], each["tables"], each["code"]) for each in entries] == [
        ("local", "allowed", ["main.t"], None),
        ("local", "refused", [], "unknown_table"),
        ("local", "failed", [], "binder_error"),
    ]
    assert log.stat().st_mode & 0o077 == 0


def test_an_answered_query_that_waits_to_be_kept_is_past_every_limit(open_service, monkeypatch):
    service = open_service()
    service.warm()
    waiting = []
    monkeypatch.setattr(service._later, "submit", lambda work, rows: waiting.append(work))
    job = service.run("SELECT 1 AS one", timeout_s=2, until_kept=False)
    running = service._roster.running(job.job_id)
    assert running.session is None
    time.sleep(2.2)
    assert (running.reason, running.stopped_at) == (None, None)
    waiting[0]()
    assert service.get(job.job_id).result_bytes > 0
