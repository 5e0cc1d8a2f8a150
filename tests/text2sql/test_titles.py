"""Each column of an answer has a name of its own that tells how it differs; titles and readings say the same."""

import datetime as dt

import duckdb
import pytest
from tests.text2sql.catalogs import catalog_of

from pluto_duck_text2sql import Analyst
from pluto_duck_text2sql.tree import Agg, Among, Col, Compare, During, Missing, Query, Ratio, Related, Rows, Share
from pluto_duck_text2sql.trees.column_names import names_of
from pluto_duck_text2sql.trees.titles import title

SALES, BUYERS = ("main", "sales"), ("main", "buyers")
TOTAL, COUNTRY, CODE = Col(SALES, "total"), Col(SALES, "country"), Col(SALES, "code")
DAY = Col(SALES, "sold_on")
ASKED = {
    "revenue in 2024 versus 2025": ["sum_total_2024", "sum_total_2025"],
    "revenue in 2025 versus 2024 by country": ["country", "sum_total_2025", "sum_total_2024"],
}


@pytest.fixture(scope="module")
def shop():
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE sales AS SELECT range AS id, ['France', 'Germany', 'Italy'][1 + range % 3] AS country, "
        "DATE '2024-01-01' + (range * 7)::INT AS sold_on, (range % 50) * 1.5 AS total FROM range(100)"
    )
    yield connection, Analyst(catalog_of(connection))
    connection.close()


@pytest.mark.parametrize(("question", "columns"), ASKED.items())
def test_an_answers_columns_say_what_tells_them_apart(shop, question, columns):
    connection, analyst = shop
    best = analyst.ask(question, run=lambda sql: connection.execute(sql).fetchall()).candidates[0]
    assert [each[0] for each in connection.execute(best.sql).description] == columns
    assert "(some)" not in best.title
    assert [line for line in best.reading if line.startswith("→")] == []


def _sum(*where):
    return Agg("sum", TOTAL, where=where)


MARCH = During(DAY, dt.date(2025, 3, 1), dt.date(2025, 4, 1))
SPRING = During(DAY, dt.date(2025, 4, 1), dt.date(2025, 7, 1))
OVER, AT_MOST = Compare(Col(SALES, "due"), ">", 5), Compare(Col(SALES, "due"), "<=", 5)
WITH, WITHOUT = Related(BUYERS), Related(BUYERS, negated=True)
FRANCE = Compare(COUNTRY, "=", "France")


@pytest.mark.parametrize(
    ("columns", "names"),
    [
        ((_sum(MARCH), _sum(SPRING)), ["sum_total_2025_03", "sum_total_2025_q2"]),
        ((_sum(), _sum(FRANCE)), ["sum_total", "sum_total_france"]),
        ((_sum(FRANCE, MARCH), _sum(FRANCE, SPRING)), ["sum_total_2025_03", "sum_total_2025_q2"]),
        ((_sum(Missing(CODE)), _sum(Missing(CODE, negated=True))), ["sum_total_without_code", "sum_total_with_code"]),
        ((_sum(OVER), _sum(AT_MOST)), ["sum_total_due_over_5", "sum_total_due_at_most_5"]),
        ((_sum(Among(COUNTRY, ("France", "Italy"))), _sum(FRANCE)), ["sum_total_france_or_italy", "sum_total_france"]),
        ((_sum(WITH), _sum(WITHOUT)), ["sum_total_with_buyers", "sum_total_without_buyers"]),
        ((Col(SALES, "name"), Col(BUYERS, "Name")), ["sales_name", "buyers_Name"]),
        ((Agg("sum", TOTAL), Agg("sum", Col(BUYERS, "total"))), ["sales_sum_total", "buyers_sum_total"]),
        ((Share(_sum()), Share(Agg("count", Rows(SALES)))), ["share_of_sum_total", "share_of_sales_count"]),
        ((Ratio(_sum(), Rows(SALES)), _sum()), ["ratio", "sum_total"]),
        ((COUNTRY, _sum(), _sum()), ["", "sum_total"]),
    ],
)  # fmt: skip
def test_columns_of_one_measure_are_told_apart(columns, names):
    assert list(names_of(columns).values()) == names


def test_a_title_says_what_goes_into_each_value():
    query = Query(SALES, (COUNTRY, _sum(MARCH), _sum(Compare(TOTAL, ">", 5), FRANCE)), group=(COUNTRY,))
    assert title(query) == "Sum of total (2025-03), sum of total (total over 5, France) by country"


def test_a_title_names_the_table_whose_columns_are_listed():
    assert title(Query(anchor=SALES, select=(COUNTRY,))) == "Country of sales"
    assert title(Query(anchor=SALES, select=(Col(BUYERS, "name"),))) == "Name of buyers"
