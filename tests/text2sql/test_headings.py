"""Where things go and where they come from: a place is looked for in the column of the way that is said of it."""

import duckdb
import pytest
from tests.text2sql.catalogs import catalog_of

from pluto_duck_text2sql.corrections.headings import headed
from pluto_duck_text2sql.tree import Among, Col, Compare, Every, Query, Rows

LETTERS = """
CREATE TABLE parcels (id INTEGER PRIMARY KEY, from_city VARCHAR, to_city VARCHAR, sender VARCHAR, city VARCHAR);
"""
PARCELS = ("main", "parcels")


def col(name):
    return Col(PARCELS, name)


@pytest.fixture(scope="module")
def catalog():
    with duckdb.connect() as connection:
        connection.execute(LETTERS)
        return catalog_of(connection)


@pytest.mark.parametrize(
    ("question", "written", "meant"),
    [
        ("parcels to Bonn", Compare(col("from_city"), "=", "Bonn"), Compare(col("to_city"), "=", "Bonn")),
        ("which left Bonn, leaving Bonn", Compare(col("to_city"), "=", "Bonn"), Compare(col("from_city"), "=", "Bonn")),
        ("parcels to Bonn", Compare(col("to_city"), "=", "Bonn"), None),
        ("parcels to Bonn and from Bonn", Compare(col("from_city"), "=", "Bonn"), None),
        ("parcels in Bonn", Compare(col("from_city"), "=", "Bonn"), None),
        ("parcels to Bonn", Compare(col("city"), "=", "Bonn"), None),
        ("parcels to Ann", Compare(col("sender"), "=", "Ann"), None),
        (
            "from Bonn to Rome",
            Among(col("to_city"), ("Bonn", "Rome")),
            Every((Compare(col("from_city"), "=", "Bonn"), Compare(col("to_city"), "=", "Rome"))),
        ),
        ("to Bonn or to Rome", Among(col("to_city"), ("Bonn", "Rome")), None),
        ("neither from Bonn nor to Rome", Among(col("to_city"), ("Bonn", "Rome"), negated=True), None),
    ],
)
def test_a_place_goes_into_the_column_of_the_way_said_of_it(catalog, question, written, meant):
    query = Query(PARCELS, (Rows(PARCELS),), (written,))
    assert headed(query, question, catalog).where == (meant or written,)
