"""An answer to `how much`, `how old` holds an amount: no count of rows, name, sum of years or keys, yes and no."""

import pytest

from pluto_duck_text2sql import Catalog, Column, Table
from pluto_duck_text2sql.corrections.amounts import lacks_amount, lacks_time
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.tree import Agg, Col, Days, Query, Rows

RIDE = ("main", "ride")
NAME, SPEED, YEAR, LENGTH, RIDE_ID = (Col(RIDE, name) for name in ("name", "speed", "year", "length", "ride_id"))
COUNT = Agg("count", Rows(RIDE))
INSURED, OPEN_FOR = Col(RIDE, "is_insured"), Days(Col(RIDE, "opened_on"), Col(RIDE, "closed_on"))


@pytest.fixture
def catalog():
    columns = (
        Column("ride_id", "INTEGER"),
        Column("name", "VARCHAR"),
        Column("speed", "VARCHAR"),
        Column("length", "DOUBLE", minimum=200.0, maximum=3236.0),
        Column("year", "INTEGER", minimum=1990, maximum=2014),
        Column("is_insured", "BOOLEAN"),
        Column("opened_on", "DATE"),
        Column("closed_on", "DATE"),
    )
    return Catalog((Table("ride", "main", columns, ("ride_id",), row_count=6),))


@pytest.mark.parametrize(
    ("question", "select", "rows", "said"),
    [
        ("How long and how fast is it?", (LENGTH,), [(3236.0,)], ""),
        ("How fast is the Bullet?", (SPEED,), [("51 mph",)], ""),
        ("How fast is the Bullet?", (NAME,), [("Bullet",)], "how fast"),
        ("How fast is the Bullet?", (Rows(RIDE),), [(1, "Bullet", "51", 3236.0, 2007)], "how fast"),
        ("How much does each ride cost?", (NAME, COUNT), [("Bullet", 1)], "how much"),
        ("How much does each ride cost? Name and number of rides.", (NAME, COUNT), [("Bullet", 1)], ""),
        ("How much did the rides cost?", (Agg("sum", YEAR),), [(12042,)], "how much"),
        ("How much did the rides cost?", (Agg("avg", RIDE_ID),), [(3.5,)], "how much"),
        ("How far is it in all?", (Agg("sum", LENGTH),), [(9000.0,)], ""),
        ("How long are the rides insured?", (Agg("avg", INSURED),), [(0.5,)], "how long"),
        ("How much do we pay the riders?", (Agg("sum", OPEN_FOR),), [(900,)], "how much"),
        ("How much time did the rides take?", (Agg("sum", OPEN_FOR),), [(900,)], ""),
        ("How old is the Bullet?", (YEAR,), [(2007,)], ""),
        ("How many rides are there?", (COUNT,), [(6,)], ""),
    ],
)
def test_what_holds_no_amount_is_known(question, select, rows, said, catalog):
    assert lacks_amount(question, Query(RIDE, select), rows, catalog, JoinGraph(catalog)) == said


@pytest.mark.parametrize(
    ("question", "select", "rows", "lacks"),
    [
        ("When was the Bullet built?", (YEAR,), [(2007,)], False),
        ("When was the Bullet built?", (LENGTH,), [(3236.0,)], True),
        ("When was the Bullet built?", (NAME,), [("Bullet",)], True),
        ("When was the Bullet built?", (NAME,), [("May 3, 2007",)], False),
        ("When was the first one built?", (Agg("min", YEAR),), [(1990,)], False),
        ("When was the first one built?", (COUNT,), [(6,)], True),
        ("Which ride is it?", (NAME,), [("Bullet",)], False),
    ],
)
def test_what_holds_no_time_is_known(question, select, rows, lacks, catalog):
    assert lacks_time(question, Query(RIDE, select), rows, catalog) is lacks
