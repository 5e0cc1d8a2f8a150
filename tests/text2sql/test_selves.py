"""Rows that point at rows of their own table; and what the best is where nothing is said to rank by."""

import duckdb
import pytest

from pluto_duck_text2sql import Analyst, Catalog, Column, ForeignKey, Table, ValueIndex

SCHEMA = """
CREATE TABLE staff (staff_id INTEGER, name VARCHAR, salary INTEGER, reports_to INTEGER);
CREATE TABLE buyer (buyer_id INTEGER, name VARCHAR, land VARCHAR);
CREATE TABLE purchase (purchase_id INTEGER, buyer_id INTEGER, amount DOUBLE);
INSERT INTO staff VALUES (1, 'Ann', 9, NULL), (2, 'Bob', 7, 1), (3, 'Cid', 5, 1), (4, 'Dora', 3, 2);
INSERT INTO buyer VALUES (1, 'Eve', 'Peru'), (2, 'Finn', 'Chad'), (3, 'Gus', 'Peru');
INSERT INTO purchase VALUES (1, 1, 10), (2, 2, 30), (3, 1, 15), (4, 3, 2);
"""
_ALL_BELOW = [("Bob", "Ann"), ("Cid", "Ann"), ("Dora", "Bob")]
CASES = [
    ("Who reports to Ann?", [("Bob",), ("Cid",)]),
    ("Which staff work under Bob?", [("Dora",)]),
    ("How many people report to Ann?", [(2,)]),
    ("how many staff report to Ann", [(2,)]),
    ("Who is the manager of Dora?", [("Bob",)]),
    ("Who is Cid's boss?", [("Ann",)]),
    ("Who does Dora report to?", [("Bob",)]),
    ("Which staff have no manager?", [("Ann",)]),
    ("staff who report to nobody", [("Ann",)]),
    ("Which staff have no one reporting to them?", [("Cid",), ("Dora",)]),
    ("staff without subordinates", [("Cid",), ("Dora",)]),
    ("Which staff earn less than their manager?", [("Bob",), ("Cid",), ("Dora",)]),
    ("Who has a lower salary than their boss?", [("Bob",), ("Cid",), ("Dora",)]),
    ("staff with a salary above 4 and the name of their manager", [("Ann", None), ("Bob", "Ann"), ("Cid", "Ann")]),
    ("List the staff who earn less than 6 along with their boss", [("Cid", "Ann"), ("Dora", "Bob")]),
    ("for every staff member with a salary below 8, show the name and the staff member's manager", _ALL_BELOW),
    ("best buyer", [("Finn",)]),
    ("Who is our worst buyer?", [("Gus",)]),
    ("top 2 buyers", [("Eve", 25.0), ("Finn", 30.0)]),
    ("the biggest buyer in Peru", [("Eve",)]),
    ("who is the most popular buyer", [("Eve",)]),
]


def _numbers(*names):
    return tuple(Column(name, "INTEGER") for name in names)


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect() as opened:
        opened.execute(SCHEMA)
        yield opened


@pytest.fixture(scope="module")
def analyst():
    name = Column("name", "VARCHAR", n_distinct=4)
    up = ForeignKey(("reports_to",), "main", "staff", ("staff_id",))
    above = Column("reports_to", "INTEGER", null_fraction=0.25)
    staff = Table("staff", "main", (*_numbers("staff_id", "salary"), above, name), ("staff_id",), (up,), row_count=4)
    land = Column("land", "VARCHAR", n_distinct=2)
    buyer = Table("buyer", "main", (*_numbers("buyer_id"), name, land), ("buyer_id",), row_count=3)
    theirs = ForeignKey(("buyer_id",), "main", "buyer", ("buyer_id",))
    columns = (*_numbers("purchase_id", "buyer_id"), Column("amount", "DOUBLE"))
    purchase = Table("purchase", "main", columns, ("purchase_id",), (theirs,), row_count=4)
    names = [("main", "staff", "name", each) for each in ("Ann", "Bob", "Cid", "Dora")]
    lands = [("main", "buyer", "land", each) for each in ("Peru", "Chad")]
    return Analyst(Catalog((staff, buyer, purchase), ValueIndex.build([*names, *lands])))


@pytest.mark.parametrize(("question", "rows"), CASES)
def test_the_row_above_the_rows_below_and_the_best(question, rows, analyst, connection):
    found = analyst.ask(question, run=lambda sql: connection.execute(sql).fetchall())
    assert found.candidates, found.message
    assert sorted(connection.execute(found.candidates[0].sql).fetchall()) == rows


def test_what_the_best_are_ranked_by_is_told(analyst, connection):
    found = analyst.ask("our top buyers", run=lambda sql: connection.execute(sql).fetchall())
    assert "buyer are ranked by sum of purchase.amount." in found.candidates[0].assumptions


def test_the_row_above_is_told_by_the_key_that_points_at_it(analyst, connection):
    question = "staff with a salary above 4 and the name of their manager"
    found = analyst.ask(question, run=lambda sql: connection.execute(sql).fetchall())
    assert found.candidates[0].title == "Name, name of reports_to of staff"
