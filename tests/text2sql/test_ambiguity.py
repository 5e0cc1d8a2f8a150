"""Two readings that differ in one name: asked about where both fit alike, told where one is likelier."""

from dataclasses import replace

import pytest

from pluto_duck_text2sql import Catalog, Column, ForeignKey, Table, ValueIndex
from pluto_duck_text2sql.asking_back.ambiguity import (
    better_named,
    chosen,
    doubt,
    is_nearer,
    named_tables,
    only_difference,
)
from pluto_duck_text2sql.asking_back.homonyms import homonym
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.learned.graph import Grapher
from pluto_duck_text2sql.pool import Entry
from pluto_duck_text2sql.tree import Agg, Col, Compare, Query, Rows

CUSTOMER, AGENT, BRANCH = ("main", "customer"), ("main", "agent"), ("main", "branch")
MINE, AGENTS, BRANCHES = Col(CUSTOMER, "country"), Col(AGENT, "country"), Col(BRANCH, "country")
COUNT = Agg("count", Rows(CUSTOMER))
BY_MINE = Query(CUSTOMER, (MINE, COUNT), group=(MINE,))
BY_AGENTS = Query(CUSTOMER, (AGENTS, COUNT), group=(AGENTS,))
BY_BRANCHES = Query(CUSTOMER, (BRANCHES, COUNT), group=(BRANCHES,))


def _table(name, *columns, points_at=()):
    keys = (Column(f"{each}_id", "INTEGER") for each in (name, *points_at))
    foreign = tuple(ForeignKey((f"{each}_id",), "main", each, (f"{each}_id",)) for each in points_at)
    texts = (Column(each, "VARCHAR") for each in columns)
    return Table(name, "main", (*keys, *texts), (f"{name}_id",), foreign)


CATALOG = Catalog(
    (
        _table("customer", "country", points_at=("agent", "branch")),
        _table("agent", "country", "country_code"),
        _table("branch", "country"),
    )
)
JOINS = JoinGraph(CATALOG)


@pytest.fixture(scope="module")
def graph():
    return Grapher(CATALOG, JOINS).graph("How many customers are there by country?")


def entry(query, rows):
    return Entry(query, repr(query), None, None, rows)


def test_trees_that_differ_in_one_column_say_which():
    assert only_difference(BY_MINE, BY_AGENTS) == (MINE, AGENTS)


@pytest.mark.parametrize(
    "other",
    [
        BY_MINE,
        replace(BY_AGENTS, group=(MINE,), limit=3),
        replace(BY_MINE, where=(Compare(MINE, "=", "Peru"),)),
        replace(BY_AGENTS, select=(AGENTS,)),
    ],
)
def test_trees_that_differ_otherwise_say_nothing(other):
    assert only_difference(BY_MINE, other) is None


def test_two_that_fit_alike_are_equal(graph):
    scored = [(entry(BY_BRANCHES, [("Peru", 1)]), 0.5), (entry(BY_AGENTS, [("Chad", 1)]), 0.4)]
    found = doubt(graph, scored, JOINS)
    assert found.is_equal
    assert found.labels == ("branch.country", "agent.country")
    assert found.words == "country"


@pytest.mark.parametrize(("first", "confidence"), [(BY_BRANCHES, 0.3), (BY_MINE, 0.6)])
def test_one_that_is_less_likely_or_needs_more_joins_is_told(first, confidence, graph):
    scored = [(entry(first, [("Peru", 1)]), 0.8), (entry(BY_AGENTS, [("Chad", 1)]), confidence)]
    found = doubt(graph, scored, JOINS)
    assert not found.is_equal
    assert found.told() == f"'country' is read as {found.labels[0]}; agent.country would fit too"


@pytest.mark.parametrize(("rows", "confidence"), [([("Peru", 1)], 0.5), ([("Chad", 1)], 0.05), ([], 0.5)])
def test_the_same_rows_a_hopeless_or_an_empty_reading_raise_no_doubt(rows, confidence, graph):
    scored = [(entry(BY_BRANCHES, [("Peru", 1)]), 0.6), (entry(BY_AGENTS, rows), confidence)]
    assert doubt(graph, scored, JOINS) is None


