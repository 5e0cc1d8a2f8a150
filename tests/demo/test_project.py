"""The starter dbt project: everything passes, and the marts equal the truth the generator knows."""

import json
from datetime import date

import duckdb
import pytest

from pluto_duck_backend.app.core.errors import Conflict
from pluto_duck_backend.app.services.demo import SHOWCASE, generate
from pluto_duck_backend.app.services.transformation import add_demo, copy_starter
from tests.demo.conftest import PROJECT, load_raw, run_dbt
from tests.demo.record import answer, questions

MARTS = ("customers", "marketing_spend", "order_lines", "orders", "products", "returns")


def _month(text):
    return date.fromisoformat(f"{text}-01")


TRUE_ROWS = {
    "demo-01": lambda truth: SHOWCASE[0].answer(truth),
    "demo-02": lambda truth: SHOWCASE[1].answer(truth),
    "demo-03": lambda truth: SHOWCASE[2].answer(truth),
    "demo-04": lambda truth: [
        (_month(month), value) for month, value in truth.revenue_by_month.items() if month >= "2025"
    ],
    "demo-05": lambda truth: [(name, truth.average_order_value(name)) for name in truth.revenue_by_channel],
    "demo-06": lambda truth: [(name, value / truth.revenue) for name, value in truth.revenue_by_country.items()],
    "demo-07": lambda truth: [(100 * (truth.revenue_by_year[2025] / truth.revenue_by_year[2024] - 1),)],
    "demo-08": lambda truth: list(truth.return_rate_by_category.items()),
    "demo-09": lambda truth: list(truth.spend_last_quarter_by_channel.items()),
    "demo-10": lambda truth: [(truth.orders_by_status["cancelled"],)],
    "demo-11": lambda truth: list(truth.orders_by_channel.items()),
    "demo-12": lambda truth: list(truth.customers_by_country.items()),
    "demo-13": lambda truth: list(truth.top_customers),
    "demo-14": lambda truth: list(truth.revenue_by_category.items()),
    "demo-15": lambda truth: list(truth.revenue_by_year.items()),
    "demo-16": lambda truth: list(truth.returns_by_reason.items()),
    "demo-17": lambda truth: [(truth.refunds,)],
    "demo-18": lambda truth: [(truth.revenue_by_country["Germany"],)],
    "demo-19": lambda truth: list(truth.spend_by_year.items()),
    "demo-20": lambda truth: [(max(truth.return_rate_by_category.items(), key=lambda pair: pair[1])[0],)],
}


def _same(found, expected):
    """Decimals and counts to the last digit; what DuckDB divided is a float, equal to twelve digits."""
    return found == (pytest.approx(float(expected), rel=1e-12) if isinstance(found, float) else expected)


def _same_rows(found, expected):
    return len(found) == len(expected) and all(
        len(one) == len(other) and all(map(_same, one, other)) for one, other in zip(found, expected, strict=True)
    )


