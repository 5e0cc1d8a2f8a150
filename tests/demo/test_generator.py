"""The generator: same seed same bytes, sizes, dirt that is really there, shapes like life."""

import csv
import sqlite3
from collections import Counter
from contextlib import closing
from itertools import pairwise

import polars
import pytest

from pluto_duck_backend.app.services.demo import FILES, SHOWCASE, generate
from pluto_duck_backend.app.services.demo.generator import build


@pytest.fixture(scope="module")
def clean():
    return build(7, 0.2)


def _csv(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_same_seed_gives_the_same_files_and_truth(tmp_path):
    one, two = generate(tmp_path / "a", scale=0.02), generate(tmp_path / "b", scale=0.02)
    assert one == two
    for name in FILES:
        if name.endswith(".csv"):
            assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    spend = [polars.read_parquet(tmp_path / side / "marketing_spend.parquet") for side in "ab"]
    assert spend[0].equals(spend[1])


def test_known_values_hold_on_every_platform(demo):
    assert demo.truth.rows["orders"] == 25_000
    assert str(demo.truth.revenue) == "10117604.46"
    assert demo.truth.customers_never_ordered == 758


def test_another_seed_gives_another_shop(tmp_path):
    assert generate(tmp_path, seed=8, scale=0.02) != generate(tmp_path, seed=9, scale=0.02)


@pytest.mark.parametrize("scale", [0, -1.0])
def test_a_scale_without_rows_is_refused(tmp_path, scale):
    with pytest.raises(ValueError, match="above zero"):
        generate(tmp_path / "none", scale=scale)
    assert not (tmp_path / "none").exists()


def test_full_scale_is_about_a_hundred_thousand_rows(tmp_path):
    truth = generate(tmp_path)
    assert 90_000 < sum(truth.rows.values()) < 110_000


def test_generating_again_replaces_the_files(tmp_path):
    generate(tmp_path, seed=1, scale=0.02)
    generate(tmp_path, seed=2, scale=0.02)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(FILES)


def test_no_order_before_signup_and_no_return_without_a_completed_order(clean):
    signups = {one.customer_id: one.signup_date for one in clean.customers}
    orders = {one.order_id: one for one in clean.orders}
    lines = {one.order_line_id: one for one in clean.lines}
    assert all(signups[one.customer_id] <= one.ordered_at.date() for one in clean.orders)
    for one in clean.returns:
        order = orders[lines[one.order_line_id].order_id]
        assert order.status == "completed"
        assert order.ordered_at.date() < one.return_date


def test_the_best_fifth_of_customers_buys_about_half_or_more(clean):
    counts = sorted(Counter(one.customer_id for one in clean.orders).values(), reverse=True)
    assert sum(counts[: len(clean.customers) // 5]) > 0.5 * len(clean.orders)


def test_the_shop_grows_and_sells_most_at_the_end_of_the_year(demo):
    years, months = demo.truth.revenue_by_year, demo.truth.revenue_by_month
    assert years[2023] < years[2024] < years[2025]
    assert months["2025-11"] > 1.5 * float(months["2025-08"])


def test_orders_are_doubled_late_and_misspelt(demo):
    rows = _csv(demo.folder / "orders.csv")
    assert len(rows) > len({row["order_id"] for row in rows}) == demo.truth.rows["orders"]
    assert {row["channel"] for row in rows} >= {"Web", "web", "WEB", "website"}
    assert any(earlier["ordered_at"] > later["ordered_at"] for earlier, later in pairwise(rows))
    assert rows[-1]["ordered_at"] > "2025-01-01" > rows[-400]["ordered_at"]


def test_lines_miss_amounts_and_discounts_but_never_what_they_follow_from(demo):
    rows = _csv(demo.folder / "order_lines.csv")
    assert any(not row["amount"] for row in rows)
    assert any(not row["discount"] for row in rows)
    assert all(row["quantity"] and row["unit_price"] for row in rows)


def test_the_crm_declares_keys_and_holds_gaps_and_spellings(demo):
    with closing(sqlite3.connect(demo.folder / "crm.sqlite")) as crm:
        keys = [row[1] for row in crm.execute("pragma table_info(customers)") if row[5]]
        countries = {row[0] for row in crm.execute("select distinct country from customers")}
        gaps = crm.execute("select count(*) from customers where city is null or email is null").fetchone()
    assert keys == ["customer_id"]
    assert {"Germany", "germany ", "DE"} <= countries
    assert gaps[0] > 0


def test_the_showcase_answers_come_from_the_truth(demo):
    answers = [one.answer(demo.truth) for one in SHOWCASE]
    assert answers[0] == [(demo.truth.revenue_by_year[2025],)]
    assert [len(rows) for rows in answers] == [1, 5, 1]
