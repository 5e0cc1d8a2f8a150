"""A bicycle rental in a workspace: its files ingested, its dbt project (tests/fixtures/dbt/rides) built."""

import shutil
from pathlib import Path

import duckdb
import pytest

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings

PROJECT = Path(__file__).parents[1] / "fixtures" / "dbt" / "rides"
FILES = {
    "raw_riders": """
        SELECT range AS rider_id, 'Rider ' || range AS name,
          [' Flat', 'payg', 'PAYG '][range * 7 % 3 + 1] AS plan,
          DATE '2023-11-01' + CAST(range * 11 % 400 AS INT) AS joined_on
        FROM range(1, 41)""",
    "raw_bikes": """
        SELECT range AS bike_id, ['Cargo', 'City', 'Tandem'][range % 3 + 1] AS model,
          ['Bonn', 'Essen', 'Halle', 'Ulm'][range % 4 + 1] AS city
        FROM range(1, 13)""",
    "raw_rides": """
        SELECT range AS ride_id, range * 17 % 40 + 1 AS rider_id, range * 5 % 12 + 1 AS bike_id,
          TIMESTAMP '2024-01-01 08:00' + to_hours(CAST(range * 12 + range % 9 AS INT)) AS started_at,
          range * 13 % 95 + 5 AS minutes, (range * 37 % 900) / 100 + 1 AS fare,
          ['done', 'done', 'late', 'lost'][range * 3 % 7 % 4 + 1] AS state
        FROM range(1, 1001)""",
    "raw_visits": """
        SELECT range AS visit_id, range * 19 % 40 + 1 AS rider_id, DATE '2024-01-01' + CAST(range AS INT) AS visited_on
        FROM range(0, 480, 3)""",
}


@pytest.fixture(scope="module")
def rides(made_once, tmp_path_factory):
    """The workspace of one file of tests: a copy of the one that `dbt build` has built, in a place of its own."""
    folder = tmp_path_factory.mktemp("rides") / "copy"
    shutil.copytree(made_once("rides", _build), folder)
    workspace = Workspace.open(load_settings(folder / "root"), wait_s=0)
    yield workspace
    workspace.close()


def _build(folder):
    """The files, beside them a data root with the files loaded and its project built."""
    with duckdb.connect() as connection:
        for name, sql in FILES.items():
            connection.execute(f"COPY ({sql}) TO '{folder / name}.csv'")
    shutil.copytree(PROJECT, folder / "root" / "dbt_project")
    workspace = Workspace.open(load_settings(folder / "root"), wait_s=0)
    for name in FILES:
        ingest(workspace, name)
    built = dbt(workspace, "build")
    workspace.close()
    assert built["status"] == "succeeded", built


def ingest(workspace, name):
    """Load one of the files, again if need be."""
    path = str(workspace.paths.root.parent / f"{name}.csv")
    request = {"connector": "auto", "config": {"path": path}, "target": name, "mode": "replace"}
    return ended(workspace, workspace.ingest(request))


def dbt(workspace, command, **options):
    """A dbt command, when it has ended."""
    return ended(workspace, workspace.run_dbt(command, options))


def ended(workspace, job_id):
    list(workspace.jobs.log(job_id).follow())
    return workspace.jobs.get(job_id)


def answer(workspace, question):
    """The final object of a question."""
    handle = workspace.runs.start(question)
    events = list(workspace.runs.log(handle.run_id).follow())
    return next(each["content"] for each in events if (each["type"], each["subtype"]) == ("message", "final"))
