"""A stored value that a question says is put into a tree that leaves it out, also one of what the rows point at."""

import datetime as dt

import duckdb
import pytest
from tests.text2sql.catalogs import catalog_of

from pluto_duck_text2sql.corrections.said_values import with_said_values
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.words import tokenise
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.tree import Agg, Col, Compare, Query, Rows

TABLES = """
CREATE TABLE cat (cat_cd VARCHAR PRIMARY KEY, cat_nm VARCHAR);
INSERT INTO cat VALUES ('L', 'Lenses'), ('T', 'Tripods');
CREATE TABLE stop (stop_id INTEGER PRIMARY KEY, stop_nm VARCHAR);
INSERT INTO stop VALUES (1, 'Quayside'), (2, 'Oldgate');
CREATE TABLE gear (
    gear_id INTEGER PRIMARY KEY, cat_cd VARCHAR REFERENCES cat (cat_cd), shelf VARCHAR,
    from_id INTEGER REFERENCES stop (stop_id), to_id INTEGER REFERENCES stop (stop_id)
);
INSERT INTO gear SELECT n, ['L', 'T'][n % 2 + 1], ['Upper', 'Lower'][n % 2 + 1], n % 2 + 1, n % 2 + 1
FROM range(1, 9) t(n);
"""
GEAR = ("main", "gear")
COUNTED = Query(GEAR, (Agg("count", Rows(GEAR)),))


@pytest.fixture(scope="module")
def added():
    """`added(question)`: the conditions that counting all rows lacks."""
    with duckdb.connect() as connection:
        connection.execute(TABLES)
        catalog = catalog_of(connection)
        joins = JoinGraph(catalog)
        reader = Reader(catalog, joins, NameIndex(catalog), dt.date(2026, 1, 1))

        def _added(question):
            whole = with_said_values(COUNTED, reader.named(question), tokenise(question), joins)
            return whole.where if whole else ()

        yield _added


@pytest.mark.parametrize(
    ("question", "table", "column", "value"),
    [
        ("How many pieces of Upper gear?", "gear", "shelf", "Upper"),
        ("How many Tripods of all gear?", "cat", "cat_nm", "Tripods"),
    ],
)
def test_what_rows_are_of_is_a_value_of_theirs_or_of_what_they_point_at(question, table, column, value, added):
    assert added(question) == (Compare(Col(("main", table), column), "=", value),)


def test_of_two_keys_to_one_table_neither_is_meant_for_sure(added):
    assert added("How much gear of Oldgate?") == ()
