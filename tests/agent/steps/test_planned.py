"""Questions that the embedded analyst plans by rule; the figures are held against numpy's and polars' own."""

import datetime as dt
import random

import numpy as np
import polars as pl
import pytest
from tests.models.conftest import final

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings

COUNTRIES = ("Germany", "France", "Brazil", "Japan")


def _orders():
    """600 orders of two months; the web takes more, and the second month loses Brazil."""
    chance = random.Random(7)
    for n in range(600):
        country = COUNTRIES[n % 4]
        day = dt.date(2024, 1 + (n % 3 == 0 and country != "Brazil"), 1 + n % 28)
        channel = "web" if n % 5 < 2 else "phone"
        quantity = chance.randint(1, 9)
        price = 20 + 3 * quantity + (8 if channel == "web" else 0) + chance.randint(-6, 6) + (500 if n == 11 else 0)
        yield {"order_id": n, "order_date": day, "country": country, "channel": channel, "quantity": quantity,
               "price": float(price)}  # fmt: skip


ORDERS = pl.DataFrame(list(_orders()))


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """`asked(question)`: the final object of the embedded analyst."""
    folder = tmp_path_factory.mktemp("planned")
    ORDERS.write_parquet(folder / "orders.parquet")
    workspace = Workspace.open(load_settings(folder / "root"), wait_s=0)
    with workspace.warehouse.write() as session:
        session.execute("CREATE TABLE orders (order_id INTEGER PRIMARY KEY, order_date DATE, country VARCHAR,"
                        " channel VARCHAR, quantity INTEGER, price DOUBLE)")  # fmt: skip
        session.execute(f"INSERT INTO orders SELECT * FROM '{folder}/orders.parquet'")

    def _asked(question, **options):
        return final(list(workspace.runs.log(workspace.runs.start(question, **options).run_id).follow()))

    yield _asked
    workspace.close()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Is there a correlation between price and quantity?", ORDERS),
        ("How strongly are price and quantity related?", ORDERS),
        ("Does price correlate with quantity in Germany?", ORDERS.filter(country="Germany")),
    ],
)
def test_a_correlation(asked, question, rows):
    answer = asked(question)
    r, low, high, slope, pairs = answer["rows"][0]
    expected = np.corrcoef(rows["price"], rows["quantity"])[0, 1]
    assert r == pytest.approx(expected)
    assert (low, high) == pytest.approx(
        np.tanh(np.arctanh(expected) + np.array([-1, 1]) * 1.959964 / (pairs - 3) ** 0.5)
    )
    assert pairs == rows.height
    assert slope == pytest.approx(np.polyfit(rows["price"], rows["quantity"], 1)[0])
    assert [each["name"] for each in answer["steps"]] == ["pairs"]
    assert f"step pairs: price and quantity of each row (query, {rows.height} rows)" in answer["reading"]


@pytest.mark.parametrize(
    ("question", "groups", "is_significant"),
    [
        ("Is the difference in average price between web and phone significant?", ("web", "phone"), True),
        ("Is the average price significantly higher for web than for phone?", ("web", "phone"), True),
        ("Is there a significant difference in quantity between Germany and France?", ("Germany", "France"), False),
    ],
)
def test_a_difference_of_means(asked, question, groups, is_significant):
    answer = asked(question)
    found = dict(zip([column["name"] for column in answer["columns"]], answer["rows"][0], strict=True))
    column, what = ("channel", "price") if "web" in groups else ("country", "quantity")
    one, other = (ORDERS.filter(pl.col(column) == group)[what].to_numpy() for group in sorted(groups))
    difference = one.mean() - other.mean()
    margin = 1.959964 * (one.var(ddof=1) / one.size + other.var(ddof=1) / other.size) ** 0.5
    assert [found[name] for name in ("difference", "low_95", "high_95")] == pytest.approx(
        [difference, difference - margin, difference + margin]
    )
    assert found["is_significant"] == (abs(difference) > margin) == is_significant
    assert (found["first"], found["second"]) == tuple(sorted(groups))


def test_what_explains_a_change(asked):
    answer = asked("What explains the drop in quantity in February 2024?")
    months = ORDERS.with_columns(month=pl.col("order_date").dt.month())
    total = [months.filter(month=month)["quantity"].sum() for month in (1, 2)]
    found = {(row[0], row[1]): row[2:] for row in answer["rows"]}
    assert set(found) == {
        *(("orders.country", name) for name in COUNTRIES),
        *(("orders.channel", name) for name in ("web", "phone")),
    }
    for (dimension, value), (before, after, change, share) in found.items():
        rows = months.filter(pl.col(dimension.partition(".")[2]) == value)
        assert [before, after] == [rows.filter(month=month)["quantity"].sum() for month in (1, 2)]
        assert (change, share) == (after - before, pytest.approx((after - before) / (total[1] - total[0])))
    changes = [abs(row[4]) for row in answer["rows"]]
    assert changes == sorted(changes, reverse=True)
    assert [each["name"] for each in answer["steps"]] == ["total", "by_orders_channel", "by_orders_country"]
    assert "This shows where the change is, not why it came." in answer["caveats"]
    assert "Compared with 2024-01-01 to 2024-01-31." in answer["caveats"]


def test_what_follows_a_plan_is_a_question_of_its_own(asked):
    asked("Is there a correlation between price and quantity?", conversation_id="here")
    then, alone = asked("only in Germany", conversation_id="here"), asked("only in Germany", conversation_id="there")
    assert (then["status"], then["sql"], then["answer"]) == (alone["status"], alone["sql"], alone["answer"])


def test_a_change_that_went_the_other_way_is_said_to(asked):
    answer = asked("What explains the growth in quantity in February 2024?")
    assert any(each.startswith("There was no growth: ") for each in answer["caveats"])


def test_outliers(asked):
    answer = asked("Show me the outliers in price")
    q1, q3 = np.quantile(ORDERS["price"], [0.25, 0.75])
    beyond = ORDERS.filter((pl.col("price") < q1 - 1.5 * (q3 - q1)) | (pl.col("price") > q3 + 1.5 * (q3 - q1)))
    assert {row[0] for row in answer["rows"]} == set(beyond["order_id"])
    assert answer["rows"][0][0] == 11
    assert answer["rows"][0][2:] == pytest.approx([q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)])


@pytest.mark.parametrize(
    "question",
    [
        "Why did the quantity drop in February 2024?",
        "Forecast the quantity of next month",
        "Is there a correlation between price and weather?",
    ],
)
def test_what_no_plan_answers_is_refused(asked, question):
    assert asked(question)["status"] == "cannot_answer"
