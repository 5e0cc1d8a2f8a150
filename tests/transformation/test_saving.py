"""Answers become models, tests, metrics and analyses: `dbt build` passes on all, and the models hold the answers."""

from contextlib import nullcontext

import pytest
import yaml

from pluto_duck_backend.app.core.errors import Conflict, InvalidInput, NotFound
from pluto_duck_backend.app.services.transformation.saving import Answered
from pluto_duck_cli.local_client import LocalClient
from pluto_duck_cli.main import execute
from tests.transformation.conftest import dbt

QUESTIONS = [
    "How many rides are there?",
    "number of rides by state",
    "number of rides by month",
    "number of rides by month in 2024",
    "total fare by month",
    "total fare by region",
    "total fare by state",
    "total fare by model",
    "total minutes by state",
    "number of rides by week",
    "average minutes by city",
    "average minutes by model",
    "maximum minutes by state",
    "number of rides by year",
    "total fare in 2024",
    "total fare by quarter",
    "total fare by year",
    "total fare by week",
    "top 5 riders by total fare",
    "top 2 states by number of rides",
    "which state has the most rides",
    "How many bikes are there in each city?",
    "number of bikes by model",
    "How many riders are there by plan?",
    "riders without a ride",
    "late rate by region",
    "late rate by month",
    "fare per rider by model",
    "number of visits by month",
    "number of rides by state in 2024",
]


@pytest.fixture(scope="module")
def saved(rides):
    """Each question with its run, saved as a model and as a test; one `dbt build` of them all."""
    finals = {name: _asked(rides, question) for name, question in zip(_names(), QUESTIONS, strict=True)}
    answered = {name: each for name, each in finals.items() if each[1]["status"] == "succeeded"}
    for name, (run_id, _) in answered.items():
        rides.save_run(run_id, {"kind": "model", "name": name})
        rides.save_run(run_id, {"kind": "test", "name": f"{name}_stays"})
    return answered, dbt(
        rides, "build", select=[f"{name}*" for name in answered] + [f"{name}_stays" for name in answered]
    )


def _names():
    return [f"saved_{number:02}" for number in range(len(QUESTIONS))]


def _asked(workspace, question):
    handle = workspace.runs.start(question)
    list(workspace.runs.log(handle.run_id).follow())
    run = workspace.runs.get(handle.run_id)
    return handle.run_id, run["final"] or {"status": run["status"]}


def test_dbt_builds_all_that_was_saved(saved):
    answered, built = saved
    assert len(answered) == len(QUESTIONS) == 30
    assert built["status"] == "succeeded", [each for each in built["result"]["nodes"] if each["status"] not in _GOOD]
    nodes = [each["node"].split(".")[2] for each in built["result"]["nodes"]]
    assert {*answered, *(f"{name}_stays" for name in answered)} <= set(nodes)


_GOOD = ("success", "pass")


def test_the_models_hold_what_was_answered(rides, saved):
    for name, (_, final) in saved[0].items():
        with rides.warehouse.read() as session:
            assert session.row(f"SELECT count(*) FROM {name}") == (final["row_count"],)
            differing = f"(FROM {name} EXCEPT ALL ({final['sql']}))"
            rounded = session.rows(f"SELECT * FROM {differing}")
        assert [row for row in rounded if not any(isinstance(cell, float) for cell in row)] == [], final["sql"]


def test_a_model_refers_describes_and_tests(rides, saved):
    project = rides.paths.root / "dbt_project"
    sql = (project / "models" / "saved" / "saved_05.sql").read_text()
    assert "{{ ref('rides') }} AS rides" in sql and "main." not in sql
    (model,) = yaml.safe_load((project / "models" / "saved" / "saved_05.yml").read_text())["models"]
    assert model["description"].startswith("total fare by region Read as: ")
    assert any(column.get("data_tests") for column in model["columns"])


def test_a_test_fails_when_the_answer_is_another(rides, saved):
    with rides.warehouse.write() as session:
        session.execute("DELETE FROM rides WHERE ride_id = 1")
    try:
        (node,) = dbt(rides, "test", select="saved_00_stays")["result"]["nodes"]
    finally:
        dbt(rides, "run", select="rides")
    assert (node["status"], node["failures"]) == ("fail", 2)


def test_an_answer_over_time_becomes_a_metric_that_gives_it_again(rides):
    run_id, final = _asked(rides, "total fare by month")
    saved = rides.save_run(run_id, {"kind": "metric", "name": "paid"})
    assert saved["files"] == ["models/saved/paid.yml", "models/saved/paid_rows.sql"]
    assert dbt(rides, "parse")["status"] == "succeeded"
    early = rides.queries.wait(rides.query_metrics({"metrics": ["paid"], "grain": "month"}))
    assert (early.status, early.error["code"]) == ("failed", "unknown_table")
    assert "`pluto-duck dbt build --select +paid_rows`" in early.error["hint"]
    assert dbt(rides, "build", select="paid_rows")["status"] == "succeeded"
    job = rides.queries.wait(rides.query_metrics({"metrics": ["paid"], "grain": "month"}))
    assert [(str(row[0])[:10], round(row[1], 4)) for row in job.rows] == [
        (str(row[0])[:10], round(row[1], 4)) for row in final["rows"]
    ]


def test_an_analysis_compiles(rides):
    run_id, _ = _asked(rides, "number of rides by state")
    rides.save_run(run_id, {"kind": "analysis", "name": "rides_by_state"})
    assert dbt(rides, "compile", select="rides_by_state")["status"] == "succeeded"


@pytest.mark.parametrize(
    ("request_", "error", "words"),
    [
        ({"kind": "model", "name": "rides"}, Conflict, "There is a model 'rides' already"),
        ({"kind": "metric", "name": "takings"}, Conflict, "There is a metric 'takings' already"),
        ({"kind": "model", "name": "No Name"}, InvalidInput, "'No Name' is no name for a model"),
        ({"kind": "metric", "name": "by_state"}, InvalidInput, "nothing tells when its rows are"),
        ({"kind": "model", "name": "x", "project_dir": "/nowhere"}, NotFound, "no dbt project at /nowhere"),
    ],
)
def test_what_cannot_be_saved_is_told_and_nothing_written(rides, request_, error, words):
    run_id, _ = _asked(rides, "number of rides by state")
    with pytest.raises(error, match=words):
        rides.save_run(run_id, request_)


def test_braces_in_an_answer_are_text(rides):
    answered = Answered("{{ run_query(1) }}", "SELECT '{{ 7 * 7 }}' AS a, min(ride_id) AS b FROM main.rides", _COLUMNS)
    rides.saving.save(answered, "model", "braces")
    rides.saving.save(answered, "test", "braces_stay")
    assert dbt(rides, "build", select=["braces", "braces_stay"])["status"] == "succeeded"
    with rides.warehouse.read() as session:
        assert session.row("SELECT a FROM braces") == ("{{ 7 * 7 }}",)


_COLUMNS = [{"name": "a", "type": "VARCHAR"}, {"name": "b", "type": "BIGINT"}]


def test_the_command_writes_and_tells_the_next_step(rides, monkeypatch, capsys):
    monkeypatch.setattr("pluto_duck_cli.commands.runs.connect", lambda settings: nullcontext(LocalClient(rides)))
    run_id, _ = _asked(rides, "number of rides by state")
    assert execute(["runs", "save", run_id, "by_state", "--as", "analysis"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[0].endswith("dbt_project/analyses/by_state.sql")
    assert said.err == "Next: pluto-duck dbt compile --select by_state\n"
    assert execute(["runs", "save", run_id, "by_state", "--as", "analysis"]) == 1
