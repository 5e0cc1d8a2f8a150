"""What goes wrong in a project: dbt's message with the file, the next step, dbt's exit code."""

import shutil
from pathlib import Path

import pytest

from tests.transformation.conftest import PROJECT, dbt

PACKAGES = "packages:\n  - package: dbt-labs/dbt_utils\n    version: 1.3.0\n"


@pytest.fixture
def broken(tmp_path):
    """`broken(files)`: the project with these files put into it."""

    def _broken(files):
        shutil.copytree(PROJECT, tmp_path / "project")
        for name, text in files.items():
            path = tmp_path / "project" / name
            path.write_text(text) if text is not None else path.unlink()
        return str(tmp_path / "project")

    return _broken


@pytest.mark.parametrize(
    ("files", "said", "step"),
    [
        (
            {"models/a.sql": "select * from {{ ref('b') }}", "models/b.sql": "select * from {{ ref('a') }}"},
            "cycle",
            "Break",
        ),
        ({"models/a.sql": "select * from {{ ref('nowhere') }}"}, "models/a.sql", "Mend the name in ref()"),
        ({"packages.yml": PACKAGES}, "packages.yml", "`pluto-duck dbt deps`"),
        ({"profiles.yml": "other: {target: a, outputs: {a: {type: duckdb}}}"}, "rides", "Mend profiles.yml"),
        ({"models/marts/marts.yml": "models:\n  - name: [oops\n"}, "marts.yml", "Mend what dbt names"),
    ],
    ids=["cycle", "unknown ref", "missing package", "wrong profile", "broken yaml"],
)
def test_what_dbt_refuses_is_told_with_the_next_step(rides, broken, files, said, step):
    job = dbt(rides, "build", project_dir=broken(files), select="riders")
    assert (job["status"], job["error"]["code"]) == ("failed", "dbt_failed")
    assert said in job["error"]["message"].lower() or said in job["error"]["message"]
    assert step in job["error"]["hint"]


def test_a_model_that_fails_names_its_file_and_the_next_step(rides, broken):
    job = dbt(rides, "run", project_dir=broken({"models/a.sql": "select no_such from {{ ref('riders') }}"}), select="a")
    (node,) = job["result"]["nodes"]
    assert (job["result"]["exit_code"], node["path"], node["status"]) == (1, "models/a.sql", "error")
    assert "no_such" in node["message"]
    assert "Mend the model's SQL" in job["result"]["hint"]


def test_a_failing_test_gives_the_query_of_its_rows(rides, broken):
    project = broken({"tests/late.sql": "select ride_id from {{ ref('rides') }} where state = 'late'"})
    (node,) = dbt(rides, "test", project_dir=project, select="late")["result"]["nodes"]
    assert node["status"] == "fail"
    job = rides.queries.run(node["failing_rows"])
    assert job.row_count == node["failures"] > 0
    assert Path(node["path"]).name == "late.sql"


@pytest.mark.parametrize(
    ("command", "args"),
    [
        ("snapshot", []),
        ("ls", ["--select", "tag:core"]),
        ("show", ["--inline", "select 1 as one"]),
        ("docs", ["generate"]),
        ("source", ["freshness", "--select", "source:app.raw_rides"]),
        ("compile", ["--select", "+rides"]),
        ("seed", ["--full-refresh"]),
        ("run", ["--select", "ride_days", "--full-refresh"]),
        ("run-operation", ["tidy", "--args", "{column: x}"]),
    ],
)
def test_each_command_takes_dbts_own_flags(rides, command, args):
    job = dbt(rides, command, args=args)
    stale = command == "source"  # the rides are years old, and the source says that a day is too much
    assert (job["status"], bool(job["error"])) == ("failed" if stale else "succeeded", False), job
