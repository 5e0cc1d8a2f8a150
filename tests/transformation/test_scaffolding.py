"""A staging layer proposed from loaded tables: renames, casts, tests that hold; `dbt build` passes on it."""

import duckdb
import pytest
import yaml

from pluto_duck_backend.app.core.errors import Conflict, NotFound
from tests.transformation.conftest import dbt, ended

TABLES = {
    "persons": """
        SELECT CAST(range AS VARCHAR) AS "ID", ' Person ' || range AS "Full Name", '0' || 1000 + range AS "Zip",
          CAST(DATE '2024-01-01' + CAST(range AS INT) AS VARCHAR) AS "JoinedOn", ['a', 'b'][range % 2 + 1] AS "Kind"
        FROM range(1, 21)""",
    "sales": """
        SELECT 'S' || range AS "SaleNo", CAST(range % 20 + 1 AS VARCHAR) AS person_id, range || '.5' AS "Amount"
        FROM range(60)""",
}


@pytest.fixture(scope="module")
def made(rides, tmp_path_factory):
    """Two files whose columns are all text, loaded, and what is proposed for them."""
    folder = tmp_path_factory.mktemp("files")
    with duckdb.connect() as connection:
        for name, sql in TABLES.items():
            path = folder / f"{name}.parquet"
            connection.execute(f"COPY ({sql}) TO '{path}'")
            request = {"connector": "auto", "config": {"path": str(path)}, "target": f"shop.{name}", "mode": "replace"}
            assert ended(rides, rides.ingest(request))["status"] == "succeeded"
    return rides.scaffold({})


def test_only_what_the_project_does_not_read_is_proposed(made):
    names = ("shop_scaffold.yml", "stg_persons.sql", "stg_sales.sql")
    assert made["files"] == [f"models/staging/{name}" for name in names]


def test_models_rename_and_cast(rides, made):
    sql = (rides.paths.root / "dbt_project" / "models" / "staging" / "stg_persons.sql").read_text()
    assert "{{ source('shop', 'persons') }}" in sql
    assert "nullif(trim(\"Full Name\"), '') as full_name" in sql
    assert 'cast("JoinedOn" as date) as joined_on' in sql


def test_tests_that_hold_are_written_and_the_build_passes(rides, made):
    text = (rides.paths.root / "dbt_project" / "models" / "staging" / "shop_scaffold.yml").read_text()
    persons, sales = yaml.safe_load(text)["models"]
    tests = {each["name"]: each["data_tests"] for each in [*persons["columns"], *sales["columns"]]}
    assert tests["id"] == ["unique", "not_null"]
    assert {"accepted_values": {"arguments": {"values": ["a", "b"]}}} in tests["kind"]
    assert {"relationships": {"arguments": {"to": "ref('stg_persons')", "field": "id"}}} in tests["person_id"]
    built = dbt(rides, "build", select=["stg_persons", "stg_sales"])
    assert built["status"] == "succeeded", built["result"]["message"]
    assert built["result"]["counts"]["pass"] >= 8


def test_texts_become_what_all_their_values_are_but_codes_stay(rides, made):
    with rides.warehouse.read() as session:
        types = dict(session.rows("SELECT column_name, data_type FROM duckdb_columns() WHERE table_name LIKE 'stg_%s'"))
        assert session.row("SELECT full_name FROM stg_persons WHERE id = 1") == ("Person 1",)
    assert [types[name] for name in ("id", "zip", "joined_on", "amount")] == [
        "BIGINT",
        "VARCHAR",
        "DATE",
        "DECIMAL(18,4)",
    ]


def test_nothing_is_overwritten_and_unknown_tables_are_told(rides, made):
    with pytest.raises(Conflict, match=r"is there already"):
        rides.scaffold({"tables": ["shop.persons"]})
    with pytest.raises(NotFound, match=r"No table 'main.nothing' was loaded"):
        rides.scaffold({"tables": ["nothing"]})
