"""Jobs: exact previews, full results, limits, cancellation, and what survives a restart."""

import io
import json
import threading
import time

import polars
import pytest

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.errors import (
    Cancelled,
    EnvironmentFault,
    InvalidInput,
    NotFound,
    PlutoDuckError,
    QueryFailed,
    QueryTimeout,
    Refused,
)
from pluto_duck_backend.app.core.warehouse import Warehouse
from pluto_duck_backend.app.services.execution import roster
from pluto_duck_backend.app.services.execution.executor import QueryService
from pluto_duck_backend.app.services.execution.job import QueryResult, Request, Running
from pluto_duck_backend.app.services.execution.journal import Journal

SLOW = "SELECT sum(a.range * b.range) AS s FROM range(1000000) a, range(1000000) b"
VALUES = {
    "9007199254740992": 9007199254740992,
    "9007199254740993": "9007199254740993",
    "170141183460469231731687303715884105::HUGEINT": "170141183460469231731687303715884105",
    "sum(1)": 1,
    "1.50::DECIMAL(10,2)": 1.5,
    "0.1::DOUBLE": 0.1,
    "'nan'::DOUBLE": None,
    "'-inf'::DOUBLE": None,
    "true": True,
    "NULL": None,
    "'é|\"x'": 'é|"x',
    "DATE '1969-12-31'": "1969-12-31",
    "TIMESTAMP '2024-01-02 03:04:05.678'": "2024-01-02T03:04:05.678000",
    "TIMESTAMPTZ '2024-01-02 03:04:05+00'": "2024-01-02T03:04:05+00:00",
    "TIME '03:04:05'": "03:04:05",
    "INTERVAL 1 DAY": "1 day",
    "'\\x01\\xFF'::BLOB": "01ff",
    "'6ba7b810-9dad-11d1-80b4-00c04fd430c8'::UUID": "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
    "[1, NULL]": [1, None],
    "{'a': 1, 'b': [DATE '2024-01-01']}": {"a": 1, "b": ["2024-01-01"]},
    "'x'::ENUM('x', 'y')": "x",
}


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    found = load_settings(tmp_path_factory.mktemp("execution") / "root")
    found.paths.create()
    return found


@pytest.fixture(scope="module")
def service(settings):
    warehouse = Warehouse.open(settings.paths.warehouse)
    with warehouse.write() as session:
        session.execute("CREATE TABLE t AS SELECT range AS a, 'x' || range AS b FROM range(250)")
    opened = QueryService(warehouse, settings.paths, settings.query)
    yield opened
    opened.close()
    warehouse.close()


@pytest.mark.parametrize("expression", VALUES)
def test_a_preview_holds_the_very_value(expression, service):
    assert service.run(f"SELECT {expression} AS v").rows == [[VALUES[expression]]]


def test_rows_keep_their_order_and_the_count_is_exact(service):
    result = service.run("SELECT a FROM t ORDER BY a DESC", max_rows=3)
    assert (result.rows, result.row_count, result.truncated) == ([[249], [248], [247]], 250, True)
    assert service.run("SELECT a FROM t WHERE a < 0").to_dict()["rows"] == []


def test_columns_of_one_name_stay_apart(service):
    result = service.run("SELECT 1 AS x, 2 AS x, 3 AS X")
    assert ([column["name"] for column in result.columns], result.rows) == (["x", "x", "X"], [[1, 2, 3]])


def test_every_format_holds_the_whole_result(service):
    job = service.run("SELECT a, b FROM t ORDER BY a", max_rows=1)

    def read(form):
        return b"".join(service.stream(job.job_id, form)[1])

    rows = json.loads(read("json"))["rows"]
    assert rows == [[n, f"x{n}"] for n in range(250)]
    assert read("csv").decode().splitlines() == ["a,b", *(f"{a},{b}" for a, b in rows)]
    for frame in (polars.read_parquet(io.BytesIO(read("parquet"))), polars.read_ipc_stream(io.BytesIO(read("arrow")))):
        assert [list(row) for row in frame.rows()] == rows
    with pytest.raises(InvalidInput, match="Did you mean parquet"):
        service.stream(job.job_id, "parket")


def test_a_query_that_takes_too_long_is_stopped(service):
    with pytest.raises(QueryTimeout, match=r"longer than 0\.3 s"):
        service.run(SLOW, timeout_s=0.3)
    assert service.run("SELECT 1").rows == [[1]]


def test_a_running_query_can_be_cancelled(service):
    job = service.submit(SLOW)
    time.sleep(0.2)
    assert service.get(job.job_id).status == "running"
    service.cancel(job.job_id)
    assert service.wait(job.job_id, 5).status == "cancelled"


def test_a_failed_query_is_recorded(service):
    with pytest.raises(QueryFailed):
        service.run("SELECT no_such FROM t", job_id="query-0123456789ab-0123456789ab")
    job = service.get("query-0123456789ab-0123456789ab")
    assert (job.status, job.error["code"]) == ("failed", "binder_error")
    assert service.list(1)[0]["job_id"] == job.job_id


def test_jobs_survive_a_restart(service, settings):
    job = service.run("SELECT a FROM t ORDER BY a", max_rows=100)
    again = QueryService(service._warehouse, settings.paths, settings.query)
    assert again.get(job.job_id).to_dict() == job.to_dict()
    (settings.paths.queries / f"{job.job_id}.parquet").unlink()
    with pytest.raises(NotFound, match="deleted"):
        again.stream(job.job_id, "json")