def test_columns_that_a_key_makes_equal_raise_no_doubt(graph):
    own, pointing = Col(AGENT, "agent_id"), Col(CUSTOMER, "agent_id")
    by_own, by_pointing = (Query(CUSTOMER, (each, COUNT), group=(each,)) for each in (own, pointing))
    assert doubt(graph, [(entry(by_own, [(1, 1)]), 0.6), (entry(by_pointing, [(2, 1)]), 0.6)], JOINS) is None


@pytest.mark.parametrize(
    ("meant", "other", "near"),
    [
        ("plans_monthly.mrr_usd", "plans_monthly.mrr_change_usd", True),
        ("shops.revenue", "shops.revenue_target", True),
        ("shops.revenue_target", "shops.revenue", False),
        ("plans_mrr.mrr_usd", "contracts.mrr_usd", True),
        ("contracts.mrr_usd", "plans_mrr.mrr_usd", False),
        ("shops.low_estimate", "shops.high_estimate", False),
    ],
)
def test_a_change_of_it_a_plan_for_it_or_another_tables_is_not_meant(meant, other, near):
    one, another = (Col(("main", each.split(".")[0]), each.split(".")[1]) for each in (meant, other))
    assert is_nearer(one, another) is near


def test_the_column_that_more_words_beside_each_other_name_is_meant():
    code = Col(AGENT, "country_code")
    by_code = Query(CUSTOMER, (code, COUNT), group=(code,))
    scored = [(entry(BY_AGENTS, [("Peru", 1)]), 0.6), (entry(by_code, [("PE", 1)]), 0.3)]
    asked = Grapher(CATALOG, JOINS).graph("How many customers are there by country code?")
    assert [each.query for each, _ in better_named(asked, scored)] == [by_code, BY_AGENTS]


def test_the_column_of_the_only_table_that_is_named_is_meant():
    scored = [(entry(BY_BRANCHES, [("Peru", 1)]), 0.6), (entry(BY_AGENTS, [("Chad", 1)]), 0.5)]
    asked = Grapher(CATALOG, JOINS).graph("How many are there by the country of their agent?")
    assert [each.query for each, _ in better_named(asked, scored)] == [BY_AGENTS, BY_BRANCHES]
    assert not doubt(asked, scored[::-1], JOINS).is_equal


def test_the_reading_with_the_chosen_column_goes_first():
    scored = [(entry(BY_MINE, []), 0.6), (entry(BY_AGENTS, []), 0.4)]
    assert [each.query for each, _ in chosen(scored, "agent.country")] == [BY_AGENTS, BY_MINE]
    assert chosen(scored, "nothing.here") == []


TWO_KINDS = Catalog(
    (_table("buyer", "company", "land"), _table("vendor", "company", "land"), _table("member", "nickname"))
)
ROWS = {"buyer": [("Ajax",)], "vendor": [("Acme",)]}
IN_PERU = Query(
    ("main", "buyer"), (Col(("main", "buyer"), "company"),), (Compare(Col(("main", "buyer"), "land"), "=", "Peru"),)
)


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("companies with land Peru", ("buyer.company", "vendor.company")),
        ("companies of buyers with land Peru", None),
        ("companies of vendors with land Peru", None),
    ],
)
def test_a_table_that_nothing_names_may_be_another(question, labels):
    joins = JoinGraph(TWO_KINDS)
    asked = Grapher(TWO_KINDS, joins).graph(question)

    def run(sql):
        return next(rows for name, rows in ROWS.items() if f"FROM {name}" in sql)

    found = homonym(asked, entry(IN_PERU, ROWS["buyer"]), TWO_KINDS, joins, run, named_tables(asked))
    assert (found.labels if found else None) == labels


HELD = [("main", name, "land", "Peru") for name in ("buyer", "vendor")]
HOW_MANY = Query(("main", "buyer"), (Agg("count", Rows(("main", "buyer"))),), IN_PERU.where)


@pytest.mark.parametrize(
    ("question", "held", "labels"),
    [
        ("How many are in Peru?", HELD, ("buyer.land", "vendor.land")),
        ("How many are in Peru?", HELD[:1], None),
        ("How many buyers are in Peru?", HELD, None),
    ],
)
def test_a_value_alone_may_be_another_table_s(question, held, labels):
    catalog = Catalog(TWO_KINDS.tables, ValueIndex.build(held))
    joins = JoinGraph(catalog)
    asked = Grapher(catalog, joins).graph(question)
    found = homonym(asked, entry(HOW_MANY, [(3,)]), catalog, joins, lambda sql: [(5,)], named_tables(asked))
    assert (found.labels if found else None) == labels
