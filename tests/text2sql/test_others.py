"""An answer that is unsure is told with other readings; one of them picked is answered so."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.text2sql.databases import closed, opened

from pluto_duck_text2sql.asking_back.others import called, offered, other
from pluto_duck_text2sql.pool import Entry
from pluto_duck_text2sql.tree import Agg, Among, Col, Compare, Inside, Order, Query, Rows

ORDER = ("main", "orders")
CITY, STATE, COUNT = Col(ORDER, "city"), Col(ORDER, "state"), Agg("count", Rows(ORDER))
BY_CITY = Query(ORDER, (CITY, COUNT), group=(CITY,))
PAID = replace(BY_CITY, where=(Compare(STATE, "=", "paid"),))
MOST = replace(BY_CITY, order=(Order(COUNT, descending=True),), limit=1)
UNSURE = [
    ("webshop", "people who came back by channel"),
    ("helpdesk", "people waiting longest by product"),
    ("inns", "which inn earns best per room"),
    ("foundry", "loss per machine by shift"),
]


def entries(*pairs):
    return [(Entry(query, repr(query), None, None, rows), 0.3) for query, rows in pairs]


def test_each_is_called_by_what_it_shows_of_which_rows():
    assert called(BY_CITY) == "Number of orders by city"
    assert called(PAID) == 'Number of orders by city, "paid"'  # what is stored stands in quotes
    paid = replace(COUNT, where=PAID.where)
    assert called(replace(BY_CITY, select=(CITY, paid))) == 'Number of orders ("paid") by city'
    assert called(MOST) == "Number of orders by city, the first"
    assert (
        called(replace(BY_CITY, having=(Compare(COUNT, ">", 3),)))
        == "Number of orders by city, number of orders over 3"
    )
    assert called(replace(MOST, limit=3, per=(STATE,))) == "Number of orders by city, the first 3 of each state"


def test_two_that_find_something_else_are_offered():
    scored = entries((BY_CITY, [(1,)]), (PAID, [(2,)]), (MOST, [(1,)]), (replace(MOST, limit=3), [(3,)]))
    assert offered(scored) == ('Number of orders by city, "paid"', "Number of orders by city, the first 3")


@pytest.mark.parametrize("rows", [[], [(1,)]])
def test_what_finds_nothing_or_the_same_is_not_offered(rows):
    assert not offered(entries((BY_CITY, [(1,)]), (PAID, rows)))


@pytest.mark.parametrize(
    "more",
    [
        {"limit": 3, "nth": True},
        {"having": (Inside(CITY, Query(ORDER, (CITY,))),)},
        {"then": ("union", PAID)},
        {"where": (Inside(CITY, Query(ORDER, (CITY,))),)},
        {"where": (Among(CITY, tuple(f"Town number {n}" for n in range(20))),)},
    ],
    ids=lambda more: "-".join(more),
)
def test_what_a_few_words_do_not_tell_is_not_offered(more):
    assert not offered(entries((BY_CITY, [(1,)]), (replace(BY_CITY, **more), [(2,)])))


def test_what_reads_as_one_before_it_is_not_offered():
    """Picked by these words it would be the other."""
    alike = replace(BY_CITY, flat=True)
    assert not offered(entries((BY_CITY, [(1,)]), (alike, [(2,)])))
    assert other(entries((BY_CITY, [(1,)]), (PAID, [(2,)])), 'number of orders by city, "PAID"').query == PAID


@pytest.fixture(scope="module")
def databases():
    found = opened(Path(__file__).with_name("strangers"))
    yield found
    closed(found)


@pytest.mark.parametrize(("db", "question"), UNSURE, ids=lambda each: each)
def test_one_that_is_picked_is_the_answer(databases, db, question):
    connection, analyst = databases[db]

    def run(sql):
        return connection.execute(sql).fetchall()

    unsure = analyst.ask(question, run=run)
    assert unsure.status == "answered"
    assert 1 <= len(unsure.others) <= 2
    for label in unsure.others:
        found = analyst.ask(question, run=run, choice=label)
        assert (called(found.candidates[0].tree), found.others) == (label, ())
        assert run(found.candidates[0].sql) != run(unsure.candidates[0].sql)


def test_a_sure_answer_has_none(databases):
    connection, analyst = databases["webshop"]
    found = analyst.ask("how many sessions by device", run=lambda sql: connection.execute(sql).fetchall())
    assert (found.status, found.others) == ("answered", ())


def test_a_reading_that_is_no_longer_there_is_told(databases):
    connection, analyst = databases["webshop"]
    lost = analyst.ask(
        "how many sessions by device",
        run=lambda sql: connection.execute(sql).fetchall(),
        choice="Number of moons",
    )
    assert lost.candidates[0].assumptions[-1] == "'Number of moons' is none of its readings any more"