def _manifest(target):
    return json.loads((target / "manifest.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def manifest(tmp_path_factory, demo):
    target = tmp_path_factory.mktemp("parse")
    run_dbt("parse", demo.warehouse, target)
    return _manifest(target)


def test_every_model_and_test_passes(demo):
    assert set(demo.results.values()) == {"success", "pass"}
    assert len(demo.results) > 60


@pytest.mark.parametrize("table", MARTS)
def test_each_mart_has_as_many_rows_as_the_clean_shop(marts, demo, table):
    assert marts.execute(f"select count(*) from marts.{table}").fetchone() == (demo.truth.rows[table],)


def test_the_schemas_hold_exactly_the_named_tables(marts):
    found = marts.execute(
        "select table_name from duckdb_tables() where schema_name = 'marts' order by table_name"
    ).fetchall()
    assert tuple(name for (name,) in found) == MARTS
    assert marts.execute("select count(*) from duckdb_tables() where schema_name = 'main'").fetchone() == (0,)


def test_money_is_exact_to_the_cent_from_orders_and_from_lines(marts, demo):
    for table in ("orders", "order_lines"):
        assert marts.execute(f"select sum(revenue) from marts.{table}").fetchone() == (demo.truth.revenue,)
    assert marts.execute("select sum(spend) from marts.marketing_spend").fetchone() == (demo.truth.spend,)


def test_units_in_completed_orders_match(marts, demo):
    rows = marts.execute(
        "select category, sum(quantity) from marts.order_lines join marts.products using (product_id) "
        "where revenue is not null group by category"
    ).fetchall()
    assert dict(rows) == demo.truth.units_by_category


@pytest.mark.parametrize("question", questions(), ids=lambda one: one["id"])
def test_the_suite_agrees_with_the_truth(marts, demo, question):
    rows = marts.execute(question["sql"]).fetchall()
    expected = TRUE_ROWS[question["id"]](demo.truth)
    assert _same_rows(rows, expected), (rows, expected)


@pytest.mark.parametrize("question", questions(), ids=lambda one: one["id"])
def test_the_recorded_rows_are_those_of_the_sql(marts, question):
    found = answer(marts, question)
    assert found["columns"] == question["columns"]
    assert found["row_count"] == question["row_count"] == len(question["rows"])
    assert _same_rows(found["rows"], question["rows"])


def test_the_showcase_questions_open_the_suite():
    assert [one["question"] for one in questions()[:3]] == [one.question for one in SHOWCASE]


def test_every_model_and_column_is_described_in_the_project_and_in_duckdb(marts, manifest):
    models = [node for node in manifest["nodes"].values() if node["resource_type"] == "model"]
    assert len(models) == 14
    for model in models:
        assert model["description"], model["name"]
        rows = marts.execute(
            "select column_name, comment from duckdb_columns() where schema_name = ? and table_name = ?",
            [model["schema"], model["name"]],
        ).fetchall()
        assert {name for name, _ in rows} == set(model["columns"]), model["name"]
        assert all(comment for _, comment in rows), model["name"]


def test_semantic_models_and_metrics_parse(manifest):
    metrics = {metric["name"] for metric in manifest["metrics"].values()}
    assert metrics >= {"revenue", "orders", "average_order_value", "return_rate", "marketing_spend"}
    assert len(manifest["semantic_models"]) == 5


def test_text_columns_everywhere_give_the_same_marts(tmp_path):
    truth = generate(tmp_path / "files", scale=0.02)
    warehouse = tmp_path / "text.duckdb"
    load_raw(tmp_path / "files", warehouse)
    _turn_to_text(warehouse)
    assert set(run_dbt("build", warehouse, tmp_path / "target").values()) == {"success", "pass"}
    with duckdb.connect(str(warehouse)) as connection:
        assert connection.execute("select sum(revenue) from marts.orders").fetchone() == (truth.revenue,)
        assert connection.execute("select sum(spend) from marts.marketing_spend").fetchone() == (truth.spend,)


def test_an_unknown_spelling_fails_the_build_and_names_the_column(tmp_path):
    generate(tmp_path / "files", scale=0.02)
    warehouse = tmp_path / "odd.duckdb"
    load_raw(tmp_path / "files", warehouse)
    with duckdb.connect(str(warehouse)) as connection:
        connection.execute("update raw.customers set country = 'Atlantis' where customer_id = 1")
    failed = {name for name, status in run_dbt("build", warehouse, tmp_path / "t").items() if status == "fail"}
    assert [name for name in failed if name.startswith("accepted_values_customers_country")]


def test_the_project_names_no_place_of_its_own():
    assert "env_var('PLUTODUCK_WAREHOUSE')" in (PROJECT / "profiles.yml").read_text(encoding="utf-8")
    assert {path.name for path in PROJECT.iterdir()} >= {
        "dbt_project.yml",
        "profiles.yml",
        "models",
        "macros",
    }


def _turn_to_text(warehouse):
    with duckdb.connect(str(warehouse)) as connection:
        columns = connection.execute(
            "select table_name, column_name from duckdb_columns() where schema_name = 'raw'"
        ).fetchall()
        for table, column in columns:
            connection.execute(f"alter table raw.{table} alter {column} type varchar")


def test_the_demo_goes_into_a_new_project_keeps_what_is_there_and_leaves_a_users_own_alone(tmp_path):
    project = tmp_path / "project"
    copy_starter(project)
    mine = project / "models" / "marts" / "orders.sql"
    mine.parent.mkdir(parents=True)
    mine.write_text("select 1 as mine")
    add_demo(project)
    assert mine.read_text() == "select 1 as mine"
    names = {each.relative_to(PROJECT) for each in PROJECT.rglob("*.sql") if "target" not in each.parts}
    assert names <= {each.relative_to(project) for each in project.rglob("*.sql")}
    (project / "dbt_project.yml").write_text("name: my_own\n")
    with pytest.raises(Conflict, match="a dbt project of yours, my_own"):
        add_demo(project)
