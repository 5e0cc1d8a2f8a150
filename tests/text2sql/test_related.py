"""What rows of another table must be there, all of them or none: both, never; and numbers that take several words."""

import duckdb
import pytest

from pluto_duck_text2sql import Analyst, Catalog, Column, ForeignKey, Table, ValueIndex
from pluto_duck_text2sql.language.words import spoken

SCHEMA = """
CREATE TABLE buyer (buyer_id INTEGER, name VARCHAR);
CREATE TABLE purchase (purchase_id INTEGER, buyer_id INTEGER, channel VARCHAR, bought_on DATE, pieces INTEGER);
INSERT INTO buyer VALUES (1, 'Ann'), (2, 'Bob'), (3, 'Cid');
INSERT INTO purchase VALUES (1, 1, 'Phone', '2024-02-01', 30), (2, 1, 'Web', '2025-02-01', 3),
                            (3, 2, 'Web', '2025-03-01', 24), (4, 2, 'Web', '2025-03-05', 13);
"""
CASES = [
    ("Which buyers have used both Phone and Web?", [("Ann",)]),
    ("names of buyers who purchased by Phone as well as by Web", [("Ann",)]),
    ("buyers who never purchased by Phone", [("Bob",), ("Cid",)]),
    ("buyers who never purchased in 2025", [("Cid",)]),
    ("buyers who never purchased in 2024", [("Bob",), ("Cid",)]),
    ("How many purchases have more than two dozen pieces?", [(1,)]),
    ("How many purchases have at least a dozen pieces?", [(3,)]),
    ("How many purchases does a buyer make on average?", [(2.0,)]),
    ("average number of purchases per buyer", [(2.0,)]),
    ("What is the 90th percentile of pieces?", [(pytest.approx(28.2),)]),
    ("How many more purchases were made by Web than by Phone?", [(2,)]),
    ("By how much did the number of purchases grow from 2024 to 2025?", [(2,)]),
]


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect() as opened:
        opened.execute(SCHEMA)
        yield opened


@pytest.fixture(scope="module")
def analyst():
    buyer = Table(
        "buyer", "main", (Column("buyer_id", "INTEGER"), Column("name", "VARCHAR")), ("buyer_id",), row_count=3
    )
    purchase = Table(
        "purchase",
        "main",
        (
            Column("purchase_id", "INTEGER"),
            Column("buyer_id", "INTEGER"),
            Column("channel", "VARCHAR", n_distinct=2, samples=("Phone", "Web")),
            Column("bought_on", "DATE"),
            Column("pieces", "INTEGER", minimum=3, maximum=30),
        ),
        ("purchase_id",),
        (ForeignKey(("buyer_id",), "main", "buyer", ("buyer_id",)),),
        row_count=4,
    )
    channels = [("main", "purchase", "channel", "Phone"), ("main", "purchase", "channel", "Web")]
    return Analyst(Catalog((buyer, purchase), ValueIndex.build(channels)))


@pytest.mark.parametrize(("question", "rows"), CASES)
def test_all_or_none_of_the_rows_there(question, rows, analyst, connection):
    found = analyst.ask(question, run=lambda sql: connection.execute(sql).fetchall())
    assert sorted(connection.execute(found.candidates[0].sql).fetchall()) == rows


@pytest.mark.parametrize(
    ("said", "number"),
    [("two dozen", 24), ("half a million", 500_000), ("a hundred", 100), ("1.5 million", 1_500_000), ("1.2k", 1200)],
)
def test_numbers_of_several_words(said, number):
    assert spoken(said) == number


def test_other_words_are_no_number():
    assert spoken("two ducks") is None
