"""Figures that would mean nothing are put right by what the columns hold: amounts taken off, spans turned round."""

import duckdb
import pytest
from tests.text2sql.catalogs import catalog_of

from pluto_duck_text2sql.corrections.sound import sound
from pluto_duck_text2sql.tree import Agg, Col, Days, Product, Query

LINE = ("main", "line")
TABLES = """
CREATE TABLE line (line_id INTEGER PRIMARY KEY, price INTEGER, pieces INTEGER, discount DECIMAL(4, 2),
    discount_amount INTEGER, returned INTEGER, asked_on DATE, came_on DATE);
INSERT INTO line VALUES (1, 10, 2, 0.1, 3, 4, '2024-01-01', '2024-01-05'), (2, 8, 3, 0.25, 2, 2, '2024-02-01',
    '2024-02-03');
"""


@pytest.fixture(scope="module")
def catalog():
    with duckdb.connect() as connection:
        connection.execute(TABLES)
        return catalog_of(connection)


def product(discount, off=None):
    of = Product(Col(LINE, "price"), Col(LINE, "pieces"), discount and Col(LINE, discount), off and Col(LINE, off))
    return Query(LINE, (Agg("sum", of),))


@pytest.mark.parametrize(
    ("asked", "made"),
    [
        (("discount", None), ("discount", None)),
        (("discount_amount", None), (None, "discount_amount")),
        (("returned", None), (None, None)),
        (("asked_on", None), (None, None)),
    ],
)
def test_only_a_fraction_is_a_part_of_the_price(asked, made, catalog):
    assert sound(product(*asked), catalog) == product(*made)


@pytest.mark.parametrize("dates", [("asked_on", "came_on"), ("came_on", "asked_on")])
def test_time_runs_from_the_date_that_is_earlier_throughout(dates, catalog):
    start, end = (Col(LINE, each) for each in dates)
    right = Query(LINE, (Agg("avg", Days(Col(LINE, "asked_on"), Col(LINE, "came_on"))),))
    assert sound(Query(LINE, (Agg("avg", Days(start, end)),)), catalog) == right
