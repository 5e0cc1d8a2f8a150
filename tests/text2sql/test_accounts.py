"""A word that a rule took and made nothing of is unexplained."""

import pytest

from pluto_duck_text2sql import Catalog, Column, ForeignKey, Table, ValueIndex
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.words import tokenise
from pluto_duck_text2sql.reading.accounts import certainly_lost, unaccounted
from pluto_duck_text2sql.reading.reader import Pass, Reader
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Compare,
    Growth,
    Order,
    Query,
    Related,
    Rows,
    Running,
    Share,
)

BUYER, PURCHASE = ("main", "buyer"), ("main", "purchase")
LAND, AMOUNT, BOUGHT = Col(BUYER, "land"), Col(PURCHASE, "amount"), Col(PURCHASE, "bought_on")
COUNT, TOTAL = Agg("count", Rows(PURCHASE)), Agg("sum", AMOUNT)
MONTH = Bucket("month", BOUGHT)
PLAIN = Query(PURCHASE, (COUNT,))
DEAREST = Query(PURCHASE, (AMOUNT,), order=(Order(AMOUNT, descending=True),), limit=1)
CATALOG = Catalog(
    (
        Table("buyer", "main", (Column("buyer_id", "INTEGER"), Column("land", "VARCHAR")), ("buyer_id",), row_count=9),
        Table(
            "purchase",
            "main",
            (Column("buyer_id", "INTEGER"), Column("amount", "DOUBLE"), Column("bought_on", "DATE")),
            (),
            (ForeignKey(("buyer_id",), "main", "buyer", ("buyer_id",)),),
            row_count=9,
        ),
    ),
    ValueIndex.build([("main", "buyer", "land", "Peru")]),
)


@pytest.fixture(scope="module")
def reader():
    import datetime as dt

    return Reader(CATALOG, JoinGraph(CATALOG), NameIndex(CATALOG), dt.date(2026, 1, 1))


@pytest.mark.parametrize(
    ("question", "query", "lost"),
    [
        ("How many purchases?", PLAIN, []),
        ("How many purchases by month?", PLAIN, ["by month"]),
        ("How many purchases by month?", Query(PURCHASE, (MONTH, COUNT), group=(MONTH,)), []),
        ("How many purchases in Peru?", PLAIN, ["Peru"]),
        ("How many purchases in Peru?", Query(PURCHASE, (COUNT,), (Compare(LAND, "=", "Peru"),)), []),
        ("How many purchases in 2025?", PLAIN, ["in 2025"]),
        ("How many purchases of more than 5?", PLAIN, ["more than 5"]),
        ("How many purchases of more than 5?", Query(PURCHASE, (COUNT,), (Compare(AMOUNT, ">", 5),)), []),
        ("revenue by land", Query(PURCHASE, (LAND, TOTAL), group=(LAND,)), []),
        ("revenue by land", Query(PURCHASE, (LAND, COUNT), group=(LAND,)), ["revenue"]),
        ("purchases by Peru", Query(PURCHASE, (COUNT,), (Compare(LAND, "=", "Peru"),)), []),
        ("average amount of purchases", Query(PURCHASE, (TOTAL,)), ["average"]),
        ("share of purchases by land", Query(PURCHASE, (LAND, Share(COUNT)), group=(LAND,)), []),
        ("share of purchases by land", Query(PURCHASE, (LAND, COUNT), group=(LAND,)), ["share of"]),
        ("buyers who never purchased", Query(BUYER, (LAND,)), ["who never", "purchased"]),
        ("buyers who never purchased", Query(BUYER, (LAND,), (Related(PURCHASE, negated=True),)), []),
        ("top 3 lands", Query(BUYER, (LAND,), limit=3, order=(Order(LAND),)), []),
        ("top 3 lands", Query(BUYER, (LAND,)), ["top 3"]),
        (
            "running total of amount by month",
            Query(PURCHASE, (MONTH, Running(TOTAL, MONTH)), group=(MONTH,)),
            [],
        ),
        ("running total of amount by month", Query(PURCHASE, (MONTH, TOTAL), group=(MONTH,)), ["running total of"]),
    ],
)
def test_each_word_that_means_something_leaves_its_mark(question, query, lost, reader):
    passed = Pass(reader, tokenise(question), None)
    assert unaccounted(passed, query) == lost


@pytest.mark.parametrize(
    ("question", "query", "lost"),
    [
        (
            "purchases of over 20,000 in 2024",
            Query(PURCHASE, (COUNT,), (Compare(AMOUNT, ">", 2024),)),
            ["over 20000"],
        ),
        ("purchases of over 20,000", Query(PURCHASE, (COUNT,), (Compare(AMOUNT, ">", 20000),)), []),
        ("purchases of over 2 hours", Query(PURCHASE, (COUNT,), (Compare(AMOUNT, ">", 7200),)), []),
        ("total amount of each land", Query(PURCHASE, (BOUGHT, TOTAL), group=(BOUGHT,)), ["each land"]),
        ("total amount of each land", Query(PURCHASE, (LAND, TOTAL), group=(LAND,)), []),
        ("total amount of each buyer", Query(PURCHASE, (Col(PURCHASE, "buyer_id"), TOTAL)), []),
        ("How many purchases in 2025?", Query(PURCHASE, (LAND,), (Compare(BOUGHT, ">", BOUGHT),)), ["How many"]),
        ("How many purchases?", PLAIN, []),
    ],
)
def test_no_tree_passes_over_numbers_groups_and_counts(question, query, lost, reader):
    assert certainly_lost(Pass(reader, tokenise(question), None), query) == lost


@pytest.mark.parametrize(
    ("question", "query", "lost"),
    [
        (
            "Show the land of the purchases, sorted by amount",
            Query(PURCHASE, (LAND,), order=(Order(BOUGHT),)),
            ["amount"],
        ),
        ("What is the amount of the dearest purchase by amount among the bought purchases?", DEAREST, []),
    ],
)
def test_what_is_sorted_is_sorted_by_what_is_said_and_the_first_by_its_figure_alone(question, query, lost, reader):
    roles = Pass(reader, tokenise(question), None)
    roles.reading()
    assert certainly_lost(roles, query) == lost


def test_quarter_over_quarter_is_not_a_year_earlier(reader):
    roles = Pass(reader, tokenise("Quarter over quarter change in purchases"), None)
    quarter = Bucket("quarter", BOUGHT)
    before, year = (Query(PURCHASE, (quarter, Growth(COUNT, quarter, lag)), group=(quarter,)) for lag in (1, 4))
    assert (certainly_lost(roles, before), certainly_lost(roles, year)) == ([], ["Quarter over quarter"])


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("At which fairs did the buyers meet?", "fairs"),
        ("In which lands do the buyers live?", ""),
        ("What are the hobbies of the buyers?", "hobbies"),
        ("What are the amounts of the purchases?", ""),
        ("List all the vouchers of each buyer", "vouchers"),
        ("List all the purchases of each buyer", ""),
        ("What was the average amount?", ""),
    ],
)
def test_what_is_asked_and_names_nothing_is_known(question, asked, reader):
    assert reader.read(question).asked == asked
