"""A query that looks for what is not there is no answer: what is missing is said, with what there is."""

import datetime as dt
from decimal import Decimal

import duckdb
import pytest

from pluto_duck_text2sql import Catalog, Column, Table, ValueIndex
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.tree import Agg, Col, Compare, During, Inside, Query, Rows
from pluto_duck_text2sql.trees.unstored import missing

SALES = ("main", "sales")
PLACE, DAY = Col(SALES, "place"), Col(SALES, "day")
COUNT = (Agg("count", Rows(SALES)),)


@pytest.fixture
def run():
    with duckdb.connect() as opened:
        opened.execute("CREATE TABLE sales AS SELECT * FROM (VALUES ('Hamburg', DATE '2024-01-05')) AS t (place, day)")
        opened.execute("INSERT INTO sales VALUES ('Ulm', '2024-12-30'), ('Not indexed', '2024-03-01')")
        yield lambda sql: opened.execute(sql).fetchall()


@pytest.fixture
def catalog():
    day = Column("day", "DATE", minimum=dt.date(2024, 1, 5), maximum=dt.date(2024, 12, 30))
    place = Column("place", "VARCHAR", n_distinct=3)
    values = ValueIndex.build([("main", "sales", "place", "Hamburg"), ("main", "sales", "place", "Ulm")])
    return Catalog((Table("sales", "main", (place, day), row_count=3),), values)


def said(query, catalog, run):
    return missing(query, catalog, JoinGraph(catalog), run)


@pytest.mark.parametrize("text", ["Hamburg", "Not indexed"])
def test_a_stored_text_is_not_missing(text, catalog, run):
    assert said(Query(SALES, COUNT, (Compare(PLACE, "=", text),)), catalog, run) is None


def test_a_text_that_is_not_stored_is_named_with_what_there_is(catalog, run):
    message = said(Query(SALES, COUNT, (Compare(PLACE, "=", "Paris"),)), catalog, run)
    assert message == "sales.place holds no 'Paris'. It holds Hamburg, Not indexed, Ulm."


def test_a_misspelt_text_is_told_with_the_nearest(catalog, run):
    assert "Closest: Hamburg." in said(Query(SALES, COUNT, (Compare(PLACE, "=", "Hambrug"),)), catalog, run)


def test_a_text_within_a_nested_query_counts_too(catalog, run):
    nested = Query(SALES, (PLACE,), (Compare(PLACE, "like", "%aris%"),))
    assert "'aris'" in said(Query(SALES, COUNT, (Inside(PLACE, nested),)), catalog, run)


@pytest.mark.parametrize(
    ("start", "end", "is_there"),
    [("2024-12-01", "2025-01-01", True), ("2025-01-01", "2026-01-01", False), ("2023-01-01", "2024-01-05", False)],
)
def test_a_period_outside_of_the_data_is_said_with_its_first_and_last_day(start, end, is_there, catalog, run):
    period = During(DAY, dt.date.fromisoformat(start), dt.date.fromisoformat(end))
    message = said(Query(SALES, COUNT, (period,)), catalog, run)
    assert message is None if is_there else "2024-01-05 to 2024-12-30" in message


@pytest.mark.parametrize(
    ("year", "bounds", "is_there"),
    [
        (2010, (2009, 2011), True),
        (2005, (2009, 2011), False),
        (2005, (Decimal(2009), Decimal(2011)), False),
        (2005, (None, None), True),
    ],
)
def test_a_year_before_or_after_all_years_is_said_with_the_first_and_last(year, bounds, is_there):
    columns = (Column("made_year", "INTEGER", minimum=bounds[0], maximum=bounds[1]), Column("size", "INTEGER"))
    catalog = Catalog((Table("car", "main", columns, row_count=3),), ValueIndex.build([]))
    query = Query(
        ("main", "car"),
        (Agg("count", Rows(("main", "car"))),),
        (Compare(Col(("main", "car"), "made_year"), "=", year),),
    )
    message = said(query, catalog, lambda sql: [])
    assert message is None if is_there else "goes from 2009 to 2011; 2005" in message


def test_other_numbers_may_lie_outside():
    columns = (Column("size", "INTEGER", minimum=1, maximum=3),)
    catalog = Catalog((Table("car", "main", columns, row_count=3),), ValueIndex.build([]))
    query = Query(("main", "car"), (Rows(("main", "car")),), (Compare(Col(("main", "car"), "size"), "=", 9),))
    assert said(query, catalog, lambda sql: []) is None
