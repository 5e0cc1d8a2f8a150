"""Two readings that differ in one name: asked about where both fit alike, told where one is likelier."""

from dataclasses import replace

import pytest

from pluto_duck_text2sql import Catalog, Column, ForeignKey, Table
from pluto_duck_text2sql.ambiguity import chosen, doubt, only_difference
from pluto_duck_text2sql.joins import JoinGraph
from pluto_duck_text2sql.learned.graph import Grapher
from pluto_duck_text2sql.pool import Entry
from pluto_duck_text2sql.tree import Agg, Col, Compare, Query, Rows

CUSTOMER, AGENT = ("main", "customer"), ("main", "agent")
MINE, OTHERS = Col(CUSTOMER, "country"), Col(AGENT, "country")
COUNT = Agg("count", Rows(CUSTOMER))
BY_MINE = Query(CUSTOMER, (MINE, COUNT), group=(MINE,))
BY_OTHERS = Query(CUSTOMER, (OTHERS, COUNT), group=(OTHERS,))


@pytest.fixture(scope="module")
def graph():
    customer = Table(
        "customer",
        "main",
        (Column("customer_id", "INTEGER"), Column("agent_id", "INTEGER"), Column("country", "VARCHAR")),
        ("customer_id",),
        (ForeignKey(("agent_id",), "main", "agent", ("agent_id",)),),
    )
    agent = Table("agent", "main", (Column("agent_id", "INTEGER"), Column("country", "VARCHAR")), ("agent_id",))
    catalog = Catalog((customer, agent))
    return Grapher(catalog, JoinGraph(catalog)).graph("How many customers are there by country?")


def entry(query, rows):
    return Entry(query, repr(query), None, None, rows)


def test_trees_that_differ_in_one_column_say_which():
    assert only_difference(BY_MINE, BY_OTHERS) == (MINE, OTHERS)


@pytest.mark.parametrize(
    "other",
    [
        BY_MINE,
        replace(BY_OTHERS, group=(MINE,), limit=3),
        replace(BY_MINE, where=(Compare(MINE, "=", "Peru"),)),
        replace(BY_OTHERS, select=(OTHERS,)),
    ],
)
def test_trees_that_differ_otherwise_say_nothing(other):
    assert only_difference(BY_MINE, other) is None


def test_two_that_fit_alike_are_equal(graph):
    scored = [(entry(BY_MINE, [("Peru", 1)]), 0.5), (entry(BY_OTHERS, [("Chad", 1)]), 0.4)]
    found = doubt(graph, scored)
    assert found.is_equal
    assert found.labels == ("customer.country", "agent.country")
    assert found.words == "country"


def test_one_that_is_less_likely_is_told(graph):
    scored = [(entry(BY_MINE, [("Peru", 1)]), 0.8), (entry(BY_OTHERS, [("Chad", 1)]), 0.3)]
    found = doubt(graph, scored)
    assert not found.is_equal
    assert found.told() == "'country' is read as customer.country; agent.country would fit too"


@pytest.mark.parametrize(("rows", "confidence"), [([("Peru", 1)], 0.5), ([("Chad", 1)], 0.05), ([], 0.5)])
def test_the_same_rows_a_hopeless_or_an_empty_reading_raise_no_doubt(rows, confidence, graph):
    assert doubt(graph, [(entry(BY_MINE, [("Peru", 1)]), 0.6), (entry(BY_OTHERS, rows), confidence)]) is None


def test_the_reading_with_the_chosen_column_goes_first():
    scored = [(entry(BY_MINE, []), 0.6), (entry(BY_OTHERS, []), 0.4)]
    assert [each.query for each, _ in chosen(scored, "agent.country")] == [BY_OTHERS, BY_MINE]
    assert chosen(scored, "nothing.here") == scored
