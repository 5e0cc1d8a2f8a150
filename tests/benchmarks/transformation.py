"""dbt inside a warm process against the `dbt` command: a project of 30 models (MODELS), and one of its models.

The command opens the file itself, so each has a warehouse of its own; both build the same project on the same machine.
"""

import os
import subprocess
import sys
import tempfile
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
        first, _ = _timed(lambda: _inside(service))
        print(f"first build inside, with the start of dbt's process: {first:.2f} s")
        for words in ([], ["--select", f"model_{models - 1}"]):
            inside = sorted(_timed(lambda w=words: _inside(service, w))[0] for _ in range(rounds))
            beside = sorted(_timed(lambda w=words: _command(project, folder, w))[0] for _ in range(rounds))
            middle, other = inside[rounds // 2], beside[rounds // 2]
            what = "one model" if words else f"{models} models"
            print(
                f"{what}: inside {middle:.2f} s, dbt command {other:.2f} s, {middle / other:.2f} of it ({rounds} runs)"
            )
        service.close()
        warehouse.close()


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


def _inside(service: DbtService, words: list[str] | None = None) -> None:
    *_, result = service.run("build", args=words or [])
    assert getattr(result, "success", False), result


def _command(project: Path, folder: Path, words: list[str]) -> None:
    environment = {**os.environ, "PLUTODUCK_WAREHOUSE": str(folder / "beside.duckdb"), "DO_NOT_TRACK": "1"}
    if not (folder / "beside.duckdb").exists() and words:
        _command(project, folder, [])
    places = ["--project-dir", str(project), "--profiles-dir", str(project), "--target-path", str(folder / "target")]
    subprocess.run([DBT, "--quiet", "build", *places, *words], check=True, env=environment, cwd=folder)


def _timed(work):
    began = time.perf_counter()
    made = work()
    return time.perf_counter() - began, made
