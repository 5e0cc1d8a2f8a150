"""What a dbt project says of its tables reaches catalog and answers: names, keys, values, lineage, staleness."""

import pytest

from tests.transformation.conftest import answer, dbt, ingest


@pytest.fixture(scope="module")
def catalog(rides):
    return rides.catalog.catalog()


def test_descriptions_are_comments_without_persist_docs(catalog):
    assert catalog.table("main", "rides").comment == "Rentals, one row each."
    assert catalog.table("main", "bikes").column("model").comment == "Type of the bicycle. Also called make."


def test_tests_that_pass_are_keys_joins_and_values(catalog):
    rides = catalog.table("main", "rides")
    assert rides.primary_key == ("ride_id",)
    declared = {each.columns: (each.ref_table, each.ref_columns) for each in rides.foreign_keys if not each.inferred}
    assert declared == {("rider_id",): ("riders", ("rider_id",)), ("bike_id",): ("bikes", ("bike_id",))}
    assert [hit.column for hit in catalog.values.lookup("student")] == ["plan"]


def test_lineage_sees_through_ephemeral_models(rides, catalog):
    assert {("main", "stg_rides"), ("main", "raw_rides")} <= catalog.table("main", "rides").made_from
    assert rides.catalog.describe_table("rides")["dbt"] | {"tests": None, "built_at": None} == {
        "node": "model.rides.rides",
        "materialized": "table",
        "made_from": ["main.stg_rides"],
        "tags": ["core"],
        "exposures": ["Fleet report"],
        "built_at": None,
        "tests": None,
    }


@pytest.mark.parametrize(
    ("question", "table", "count"),
    [
        ("How many rides are there?", "rides", 1000),
        ("How many renters do we have?", "riders", 40),
        ("How many stg_rides are there?", "stg_rides", 1000),
        ("How many student riders are there?", "riders", 0),
        ("how many bikes of the make Cargo are there", "bikes", 4),
    ],
)
def test_what_is_made_from_another_is_read_in_its_place(rides, question, table, count):
    final = answer(rides, question)
    assert (final["rows"], f" {table}\n" in f"{final['sql']}\n") == ([[count]], True), final["sql"]


def test_an_answer_names_its_model_when_it_was_built_and_how_tested(rides):
    final = answer(rides, "How many rides are there?")
    (line,) = [each for each in final["reading"] if "is dbt's" in each]
    assert line.startswith("main.rides is dbt's model rides, built 20")
    assert line.endswith(" UTC, 5 of 5 tests passed")
    assert final["caveats"] == []


def test_a_view_is_as_new_as_what_it_reads_and_names_only_itself(rides):
    final = answer(rides, "How many stg_visits are there?")
    assert [each for each in final["reading"] if "is dbt's" in each] == [
        "main.stg_visits is dbt's model stg_visits, a view, no tests"
    ]


def test_a_source_loaded_since_is_a_caveat_until_the_model_is_built_again(rides):
    ingest(rides, "raw_visits")
    (caveat,) = answer(rides, "How many visits are there?")["caveats"]
    assert caveat.startswith("main.visits was built 20")
    assert "before main.raw_visits was loaded" in caveat
    assert "`pluto-duck dbt build --select +visits`" in caveat
    dbt(rides, "run", select="+visits")
    assert answer(rides, "How many visits are there?")["caveats"] == []


def test_code_changed_since_its_run_is_a_caveat_also_for_what_reads_it(rides):
    macro = rides.paths.root / "dbt_project" / "macros" / "tidy.sql"
    before = macro.read_text()
    macro.write_text(before + "{# changed #}\n")
    try:
        (caveat,) = answer(rides, "How many renters do we have?")["caveats"]
    finally:
        macro.write_text(before)
    assert caveat.startswith("main.riders reads main.stg_riders: main.stg_riders was built ")
    assert "before tidy.sql was changed" in caveat
    assert answer(rides, "How many renters do we have?")["caveats"] == []


def test_a_test_that_fails_is_a_caveat_and_states_nothing(rides):
    with rides.warehouse.write() as session:
        session.execute("INSERT INTO bikes SELECT * FROM bikes WHERE bike_id = 1")
    assert dbt(rides, "test", select="bikes")["status"] == "failed"
    (caveat,) = answer(rides, "How many bikes are there?")["caveats"]
    assert caveat == "main.bikes failed 1 of its 2 tests: unique_bikes_bike_id."
    assert rides.catalog.catalog().table("main", "bikes").primary_key == ()
    dbt(rides, "build", select="bikes")
    assert rides.catalog.catalog().table("main", "bikes").primary_key == ("bike_id",)


def test_a_build_that_fails_is_a_caveat(rides):
    model = rides.paths.root / "dbt_project" / "models" / "marts" / "visits.sql"
    before = model.read_text()
    model.write_text("select no_such_column from {{ ref('stg_visits') }}")
    dbt(rides, "run", select="visits")
    model.write_text(before)
    (caveat,) = answer(rides, "How many visits are there?")["caveats"]
    assert "main.visits could not be built 20" in caveat
    assert "what it holds was built 20" in caveat
    dbt(rides, "run", select="visits")
    assert answer(rides, "How many visits are there?")["caveats"] == []
