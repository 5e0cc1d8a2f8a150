"""The graph of dbt's nodes over HTTP, of a project that was built."""

import pytest
from starlette.testclient import TestClient

from pluto_duck_backend.app.main import create_app


@pytest.fixture(scope="module")
def client(rides):
    return TestClient(create_app(rides), base_url="http://127.0.0.1/api/v1")


@pytest.fixture(scope="module")
def nodes(client):
    return {each["node"]: each for each in client.get("/dbt/graph").json()["nodes"]}


def test_every_input_is_a_node_and_ephemeral_models_are_seen_through(nodes):
    assert {input_ for each in nodes.values() for input_ in each["inputs"]} <= set(nodes)
    assert nodes["model.rides.rides"]["inputs"] == ["model.rides.stg_rides"]
    assert {each["kind"] for each in nodes.values()} == {"model", "seed", "snapshot", "source"}


def test_a_node_says_how_it_was_built_and_tested(nodes):
    built = nodes["model.rides.rides"]
    assert (built["state"], built["tests"]) == ("built", {"passed": 5, "failed": 0, "not_run": 0})
    assert built["built_at"] and not built["failed_at"]


def test_a_node_has_its_columns_and_its_sql_as_written_and_compiled(client):
    found = client.get("/dbt/graph/model.rides.rides").json()
    assert "ref('stg_rides')" in found["code"]
    assert "stg_rides" in found["compiled"] and "ref(" not in found["compiled"]
    assert {"ride_id", "rider_id"} <= {each["name"] for each in found["columns"]}
    assert set(found["test_results"].values()) == {"pass"}


def test_a_node_that_is_not_there_is_named(client):
    answer = client.get("/dbt/graph/model.rides.ride")
    assert (answer.status_code, answer.json()["code"]) == (404, "node_not_found")
    assert "model.rides.rides" in answer.json()["detail"]
