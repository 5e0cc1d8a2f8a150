"""Jobs: progress, result, failure, cancellation, and what survives."""

import threading
from dataclasses import dataclass

import pytest

from pluto_duck_backend.agent.jobs import JobManager
from pluto_duck_backend.app.core.errors import Cancelled, Conflict, EnvironmentFault, NotFound
from pluto_duck_backend.app.services.state.in_files.sessions import SessionFiles


@dataclass
class Item:
    value: dict

    def to_dict(self):
        return self.value


@pytest.fixture
def jobs(tmp_path):
    manager = JobManager(tmp_path)
    yield manager
    manager.close()


def _done(jobs, job_id):
    return list(jobs.log(job_id).follow())


def test_progress_is_chunks_and_the_last_item_is_the_result(jobs):
    job_id = jobs.start("ingest", lambda cancelled: iter([Item({"rows": 1}), Item({"rows": 2}), Item({"tables": []})]))
    events = _done(jobs, job_id)
    assert [event["subtype"] for event in events] == ["start", "chunk", "chunk", "end"]
    assert events[0]["job_id"] == job_id
    assert jobs.get(job_id)["status"] == "succeeded"
    assert jobs.get(job_id)["result"] == {"tables": []}


def test_who_finds_the_file_at_once_follows_the_job_to_its_end(jobs, monkeypatch):
    begin, seen = SessionFiles.begin, []

    def begun(files, job_id, lines):
        writer = begin(files, job_id, lines)
        seen.append(threading.Thread(target=jobs.get, args=(jobs.every(1)[0]["job_id"],)))
        seen[0].start()
        seen[0].join(0.2)
        return writer

    monkeypatch.setattr(SessionFiles, "begin", begun)
    job_id = jobs.start("ingest", lambda cancelled: iter([Item({"tables": []})]))
    _done(jobs, job_id)
    seen[0].join()
    assert jobs.get(job_id)["status"] == "succeeded"


def test_an_error_of_ours_is_the_job_s_error(jobs):
    def work(cancelled):
        yield Item({"rows": 1})
        raise Conflict("the table is in the way", code="in_the_way")

    job_id = jobs.start("ingest", work)
    _done(jobs, job_id)
    job = jobs.get(job_id)
    assert (job["status"], job["error"]["code"], job["result"]) == ("failed", "in_the_way", None)


def test_a_bug_ends_the_job_too(jobs):
    job_id = jobs.start("dbt", lambda cancelled: iter([1 / 0]) if not cancelled() else iter(()))
    _done(jobs, job_id)
    assert jobs.get(job_id)["error"]["code"] == "internal"


def test_a_result_that_says_it_failed_is_a_failed_job(jobs):
    job_id = jobs.start("dbt", lambda cancelled: iter([Item({"success": False})]))
    _done(jobs, job_id)
    assert jobs.get(job_id)["status"] == "failed"


def test_cancelling_stops_at_the_next_look(jobs):
    def work(cancelled):
        yield Item({"rows": 1})
        while not cancelled():
            yield Item({"rows": 2})
        raise Cancelled("stopped")

    job_id = jobs.start("ingest", work)
    jobs.cancel(job_id)
    _done(jobs, job_id)
    assert jobs.get(job_id)["status"] == "cancelled"


def test_a_job_left_open_by_a_dead_process_is_ended(jobs, tmp_path):
    job_id = jobs.start("ingest", lambda cancelled: iter([Item({})]))
    _done(jobs, job_id)
    path = tmp_path / f"{job_id}.jsonl"
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0] + b'{"torn')
    again = JobManager(tmp_path)
    again.recover()
    assert again.get(job_id)["error"]["code"] == "interrupted"


def test_no_job_is_begun_after_the_end(jobs):
    jobs.close()
    with pytest.raises(EnvironmentFault) as refused:
        jobs.start("ingest", lambda cancelled: iter([Item({})]))
    assert (refused.value.code, refused.value.retryable) == ("ending", True)
    assert jobs.every(10) == []


def test_the_end_waits_for_a_job_that_is_being_begun(jobs, monkeypatch):
    begin, seen = SessionFiles.begin, []

    def begun(files, job_id, lines):
        seen.append(threading.Thread(target=jobs.close))
        seen[0].start()
        seen[0].join(0.2)
        return begin(files, job_id, lines)

    monkeypatch.setattr(SessionFiles, "begin", begun)
    job_id = jobs.start("ingest", lambda cancelled: iter([Item({"cancelled": cancelled()})]))
    seen[0].join()
    assert jobs.get(job_id)["status"] == "succeeded"


def test_an_unknown_job_is_not_found(jobs):
    with pytest.raises(NotFound):
        jobs.get("../etc/passwd")
