"""A staging layer proposed from loaded tables: renames, casts, tests that hold; `dbt build` passes on it."""

from pathlib import Path

import duckdb
import pytest
import yaml

from pluto_duck_backend.app.core.errors import Conflict, NotFound
from pluto_duck_backend.app.services.transformation import copy_starter
from tests.transformation.conftest import dbt, ended

TABLES = {
    "persons": """
        SELECT CAST(range AS VARCHAR) AS "ID", ' Person ' || range AS "Full Name", '0' || 1000 + range AS "Zip",
          CAST(DATE '2024-01-01' + CAST(range AS INT) AS VARCHAR) AS "JoinedOn", ['a', 'b'][range % 2 + 1] AS "Kind",
          ['G''day', 'Moin {{ 1 }}'][range % 2 + 1] AS "Greeting"
        FROM range(1, 21)""",
    "sales": """
        SELECT 'S' || range AS "SaleNo", CAST(range % 20 + 1 AS VARCHAR) AS person_id, range || '.5' AS "Amount",
          'O' || range AS "order", 1.5 AS "unit price", '2.5' AS "Unit_Price"
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


@pytest.fixture(scope="module")
def built(rides, made):
    """How dbt's build of the proposed models ended."""
    return dbt(rides, "build", select=["stg_persons", "stg_sales"])


def test_only_what_the_project_does_not_read_is_proposed(made):
    names = ("shop_scaffold.yml", "stg_persons.sql", "stg_sales.sql")
    assert made["files"] == [f"models/staging/{name}" for name in names]


def test_models_rename_and_cast(rides, made):
    sql = (rides.paths.root / "dbt_project" / "models" / "staging" / "stg_persons.sql").read_text()
    assert "{{ source('shop', 'persons') }}" in sql
    assert "nullif(trim(\"Full Name\"), '') as full_name" in sql
    assert 'cast("JoinedOn" as date) as joined_on' in sql


def test_columns_that_sql_or_another_has_the_name_of_are_called_otherwise(rides, made):
    sql = (rides.paths.root / "dbt_project" / "models" / "staging" / "stg_sales.sql").read_text()
    for line in ('"order" as order_', '"unit price" as unit_price', '"Unit_Price" as decimal(18, 4)) as unit_price_2'):
        assert line in sql


def test_tests_that_hold_are_written_and_the_build_passes(rides, built):
    text = (rides.paths.root / "dbt_project" / "models" / "staging" / "shop_scaffold.yml").read_text()
    persons, sales = yaml.safe_load(text)["models"]
    tests = {each["name"]: each["data_tests"] for each in [*persons["columns"], *sales["columns"]]}
    assert tests["id"] == ["unique", "not_null"]
    assert {"accepted_values": {"arguments": {"values": ["a", "b"]}}} in tests["kind"]
    assert {"relationships": {"arguments": {"to": "ref('stg_persons')", "field": "id"}}} in tests["person_id"]
    assert built["status"] == "succeeded", built["result"]["message"]
    assert built["result"]["counts"]["pass"] >= 8


def test_texts_become_what_all_their_values_are_but_codes_stay(rides, built):
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


@pytest.fixture(scope="module")
def fresh(rides, made, tmp_path_factory):
    """A project as `init` makes it, over all that is loaded, and what its build says before and after scaffolding."""
    with duckdb.connect() as connection:
        path = tmp_path_factory.mktemp("files") / "persons.parquet"
        connection.execute(f"COPY (SELECT 'P' || range AS id, 'P1' AS person_id FROM range(9)) TO '{path}'")
    request = {"connector": "auto", "config": {"path": str(path)}, "target": "club.persons", "mode": "replace"}
    assert ended(rides, rides.ingest(request))["status"] == "succeeded"
    project = str(tmp_path_factory.mktemp("fresh") / "project")
    assert copy_starter(Path(project))
    empty = dbt(rides, "build", project_dir=project)
    files = rides.scaffold({"project_dir": project})["files"]
    return project, empty, files, dbt(rides, "build", project_dir=project)


def test_a_project_without_models_builds_nothing_and_says_what_next(fresh):
    result = fresh[1]["result"]
    assert (result["exit_code"], result["message"]) == (0, "No node is selected.")
    assert "`pluto-duck dbt scaffold`" in result["hint"]


def test_a_new_project_builds_on_whatever_was_loaded(rides, fresh):
    _, _, files, built = fresh
    assert built["status"] == "succeeded", built["result"]["message"]
    assert {"models/staging/stg_club_persons.sql", "models/staging/stg_shop_persons.sql"} <= set(files)
    with rides.warehouse.read() as session:
        assert session.row("SELECT count(*) FROM staging.stg_club_persons") == (9,)


def test_an_answer_becomes_a_metric_in_a_project_that_had_no_days(rides, fresh):
    run_id = rides.runs.start("total fare by month").run_id
    list(rides.runs.log(run_id).follow())
    made = rides.save_run(run_id, {"kind": "metric", "name": "earned", "project_dir": fresh[0]})
    assert "models/semantic/time_spine.sql" in made["files"]
    assert dbt(rides, "build", project_dir=fresh[0], select="earned_rows time_spine")["status"] == "succeeded"
    job = rides.queries.wait(rides.query_metrics({"metrics": ["earned"], "grain": "month"}))
    assert [round(row[1], 4) for row in job.rows] == [
        round(row[1], 4) for row in rides.runs.get(run_id)["final"]["rows"]
    ]
