"""Metrics that others define: a question that names one is answered by its definition, and is told so."""

import datetime as dt

import duckdb
import pytest

from pluto_duck_text2sql import Analyst, Catalog, Column, ForeignKey, Table
from pluto_duck_text2sql.language.glossary import Item
from pluto_duck_text2sql.language.words import tokenise

ORDER = (Column("order_id", "INTEGER"), Column("placed_on", "DATE"), Column("state", "VARCHAR"))
REVENUE = Column("revenue", "DOUBLE")
LINE = (Column("line_id", "INTEGER"), Column("order_id", "INTEGER"), Column("product", "VARCHAR"), REVENUE)
OF_LINES = (ForeignKey(("order_id",), "main", "orders", ("order_id",)),)


def _metric(name, meaning):
    return Item((name.replace("_", " "),), meaning, "dbt: shop", f"the metric {name}")


CATALOG = Catalog(
    (
        Table("orders", "main", (*ORDER, REVENUE), ("order_id",), row_count=9),
        Table("lines", "main", LINE, ("line_id",), OF_LINES, row_count=20),
    ),
    glossary=(
        _metric("revenue", "sum(main.orders.revenue)"),
        _metric("orders", "count(main.orders)"),
        _metric("order_size", "(sum(main.orders.revenue)) / (count(main.orders))"),
        _metric("lines_per_order", "(count(main.lines)) / (count(main.orders))"),
        _metric("lost_orders", "count(main.orders) FILTER (WHERE main.orders.state = 'lost')"),
    ),
)


ROWS = """
CREATE TABLE orders AS
SELECT i AS order_id, CASE WHEN i < 3 THEN 'lost' END AS state, 10.0 * i AS revenue FROM range(9) AS t(i);
CREATE TABLE lines AS SELECT i AS line_id, i % 5 AS order_id, 2.0 AS revenue FROM range(20) AS t(i);
"""


@pytest.fixture(scope="module")
def analyst():
    return Analyst(CATALOG, today=dt.date(2026, 1, 1))


@pytest.mark.parametrize(
    ("question", "part", "metric"),
    [
        ("order size by month", "SUM(revenue)", "order_size"),
        ("lost orders by month", "COUNT(*) FILTER(WHERE", "lost_orders"),
        ("How many orders are there?", "COUNT(*)", "orders"),
        ("What is the total revenue?", "FROM orders", "revenue"),
    ],
)
def test_a_metric_is_computed_by_its_definition_and_named(analyst, question, part, metric):
    best = analyst.ask(question).candidates[0]
    assert part in best.sql
    assert any(f"the metric {metric} (dbt: shop)" in line for line in best.reading), best.reading


@pytest.mark.parametrize(("said", "value"), [("order size", 40.0), ("lost orders", 3), ("lines per order", 20 / 9)])
def test_a_metrics_definition_is_a_query_that_duckdb_runs(analyst, said, value):
    term = next(each for each in analyst.terms.all if each.said == said)
    with duckdb.connect() as connection:
        connection.execute(ROWS)
        assert connection.execute(analyst.terms.definition(term)).fetchall() == [(value,)]


@pytest.mark.parametrize(
    "question", ["median revenue per order", "What is the average revenue of orders?", "highest revenue of an order"]
)
def test_a_metric_that_counts_rows_is_none_where_these_rows_are_meant(analyst, question):
    assert not any("the metric orders" in line for line in analyst.ask(question).candidates[0].reading)
    assert not analyst.terms.find(tokenise("median revenue per lost order"))
    assert [each.text for each in analyst.terms.find(tokenise("number of lost orders"))] == ["lost orders"]


def test_where_a_definition_cannot_be_cut_so_the_finer_table_is_read_and_no_metric_named(analyst):
    best = analyst.ask("revenue by product").candidates[0]
    assert "FROM lines" in best.sql
    assert not any("the metric" in line for line in best.reading)


def test_a_metric_of_a_table_that_is_left_out_is_computed_from_the_one_that_is_read():
    kept = Table("orders", "marts", (*ORDER, REVENUE), ("order_id",), row_count=9, preference=2)
    catalog = Catalog((*CATALOG.tables[:1], kept), glossary=CATALOG.glossary[2:3])
    assert "FROM marts.orders" in Analyst(catalog).ask("What is the order size?").candidates[0].sql