def test_a_torn_last_line_of_the_history_is_none(service, settings):
    job = service.run("SELECT 1 AS one")
    with (settings.paths.queries / "queries.jsonl").open("ab") as file:
        file.write(b'{"job_id": "torn')
    again = QueryService(service._warehouse, settings.paths, settings.query)
    assert again.get(job.job_id).rows == [[1]]


def test_many_at_once(service):
    results = {}

    def run(n):
        results[n] = service.run(f"SELECT sum(a) + {n} AS s FROM t").rows

    threads = [threading.Thread(target=run, args=(n,)) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {n: [[31125 + n]] for n in range(20)}


def test_more_than_are_remembered_may_wait(service, monkeypatch):
    monkeypatch.setattr(roster, "_REMEMBERED", 20)
    at_work = [service.submit(SLOW).job_id for _ in range(8)]
    while service.load() != (0, 8):
        time.sleep(0.01)
    waiting = [service.submit("SELECT 1").job_id for _ in range(40)]
    assert service.load() == (40, 8)
    for job_id in (*waiting, *at_work):
        service.cancel(job_id)
    assert {service.wait(job_id, 60).status for job_id in (*waiting, *at_work)} == {"cancelled"}
    assert service.load() == (0, 0)


def test_those_at_hand_are_told_while_others_come_and_go():
    jobs = roster.Roster()
    for number in range(5_000):
        jobs.begin(QueryResult(f"query-{number}", "running", "SELECT 1"), Running(Request("SELECT 1")))

    until = time.monotonic() + 1

    def guess():
        while time.monotonic() < until:
            with jobs.guest("probe", Running(Request("SELECT 1"))):
                pass

    guesses = threading.Thread(target=guess)
    guesses.start()
    while guesses.is_alive():
        assert 5_000 <= len(jobs.at_hand()) <= 5_001


def test_probing_leaves_no_trace(service):
    before = service.list(1)
    assert service.probe("SELECT a FROM t ORDER BY a", max_rows=2) == [(0,), (1,)]
    assert service.list(1) == before


def test_a_guess_that_takes_long_is_stopped_and_says_so(service):
    with pytest.raises(QueryTimeout, match=r"longer than 0\.1 s"):
        service.probe("SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b", timeout_s=0.1)


def test_a_guess_that_failed_breaks_no_other(service):
    with service.probing() as probe:
        before = probe("SELECT count(*) FROM t")
        with service._warehouse.write() as session:
            session.execute("INSERT INTO t SELECT range AS a, 'new' AS b FROM range(250, 255)")
        for wrong in ("SELECT b + 1 FROM t", "DROP TABLE t", "SELECT nothing FROM t"):
            with pytest.raises(PlutoDuckError):
                probe(wrong)
        after = probe("SELECT count(*) FROM t")
    assert before == [(250,)]
    assert after == [(255,)], "a guess that failed begins a new look"
    with service._warehouse.write() as session:
        session.execute("DELETE FROM t WHERE b = 'new'")


def test_guesses_in_between_see_what_the_first_saw(service):
    with service.probing() as probe:
        before = probe("SELECT count(*) FROM t")
        with service._warehouse.write() as session:
            session.execute("CREATE TABLE IF NOT EXISTS more AS SELECT 1 AS a")
            session.execute("INSERT INTO t VALUES (999, 'new')")
        assert probe("SELECT count(*) FROM t") == before
    assert service.probe("SELECT count(*) FROM t") == [(251,)]
    with service._warehouse.write() as session:
        session.execute("DELETE FROM t WHERE b = 'new'")
        session.execute("DROP TABLE more")


@pytest.mark.parametrize("job_id", ["", "query-1", "../../etc/passwd", "query-000000000000-000000000000"])
def test_an_unknown_job_is_not_found(job_id, service):
    with pytest.raises(NotFound):
        service.get(job_id)


def test_half_a_character_is_refused_and_leaves_no_job(service):
    before = service.list(1)
    for ask in (service.run, service.submit, service.probe):
        with pytest.raises(Refused, match="half a character"):
            ask("SELECT '\ud800'")
    assert (service.list(1), service.load()) == (before, (0, 0))


def test_cancelled_is_an_error_of_its_own():
    assert Cancelled("stop").exit_code == 130


def test_an_answer_given_before_the_process_died_is_no_failure_afterwards(service, settings, monkeypatch):
    dying = QueryService(service._warehouse, settings.paths, settings.query)
    dying.warm()
    monkeypatch.setattr(dying._later, "submit", lambda work, rows: None)
    job = dying.run("SELECT 1 AS a", until_kept=False)
    again = QueryService(service._warehouse, settings.paths, settings.query)
    again.recover()
    found = again.get(job.job_id)
    assert (found.status, found.row_count, found.keep_error["code"]) == ("succeeded", 1, "result_lost")
    with pytest.raises(EnvironmentFault, match="before its result was on disk"):
        again.stream(job.job_id, "csv")
    again.close()


def test_the_journal_of_a_busy_service_does_not_grow_without_end(tmp_path):
    path = tmp_path / "running.jsonl"
    journal = Journal(path)
    journal.begin("query-0", Request("SELECT 0"))
    for number in range(1, 3_000):
        journal.begin(f"query-{number}", Request(f"SELECT {number}"))
        journal.end(f"query-{number}")
    assert len(path.read_bytes().splitlines()) < 1_100
    assert "query-0" in [left.job_id for left in Journal(path).left()]
