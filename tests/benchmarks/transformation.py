"""dbt inside a warm process against the `dbt` command: a project of 30 models (MODELS), and one of its models.

The command opens the file itself, so each has a warehouse of its own; both build the same project on the same machine.
Then a project of 200 models (LARGE), each with a test: build and docs, beside the command and while a reader reads
every table all the time. CPU seconds are of all processes together: unlike time, they say the same on a busy machine.
dbt's process lets others go first, so there it loses time that it does not lose on a machine of its own.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from pluto_duck_backend.app.core.config import DbtSettings, load_settings
from pluto_duck_backend.app.core.warehouse import Warehouse
from pluto_duck_backend.app.services.transformation import DbtService

DBT = str(Path(sys.executable).parent / "dbt")
PROFILE = """bench:
  target: warehouse
  outputs:
    warehouse: {type: duckdb, path: "{{ env_var('PLUTODUCK_WAREHOUSE') }}", schema: main, threads: 2}
"""


def main() -> None:
    models, rounds = int(os.environ.get("MODELS", "30")), int(os.environ.get("ROUNDS", "5"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        project = _project(folder / "project", models)
        settings = load_settings(folder / "root")
        paths = settings.paths.create()
        warehouse = Warehouse.open(paths.warehouse)
        service = DbtService(warehouse, paths, DbtSettings(project_dir=project))
        first, _, _ = _timed(service, lambda: _inside(service))
        print(f"first build inside, with the start of dbt's process: {first:.2f} s")
        for words in ([], ["--select", f"model_{models - 1}"]):
            inside, beside = [], []
            for _ in range(rounds):
                inside.append(_timed(service, lambda w=words: _inside(service, w))[:2])
                beside.append(_timed(service, lambda w=words: _command(project, folder, "build", w))[:2])
            _compare("one model" if words else f"{models} models", inside, beside)
        service.close()
        warehouse.close()
        large = int(os.environ.get("LARGE", "200"))
        if large:
            _large(folder / "large", large)


def _large(folder: Path, models: int) -> None:
    project = _project(folder / "project", models)
    described = [{"name": f"model_{n}", "columns": [{"name": "id", "data_tests": ["unique"]}]} for n in range(models)]
    (project / "models" / "tests.yml").write_text(json.dumps({"models": described}))
    paths = load_settings(folder / "root").paths.create()
    warehouse = Warehouse.open(paths.warehouse)
    service = DbtService(warehouse, paths, DbtSettings(project_dir=project))
    for what, with_reader in (("build, the first", False), ("build", False), ("build, while others read", True)):
        reader = _Reader(warehouse) if with_reader else None
        *inside, told = _timed(service, lambda: list(service.run("build")))
        _check_events(told, 2 * models)
        reads = f", {reader.stop():,} reads without an error or a part" if reader else ""
        beside = _timed(service, lambda: _command(project, folder, "build"))
        _compare(f"{models} models, {models} tests, {what}{reads}", [inside], [beside])
    *inside, (*_, result) = _timed(service, lambda: list(service.run("docs")))
    assert result.success, result
    beside = _timed(service, lambda: _command(project, folder, "docs", ["generate"]))
    _compare(f"{models} models, docs", [inside], [beside])
    service.close()
    warehouse.close()


class _Reader:
    """Reads each table that is there, over and over; a table has a thousand rows or is not there yet."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse
        self._is_over = threading.Event()
        self._faults: list[object] = []
        self._reads = 0
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        while not self._is_over.is_set():
            try:
                with self._warehouse.read() as session:
                    for (name,) in session.rows("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main'"):
                        count = session.row(f"SELECT count(*) FROM {name}")
                        self._reads += 1
                        if count != (1000,):
                            self._faults.append((name, count))
            except Exception as error:
                self._faults.append(error)

    def stop(self) -> int:
        self._is_over.set()
        self._thread.join()
        assert not self._faults, self._faults[:3]
        return self._reads


def _check_events(told: list, nodes: int) -> None:
    """Each node starts once and ends once, after its start."""
    *events, result = told
    assert result.success, result
    place = {(each.node, each.status == "running"): n for n, each in enumerate(events)}
    assert len(events) == len(place) == 2 * nodes
    assert all(place[node, True] < n for (node, is_start), n in place.items() if not is_start)


def _project(folder: Path, models: int) -> Path:
    """A chain of tables, every third of which reads two."""
    (folder / "models").mkdir(parents=True)
    (folder / "dbt_project.yml").write_text(
        "name: bench\nversion: '1.0'\nprofile: bench\nmodels:\n  bench:\n    +materialized: table\n"
        "flags:\n  send_anonymous_usage_stats: false\n"
    )
    (folder / "profiles.yml").write_text(PROFILE)
    for number in range(models):
        before = f"{{{{ ref('model_{number - 1}') }}}}" if number else "range(1000) as r(id)"
        joined = f" join {{{{ ref('model_{number - 3}') }}}} using (id)" if number > 3 and number % 3 == 0 else ""
        (folder / "models" / f"model_{number}.sql").write_text(f"select id from {before}{joined}\n")
    return folder


def _compare(what: str, inside: list, beside: list) -> None:
    """Medians of (seconds, CPU seconds), in the process and of the command."""
    took, cpu, other, other_cpu = (
        statistics.median(each[n] for each in runs) for runs in (inside, beside) for n in (0, 1)
    )
    print(
        f"{what}: inside {took:.2f} s ({cpu:.2f} s of CPU), dbt command {other:.2f} s ({other_cpu:.2f}): "
        f"{took / other:.2f} of its time, {cpu / other_cpu:.2f} of its CPU ({len(inside)} runs)",
        flush=True,
    )


def _inside(service: DbtService, words: list[str] | None = None) -> None:
    *_, result = service.run("build", args=words or [])
    assert getattr(result, "success", False), result


def _command(project: Path, folder: Path, command: str, words: list[str] | None = None) -> None:
    environment = {**os.environ, "PLUTODUCK_WAREHOUSE": str(folder / "beside.duckdb"), "DO_NOT_TRACK": "1"}
    places = ["--project-dir", str(project), "--profiles-dir", str(project), "--target-path", str(folder / "target")]
    subprocess.run([DBT, "--quiet", command, *(words or []), *places], check=True, env=environment, cwd=folder)


def _timed(service: DbtService, work):
    """`(seconds, CPU seconds, what it made)`."""
    began, used = time.perf_counter(), _cpu(service)
    made = work()
    return time.perf_counter() - began, _cpu(service) - used, made


def _cpu(service: DbtService) -> float:
    """CPU seconds of this process, those that it waited for, and dbt's."""
    each = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(part.ru_utime + part.ru_stime for part in each) + _cpu_of(service)


def _cpu_of(service: DbtService) -> float:
    process = service._process._process
    if process is None:
        return 0.0
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
