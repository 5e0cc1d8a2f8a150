"""Projects of three shapes as their users wrote them (tests/fixtures/dbt): what they build, beside SQL by hand.

`tests/benchmarks/dbt_parity.py` runs their wide range of commands beside dbt itself.
"""

import shutil
from decimal import Decimal

import pytest

from pluto_duck_backend.app.core.config import DbtSettings, load_settings
from pluto_duck_backend.app.core.warehouse import Warehouse
from pluto_duck_backend.app.services.transformation import DbtService
from tests.transformation.conftest import PROJECT


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A data root, its warehouse and the projects beside it; one process of dbt runs them all."""
    folder = tmp_path_factory.mktemp("projects")
    paths = load_settings(folder / "root").paths.create()
    warehouse = Warehouse.open(paths.warehouse)
    service = DbtService(warehouse, paths, DbtSettings())
    yield folder, warehouse, service
    service.close()
    warehouse.close()


def _builder(place, name):
    """`build(words…)` of one project, and `rows(sql)`."""
    folder, warehouse, service = place
    project = shutil.copytree(PROJECT.parent / name, folder / name)

    def build(*words):
        *events, result = service.run("build", args=words, project_dir=project)
        _each_starts_and_ends_once(events)
        assert result.exit_code == 0, result.message
        return {_name(each["node"]): each for each in result.nodes}

    def rows(sql):
        with warehouse.read() as session:
            return session.rows(sql)

    return build, rows


def _name(node):
    """A unit test's id has its model before its name."""
    kind, _, *names = node.split(".")
    return names[1] if kind == "unit_test" else names[0]


def _each_starts_and_ends_once(events):
    place = {(each.node, each.status == "running"): n for n, each in enumerate(events)}
    assert len(place) == len(events)
    assert all(place[node, True] < n for (node, is_start), n in place.items() if not is_start and (node, True) in place)


def test_a_cafe_with_macros_for_names_hooks_a_contract_and_a_unit_test(place):
    build, rows = _builder(place, "cafe")
    nodes = build()
    assert nodes["cents_become_euros"]["status"] == "pass"
    assert (nodes["tax_is_less"]["status"], nodes["tax_is_less"]["failures"]) == ("warn", 1)
    assert rows("FROM cafe.customers ORDER BY 1") == [
        (1, "Ada Berg", Decimal("12.50"), 1),
        (2, "Bo Carl", Decimal("23.00"), 2),
        (3, "Cem Demir", Decimal("11.00"), 2),
        (4, "Dora Ek", Decimal("0.00"), 0),
    ]
    assert rows("SELECT strftime(day, '%m-%d'), north, south FROM cafe_reporting.by_store ORDER BY 1") == [
        ("03-01", Decimal("12.50"), Decimal("3.00")),
        ("03-02", None, Decimal("9.80")),
        ("03-04", Decimal("1.20"), Decimal("20.00")),
    ]
    assert rows("SELECT DISTINCT store FROM cafe.orders ORDER BY 1") == [("NORTH",), ("SOUTH",)]
    assert rows(
        "SELECT order_no, data_type FROM cafe_raw.raw_orders, duckdb_columns() "
        "WHERE order_no = '0001' AND table_name = 'raw_orders' AND column_name = 'cents'"
    ) == [("0001", "INTEGER")]
    assert rows("SELECT command, schemas FROM cafe_log.runs") == [
        ("build", "cafe,cafe_dbt_test__audit,cafe_raw,cafe_reporting,cafe_staging")
    ]
    assert rows(
        "SELECT comment FROM duckdb_columns() WHERE table_name = 'stg_orders' AND column_name = 'order_no'"
    ) == [("The number on the receipt.",)]


def test_a_tracker_of_clicks_merges_takes_new_columns_and_a_materialization_of_its_own(place):
    build, rows = _builder(place, "clicks")
    seen = "FROM clicks_raw.page_views WHERE viewed_at < '2025-05-03'"
    build("--select", "page_views")
    nodes = build("--exclude", "page_views")
    assert rows("SELECT count(*) FROM clicks.views") == rows(f"SELECT count(*) {seen}")
    assert nodes["visitors"]["status"] == "success"
    build("--exclude", "page_views", "--vars", "{until: '2025-05-06', with_device: true}")
    assert rows("SELECT count(*), count(DISTINCT view_id) FROM clicks.views") == rows(
        "SELECT count(*), count(*) FROM clicks_raw.page_views"
    )
    last_seen = f"(SELECT max(viewed_at) {seen})"
    assert rows("SELECT count(device) FROM clicks.views") == rows(
        f"SELECT count(*) FROM clicks_raw.page_views WHERE viewed_at >= {last_seen}"
    )
    by_day = "SELECT CAST(viewed_at AS DATE), count(*), count(DISTINCT visitor) FROM clicks_raw.page_views GROUP BY 1"
    assert rows("FROM clicks.daily ORDER BY 1") == rows(f"{by_day} ORDER BY 1")
    assert rows("SELECT sum(views) FROM clicks.visitors") == rows("SELECT count(*) FROM clicks.views")
    assert rows("SELECT views FROM clicks.funnel") == rows("SELECT views FROM clicks.funnel ORDER BY views DESC")
    assert rows("SELECT count(*) FROM clicks.latest_sessions") == [(5,)]


def test_a_ledger_keeps_history_in_snapshots_of_both_strategies_and_in_batches(place):
    build, rows = _builder(place, "ledger")
    nodes = build("--threads", "1")
    assert nodes["relationships_postings_account_id__account_id__ref_accounts_"]["status"] == "warn"
    assert rows("SELECT posting_id, euros, plan FROM ledger.statements ORDER BY 1") == [
        (1, Decimal("10.50"), "basic"),
        (2, Decimal("20.00"), "plus"),
        (3, Decimal("4.73"), "basic"),
        (4, Decimal("7.00"), "basic"),
        (5, Decimal("-20.00"), "plus"),
        (6, Decimal("1.00"), None),
    ]
    assert rows("SELECT account_id, sum(euros) FROM ledger.balances GROUP BY 1 ORDER BY 1") == rows(
        "SELECT account_id, sum(euros) FROM ledger.entries GROUP BY 1 ORDER BY 1"
    )
    build("--vars", "{day: 2}", "--select", "accounts", "plans", "account_history")
    assert rows(
        "SELECT account_id, count(*), count(*) FILTER (dbt_valid_to IS NULL) "
        "FROM ledger_history.plans GROUP BY 1 ORDER BY 1"
    ) == [(1, 2, 1), (2, 1, 1), (3, 1, 0), (4, 1, 1)]
    assert rows(
        "SELECT plan, valid_to < '9999-12-31' FROM ledger_history.account_history WHERE account_id = 1 "
        "ORDER BY valid_from"
    ) == [("basic", True), ("plus", False)]
    assert rows(
        "SELECT dbt_is_deleted FROM ledger_history.account_history WHERE account_id = 3 ORDER BY valid_from"
    ) == [
        ("False",),
        ("True",),
    ]
