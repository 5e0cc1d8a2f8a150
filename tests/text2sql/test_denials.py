"""A stored value that is named only to deny it is denied."""

import duckdb
import pytest
from tests.text2sql.catalogs import catalog_of

from pluto_duck_text2sql.corrections.denials import affirmed, turned
from pluto_duck_text2sql.tree import Col, Compare, Query

STATE = Col(("main", "rental"), "state")
CANCELLED = Compare(STATE, "=", "cancelled")


@pytest.mark.parametrize(
    "question",
    [
        "rentals by branch. Ignore cancelled rentals.",
        "rentals by branch, ignoring the cancelled ones",
        "rentals by branch, skipping any cancelled ones",
        "rentals by branch; leave out cancelled ones",
        "rentals by branch, excluding cancelled ones",
        "rentals that were not cancelled",
        "rentals that weren't already cancelled",
    ],
)
def test_it_is_denied(question):
    assert turned(CANCELLED, question) == Compare(STATE, "!=", "cancelled")


@pytest.mark.parametrize(
    "question",
    [
        "cancelled rentals by branch",
        "cancelled rentals by branch, ignoring returned ones",
        "cancelled rentals. Ignore those cancelled by us.",
        "leave the cancelled rentals to the last",
        "do not ignore cancelled rentals",
        "don't leave out cancelled rentals",
        "never skip cancelled rentals",
        "rentals by branch, not ignoring cancelled ones",
        "customers who skip cancelled rentals",
    ],
)
def test_it_holds(question):
    assert turned(CANCELLED, question) == CANCELLED


@pytest.mark.parametrize(("question", "flag"), [("electric bikes", 1), ("bikes whose electric is 0", 0)])
def test_a_flag_that_is_named_is_set_unless_nought_is_said(question, flag):
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE bikes (id INTEGER PRIMARY KEY, model VARCHAR, is_electric INTEGER)")
        connection.execute("INSERT INTO bikes SELECT n, 'M' || n, n % 2 FROM range(9) t(n)")
        catalog = catalog_of(connection)
    bikes, electric = ("main", "bikes"), Col(("main", "bikes"), "is_electric")
    of_none = Query(bikes, (Col(bikes, "model"),), (Compare(electric, "=", 0),))
    assert affirmed(of_none, question, catalog).where == (Compare(electric, "=", flag),)
