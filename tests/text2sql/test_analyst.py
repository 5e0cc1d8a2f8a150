"""The analyst alone: a catalog and a question in, SQL out; run on DuckDB to see that it means what it says."""

import datetime as dt

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pluto_duck_text2sql import Analyst, Catalog, Column, ForeignKey, Table, ValueIndex

TODAY = dt.date(2026, 3, 10)
SCHEMA = """
CREATE TABLE customers (customer_id INTEGER, name VARCHAR, country VARCHAR);
CREATE TABLE orders (order_id INTEGER, customer_id INTEGER, order_date DATE, total DECIMAL(10,2));
INSERT INTO customers VALUES (1, 'Ann', 'Germany'), (2, 'Bob', 'France'), (3, 'Cid', 'Germany');
INSERT INTO orders VALUES (1, 1, '2024-05-01', 10), (2, 1, '2025-11-05', 20), (3, 2, '2025-12-30', 5);
"""
CASES = [
    ("How many customers are there?", [(3,)]),
    ("how many customers from germany", [(2,)]),
    ("customers who never ordered", [("Cid",)]),
    ("total revenue", [(35,)]),
    ("revenue by country", [("France", 5), ("Germany", 30)]),
    ("revenue in 2025", [(25,)]),
    ("revenue this quarter", [(25,)]),
    ("What is the average order total?", [(pytest.approx(35 / 3),)]),
    ("top 1 customers by revenue", [("Ann", 30)]),
    ("Which customer has the most orders?", [("Ann",)]),
    ("customers with at least two orders", [("Ann",)]),
    ("number of orders by year", [(2024, 1), (2025, 2)]),
    ("share of revenue by country", [("France", pytest.approx(5 / 35)), ("Germany", pytest.approx(30 / 35))]),
    ("names of customers in Germny", [("Ann",), ("Cid",)]),
]


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect() as opened:
        opened.execute(SCHEMA)
        yield opened


@pytest.fixture(scope="module")
def analyst():
    customers = Table(
        "customers",
        "main",
        (Column("customer_id", "INTEGER", n_distinct=3), Column("name", "VARCHAR"), Column("country", "VARCHAR")),
        primary_key=("customer_id",),
        row_count=3,
    )
    orders = Table(
        "orders",
        "main",
        (
            Column("order_id", "INTEGER", n_distinct=3),
            Column("customer_id", "INTEGER"),
            Column("order_date", "DATE", minimum=dt.date(2024, 5, 1), maximum=dt.date(2025, 12, 31)),
            Column("total", "DECIMAL(10,2)"),
        ),
        primary_key=("order_id",),
        foreign_keys=(ForeignKey(("customer_id",), "main", "customers", ("customer_id",)),),
        row_count=3,
    )
    values = [("main", "customers", "country", country) for country in ("Germany", "France")]
    return Analyst(Catalog((customers, orders), ValueIndex.build(values)), today=TODAY)


@pytest.mark.parametrize(("question", "rows"), CASES)
def test_a_question_means_its_rows(question, rows, analyst, connection):
    analysis = analyst.ask(question, run=lambda sql: connection.execute(sql).fetchall())
    assert analysis.status == "answered", analysis.message
    assert sorted(connection.execute(analysis.candidates[0].sql).fetchall()) == rows, analysis.candidates[0].sql


def test_the_reading_says_what_became_of_the_words(analyst):
    candidate = analyst.ask("revenue this quarter").candidates[0]
    assert any(line.startswith("revenue → sum of orders.total") for line in candidate.reading)
    assert any("2025-10-01 to 2025-12-31" in line for line in candidate.reading)
    assert candidate.assumptions == ("Relative periods count from 2025-12-31, the data's last day or today.",)
    assert 0 < candidate.confidence <= 1


@pytest.mark.parametrize(
    "question", ["churn by region", "delete all orders", "why did sales drop?", "predict next month", "xyzzy plugh"]
)
def test_what_the_data_cannot_answer_is_said(question, analyst):
    analysis = analyst.ask(question)
    assert (analysis.status, analysis.candidates) == ("cannot_answer", ())
    assert analysis.message


def test_a_follow_up_leans_on_the_question_before(analyst, connection):
    analysis = analyst.ask("and by country?", history=["revenue in 2025"])
    assert sorted(connection.execute(analysis.candidates[0].sql).fetchall()) == [("France", 5), ("Germany", 20)]


def test_an_empty_question_is_refused(analyst):
    with pytest.raises(ValueError, match="empty"):
        analyst.ask("  ")


def test_the_same_question_gives_the_same_answer(analyst):
    assert analyst.ask("revenue by country") == analyst.ask("revenue by country")


WORDS = """which what year month day highest lowest most fewest best average total number of orders customers name
country revenue by per each than more in Germany 2024 not never first last second top 3 growth share running difference
between and or with without how many who when show versus percent median moving at least two both""".split()


@settings(max_examples=400, deadline=None)
@given(words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=9))
def test_no_mix_of_words_breaks_the_rules(words, analyst):
    analyst.link(" ".join(words))


@pytest.mark.parametrize("part", ["{} and {}", "{}"])
def test_a_part_that_is_no_shorter_than_its_whole_ends(part):
    kites = Table("kites", "main", (Column("kite_id", "INTEGER"), Column("colour", "VARCHAR")), ("kite_id",))
    analyst = Analyst(Catalog((kites,)))
    analyst._made = (_Endless(analyst, part),)
    assert analyst.ask("how many kites are there").status == "answered"


class _Endless:
    """Takes every question apart into one that is as long."""

    def __init__(self, analyst, part):
        self._analyst, self._part = analyst, part

    def analysis(self, question, run, plain):
        self._analyst._part(self._part.format(question, question), run)
