"""What goes wrong around a running Pluto-Duck: the disk is full, artifacts are deleted, the clock is moved."""

import errno
import os
import shutil
import time
from collections import Counter

import pytest

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core import counts, ids, lines
from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.errors import EnvironmentFault, PlutoDuckError


@pytest.fixture
def workspace(tmp_path):
    opened = Workspace.open(load_settings(tmp_path / "root"), wait_s=0)
    _load(opened)
    yield opened
    opened.close()


def _load(workspace, rows=3):
    source = workspace.paths.root / "t.csv"
    source.write_text("a\n" + "\n".join(map(str, range(rows))))
    return _ended(workspace.jobs, workspace.ingest({"config": {"path": str(source)}, "target": "t"}))


def _ended(kept, item_id, within_s=60):
    deadline = time.monotonic() + within_s
    while (found := kept.get(item_id))["status"] == "running" and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


def _ask(workspace):
    run_id = workspace.runs.start("How many t are there?").run_id
    return _ended(workspace.runs, run_id)


def _works(workspace):
    job = workspace.queries.run("SELECT sum(a) AS s FROM t")
    assert job.rows == [["3"]] or job.rows == [[3]]
    assert workspace.queries.get(job.job_id).status == "succeeded"
    assert b"".join(workspace.queries.stream(job.job_id, "csv")[1]).startswith(b"s\n3")
    assert _load(workspace)["status"] == "succeeded"
    assert _ask(workspace)["status"] == "succeeded"


def test_artifacts_deleted_while_it_runs_lose_history_and_nothing_else(workspace):
    old = workspace.queries.run("SELECT 1 AS a")
    shutil.rmtree(workspace.paths.artifacts)
    _works(workspace)
    with pytest.raises(PlutoDuckError) as raised:
        workspace.queries.stream(old.job_id, "csv")
    assert raised.value.code == "result_not_found"
    assert [each["run_id"] for each in workspace.runs.list()]


class _Disk:
    """What `os.write` does on a disk that may be full."""

    def __init__(self, patch):
        self.is_full = False
        self._write = os.write
        patch.setattr(lines.os, "write", self.write)

    def write(self, file, data):
        if self.is_full and os.fstat(file).st_size:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return self._write(file, data)


def _counted():
    """What was counted of runs and loads in this process, by how they ended."""
    lines = counts.exposition(0, 0).splitlines()
    wanted = ("pluto_duck_run_duration_seconds_count", "pluto_duck_job_duration_seconds_count")
    named = [line.rpartition(" ") for line in lines if line.startswith(wanted)]
    found = Counter()
    for name, _, number in named:  # a line for each provider and kind
        found[name[11:14], name.partition('status="')[2].partition('"')[0]] += float(number)
    return found


def test_what_cannot_be_written_down_is_no_success_and_nothing_hangs(workspace, monkeypatch):
    _works(workspace)
    disk, before = _Disk(monkeypatch), _counted()
    disk.is_full = True
    run = _ask(workspace)
    assert (run["status"], run["error"]["code"]) == ("failed", "cannot_write")
    assert workspace.runs.list(1)[0]["status"] == "failed"
    load = _load(workspace)
    assert (load["status"], load["error"]["code"]) == ("failed", "cannot_write")
    assert _counted() - before == {("run", "failed"): 1, ("job", "failed"): 1}  # as the log says, at once
    job = workspace.queries.run("SELECT 1 AS a")
    assert (job.status, job.rows, job.keep_error["code"]) == ("succeeded", [[1]], "cannot_write")
    disk.is_full = False
    _works(workspace)


def test_after_a_restart_what_could_not_be_written_is_a_failure_still(workspace, monkeypatch, tmp_path):
    _works(workspace)
    disk = _Disk(monkeypatch)
    disk.is_full = True
    run = _ask(workspace)
    disk.is_full = False
    workspace.close()
    again = Workspace.open(load_settings(tmp_path / "root"), wait_s=0)
    try:
        assert again.runs.get(run["run_id"])["status"] == "failed"
        _works(again)
    finally:
        again.close()


def test_a_disk_that_is_full_fails_what_needs_it_and_keeps_what_was_committed(small_disk):
    workspace = Workspace.open(load_settings(small_disk / "root"), wait_s=0)
    try:
        _load(workspace)
        filler = small_disk / "filler"
        room = shutil.disk_usage(small_disk).free - 3_000_000
        filler.write_bytes(b"x" * room)
        big = "SELECT range AS a, hash(range) AS b, uuid() AS c FROM range(1000000)"
        with pytest.raises(EnvironmentFault) as raised:
            workspace.queries.run(big)
        assert raised.value.code in ("disk_full", "cannot_keep_result")
        assert "No space left" in raised.value.message
        load = _load(workspace, rows=3_000_000) if shutil.disk_usage(small_disk).free > 25_000_000 else None
        assert load is None or load["status"] == "failed"
        assert workspace.queries.run("SELECT count(*) AS n FROM t").rows == [[3]]
        assert not list(workspace.paths.queries.glob("*.part"))
        filler.unlink()
        _works(workspace)
    finally:
        workspace.close()
    again = Workspace.open(load_settings(small_disk / "root"), wait_s=0)
    try:
        _works(again)
    finally:
        again.close()


def test_a_load_that_fills_the_disk_leaves_the_table_as_it_was(small_disk, tmp_path):
    workspace = Workspace.open(load_settings(small_disk / "root"), wait_s=0)
    try:
        _load(workspace)
        workspace.queries.warm()
        filler = small_disk / "filler"
        filler.write_bytes(b"x" * (shutil.disk_usage(small_disk).free - 8_000_000))
        source = tmp_path / "large.parquet"
        with workspace.warehouse.read() as session:
            session.execute(
                f"COPY (SELECT range AS a, uuid() AS b, md5(range::VARCHAR) AS c FROM range(400000)) TO '{source}'"
            )
        load = _ended(workspace.jobs, workspace.ingest({"config": {"path": str(source)}, "target": "t"}))
        # DuckDB or the load's own log, whichever finds it full first
        assert (load["status"], load["error"]["code"]) in (("failed", "disk_full"), ("failed", "cannot_write"))
        assert "No space left" in load["error"]["message"]
        answered = workspace.queries.run("SELECT count(*) AS n FROM t", until_kept=False)
        assert answered.rows == [[3]]
        filler.unlink()
        _works(workspace)
    finally:
        workspace.close()


def test_a_clock_that_goes_back_breaks_nothing_and_ids_still_rise(workspace, monkeypatch):
    first = _ask(workspace)
    real = time.time_ns
    monkeypatch.setattr(ids.time, "time_ns", lambda: real() - 7_200_000_000_000)
    second = _ask(workspace)
    assert (first["status"], second["status"]) == ("succeeded", "succeeded")
    assert [each["run_id"] for each in workspace.runs.list(2)] == [second["run_id"], first["run_id"]]
    _works(workspace)


def test_a_warehouse_that_vanished_is_named_when_pluto_duck_starts(tmp_path):
    settings = load_settings(tmp_path / "root")
    workspace = Workspace.open(settings, wait_s=0)
    _load(workspace)
    workspace.close()
    settings.paths.warehouse.unlink()
    told = []
    Workspace.open(settings, wait_s=0, on_wait=told.append).close()
    assert len(told) == 1
    assert str(settings.paths.warehouse) in told[0]
    assert "had been loaded: 1." in told[0]
