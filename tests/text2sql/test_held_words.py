"""Words that stored names only hold: which column they are of, how they are written as SQL, and who is shown them."""

from pathlib import Path

import duckdb
import pytest
from tests.text2sql.catalogs import catalog_of

from pluto_duck_text2sql.data.held_words import held_values
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.followups.telling import told
from pluto_duck_text2sql.learned.graph import Grapher
from pluto_duck_text2sql.learned.literals import KINDS
from pluto_duck_text2sql.learned.model import load
from pluto_duck_text2sql.tree import Agg, Among, Col, Compare, Holding, Query, Rows
from pluto_duck_text2sql.trees.render import render

HARDWARE = Path(__file__).with_name("strangers") / "hardware.sql"
ARTICLE = ("main", "article")
NAME = Col(ARTICLE, "article_name")


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect() as opened:
        opened.execute(HARDWARE.read_text(encoding="utf-8"))
        yield opened


@pytest.fixture(scope="module")
def catalog(connection):
    return catalog_of(connection)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("hammers", "hammer"),
        ("hammer", "hammer"),
        ("drills", "drill"),
        ("hand saw", ""),  # a name of its own
        ("stores", ""),  # what rows are called
        ("dale", ""),  # somebody
        ("sawed", ""),  # a deed
        ("unicycles", ""),
        ("the", ""),
        ("", ""),
    ],
)
def test_which_words_names_of_things_hold(catalog, words, text):
    found = held_values(words.split(), catalog)
    assert [(each.column, each.value) for each in found] == ([("article_name", Holding(text))] if text else [])


@pytest.mark.parametrize(
    ("where", "count"),
    [
        (Compare(NAME, "=", Holding("hammer")), 2),
        (Compare(NAME, "!=", Holding("hammer")), 6),
        (Among(NAME, (Holding("hammer"), Holding("saw"))), 3),
        (Among(NAME, (Holding("hammer"), "Hand Saw"), negated=True), 5),
        (Compare(NAME, "=", "hammer"), 0),
    ],
)
def test_what_equals_it_holds_it(connection, catalog, where, count):
    query = Query(ARTICLE, (Agg("count", Rows(ARTICLE)),), (where,))
    assert connection.execute(render(query, catalog, JoinGraph(catalog))).fetchone() == (count,)


def test_only_networks_that_learned_from_such_are_shown_them(catalog):
    question, joins = "how many hammers did we sell", JoinGraph(catalog)
    kinds = [
        {value.kind for value in Grapher(catalog, joins, each).graph(question).values}
        for each in (KINDS, load().network.kinds)
    ]
    assert kinds == [{"held"}, set()]


@pytest.mark.parametrize(("sign", "shown"), [("=", "holds"), ("!=", "does not hold")])
def test_a_condition_tells_that_names_hold_it(sign, shown):
    assert told([Compare(NAME, sign, Holding("hammer"))]) == f"article_name {shown} 'hammer'"
