"""What goes wrong in a project: dbt's message with the file, the next step, dbt's exit code."""

import shutil
from contextlib import nullcontext
from pathlib import Path

import pytest

from pluto_duck_cli.local_client import LocalClient
from pluto_duck_cli.main import execute
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
        ({"models/a.sql": "select * from {{ source('nowhere', 'x') }}"}, "models/a.sql", "Mend the name in ref()"),
        ({"packages.yml": PACKAGES}, "packages.yml", "`pluto-duck dbt deps`"),
        ({"profiles.yml": "other: {target: a, outputs: {a: {type: duckdb}}}"}, "rides", "Mend profiles.yml"),
        ({"models/marts/marts.yml": "models:\n  - name: [oops\n"}, "marts.yml", "Mend what dbt names"),
    ],
    ids=["cycle", "unknown ref", "unknown source", "missing package", "wrong profile", "broken yaml"],
)
def test_what_dbt_refuses_is_told_with_the_next_step(rides, broken, files, said, step):
    job = dbt(rides, "build", project_dir=broken(files), select="riders")
    assert (job["status"], job["error"]["code"]) == ("failed", "dbt_failed")
    assert said in job["error"]["message"].lower() or said in job["error"]["message"]
    assert step in job["error"]["hint"]


def test_a_model_that_fails_names_its_file_and_the_next_step(rides, broken):
    project = broken({"models/a.sql": "select no_such from {{ ref('riders') }}"})
    job = dbt(rides, "run", project_dir=project, select="a")
    (node,) = job["result"]["nodes"]
    assert (job["result"]["exit_code"], node["path"], node["status"]) == (1, "models/a.sql", "error")
    assert "no_such" in node["message"]
    assert "Mend the model's SQL" in job["result"]["hint"]
    assert dbt(rides, "retry", project_dir=project)["result"]["nodes"][0]["node"] == node["node"]


@pytest.mark.parametrize(
    ("sql", "said", "step"),
    [
        ("select * from {{ source('main', 'never_loaded') }}", "never_loaded does not exist", "`pluto-duck ingest`"),
        ("select {{ nothing_called_so() }}", "'nothing_called_so' is undefined", "Mend the macro's name"),
    ],
    ids=["table", "macro"],
)
def test_what_is_not_there_is_told_with_what_brings_it(rides, broken, sql, said, step):
    sources = "sources: [{name: main, tables: [{name: never_loaded}]}]"
    job = dbt(rides, "run", project_dir=broken({"models/a.sql": sql, "models/a.yml": sources}), select="a")
    assert (job["result"]["exit_code"], job["result"]["nodes"][0]["path"]) == (1, "models/a.sql")
    assert said in job["result"]["message"]
    assert step in job["result"]["hint"]


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
        ("docs", []),
        ("docs", ["generate", "--static"]),
        ("debug", []),
        ("deps", []),
        ("parse", []),
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


@pytest.mark.parametrize(
    ("options", "unmatched", "hint"),
    [
        ({"select": "riders_"}, ["riders_"], "Did you mean riders"),
        ({"select": ["+rdies+1", "tag:cor"]}, ["+rdies+1", "tag:cor"], "Did you mean rides"),
        ({"select": "source:app.raw_ride"}, ["source:app.raw_ride"], "Did you mean source:app.raw_rides"),
        ({"args": ["--select", "nowhere_at_all"]}, ["nowhere_at_all"], "`pluto-duck dbt ls`"),
        ({"select": "riders", "exclude": "riders"}, [], "`pluto-duck dbt ls`"),
    ],
)
def test_a_selection_that_nothing_fits_says_so_and_ends_as_dbt_does(rides, options, unmatched, hint):
    result = dbt(rides, "run", **options)["result"]
    assert (result["exit_code"], result["nodes"], result["unmatched"]) == (0, [], unmatched)
    assert result["message"].startswith("No node fits" if unmatched else "No node is selected")
    assert hint in result["hint"]


def test_what_else_is_selected_runs(rides):
    result = dbt(rides, "run", select=["visits", "visitz"])["result"]
    assert ([each["node"] for each in result["nodes"]], result["unmatched"]) == (["model.rides.visits"], ["visitz"])


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (
            ["run", "--select", "ridez"],
            0,
            "dbt run: nothing was selected\nNo node fits 'ridez'.\nhint: Did you mean rides",
        ),
        (["run", "--no-such-flag"], 2, "No such option '--no-such-flag'"),
        (["docs", "serve"], 2, "dbt docs generate --static"),
        (["init"], 2, "`pluto-duck init`"),
    ],
)
def test_the_command_ends_with_dbts_exit_code(rides, monkeypatch, capsys, words, code, said):
    monkeypatch.setattr("pluto_duck_cli.commands.dbt.connect", lambda settings: nullcontext(LocalClient(rides)))
    assert execute(["dbt", *words]) == code
    assert said in capsys.readouterr().err
