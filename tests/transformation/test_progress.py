"""What a command tells while it runs: a start and an end for each node, in the order of the lineage, with figures."""

from contextlib import nullcontext

import pytest

from pluto_duck_cli.local_client import LocalClient
from pluto_duck_cli.main import execute

LATE = "tests/late_rides.sql"


@pytest.fixture(scope="module")
def failing(rides):
    """A test of the project that finds rows, while this file runs."""
    path = rides.paths.root / "dbt_project" / LATE
    path.write_text("select ride_id from {{ ref('rides') }} where state = 'late'")
    yield
    path.unlink()


@pytest.fixture(scope="module")
def told(rides, failing):
    """The progress of one build, and its result."""
    log = rides.jobs.log(rides.run_dbt("build", {"select": ["+rides", "rider_scores", "plans", "cities"]}))
    first, *chunks, end = list(log.follow())
    assert (first["type"], first["subtype"], end["subtype"]) == ("job", "start", "end")
    return [each["content"] for each in chunks], end["content"]["result"]


def _only(told, name):
    """The end of one node."""
    (found,) = [each for each in told[0] if each["node"].split(".")[2] == name and each["status"] != "running"]
    return found


def test_each_node_starts_once_and_ends_once_as_the_result_says(told):
    chunks, result = told
    started = [each["node"] for each in chunks if each["status"] == "running"]
    ended = [each for each in chunks if each["status"] != "running"]
    assert len(started) == len(set(started)) == len(ended) == len(result["nodes"]) > 10
    assert {each["node"]: each["status"] for each in ended} == {
        each["node"]: each["status"] for each in result["nodes"]
    }
    assert sorted(each["index"] for each in ended) == list(range(1, ended[0]["total"] + 1))


def test_nothing_starts_before_what_it_reads_has_ended(rides, told):
    place = {(each["node"], each["status"] != "running"): n for n, each in enumerate(told[0])}
    models = rides.catalog.describe_table("rides")["dbt"]["made_from"]
    assert "main.stg_rides" in models
    assert place["model.rides.stg_rides", True] < place["model.rides.rides", False]
    assert all(place[node, False] < place[node, True] for node, _ in place)


def test_an_end_has_the_rows_that_were_written_and_the_time(rides, told):
    with rides.warehouse.read() as session:
        (written,) = session.row("SELECT count(*) FROM rides")
    assert _only(told, "rides")["rows"] == written == 1000
    assert _only(told, "cities")["rows"] == 3
    assert _only(told, "stg_rides")["rows"] is None  # a view
    assert _only(told, "rides")["path"] == "models/marts/rides.sql"
    assert _only(told, "rides")["elapsed_s"] > 0


def test_a_failing_test_tells_how_many_rows_and_the_query_that_shows_them(rides, told):
    late = _only(told, "late_rides")
    assert (late["status"], late["path"], late["rows"]) == ("fail", LATE, None)
    assert rides.queries.run(late["failing_rows"]).row_count == late["failures"] > 0


def test_what_fail_fast_leaves_out_has_an_end_too(rides, failing):
    options = {"args": ["--fail-fast"], "select": ["late_rides", "no_negative_fare", "stg_visits+"]}
    log = rides.jobs.log(rides.run_dbt("build", options))
    *chunks, end = [each["content"] for each in log.follow()]
    ended = [each["node"] for each in chunks[1:] if each["status"] != "running"]
    assert sorted(ended) == sorted(each["node"] for each in end["result"]["nodes"])


def test_the_command_shows_each_end_and_the_query(rides, failing, monkeypatch, capsys):
    monkeypatch.setattr("pluto_duck_cli.commands.dbt.connect", lambda settings: nullcontext(LocalClient(rides)))
    assert execute(["dbt", "build", "--select", "visits", "late_rides"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert any(" success  model.rides.visits (" in line and " rows, " in line for line in lines), lines
    assert any("fail     test.rides.late_rides (" in line and " rows fail, " in line for line in lines), lines
    query = lines[lines.index("rows that fail:") + 1]
    assert rides.queries.run(query).row_count > 0
