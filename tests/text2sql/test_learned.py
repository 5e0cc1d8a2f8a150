"""What was learned, as it is shipped: it fits, is deterministic, writes queries, and says calmly how sure it is."""

import itertools

import numpy as np
import pytest

from pluto_duck_text2sql import Analyst, Catalog, Column, ForeignKey, Table, ValueIndex
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.learned.explain import explained
from pluto_duck_text2sql.learned.features import NAMES, Tried, features
from pluto_duck_text2sql.learned.grammar import WORDS
from pluto_duck_text2sql.learned.model import WEIGHTS, load
from pluto_duck_text2sql.learned.ranking import on_curve
from pluto_duck_text2sql.learned.sketcher import Sketcher
from pluto_duck_text2sql.trees.render import render

MOST_BYTES = 20_000_000


@pytest.fixture(scope="module")
def catalog():
    singer = Table(
        "singer",
        "main",
        (
            Column("singer_id", "INTEGER", n_distinct=6),
            Column("name", "VARCHAR", n_distinct=6),
            Column("country", "VARCHAR", n_distinct=3),
            Column("age", "INTEGER", n_distinct=5, minimum=20, maximum=70),
        ),
        ("singer_id",),
        row_count=6,
    )
    concert = Table(
        "concert",
        "main",
        (
            Column("concert_id", "INTEGER", n_distinct=9),
            Column("singer_id", "INTEGER", n_distinct=5),
            Column("venue", "VARCHAR", n_distinct=4),
        ),
        ("concert_id",),
        (ForeignKey(("singer_id",), "main", "singer", ("singer_id",)),),
        row_count=9,
    )
    values = ValueIndex.build([("main", "singer", "country", "France"), ("main", "concert", "venue", "Arena")])
    return Catalog((singer, concert), values)


@pytest.fixture(scope="module")
def sketcher(catalog):
    return Sketcher(catalog, JoinGraph(catalog), load().network)


def test_the_weights_fit_into_the_wheel():
    assert sum(path.stat().st_size for path in WEIGHTS.iterdir()) <= MOST_BYTES


def test_the_network_knows_no_word_that_the_grammar_lacks():
    assert set(load().network.words) <= set(WORDS)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("How many singers are there?", "SELECT COUNT(*) AS singer_count FROM singer"),
        ("Show the name of each singer older than 30", "SELECT name FROM singer WHERE age > 30"),
        (
            "What is the average age of singers from France?",
            "SELECT AVG(age) AS avg_age FROM singer WHERE country = 'France'",
        ),
    ],
)
def test_plain_questions_are_written_as_plain_queries(catalog, sketcher, question, sql):
    best = sketcher.sketches(question).found[0]
    assert " ".join(render(best.query, catalog, JoinGraph(catalog)).split()) == sql


def test_the_same_question_gives_the_same_sketches(catalog, sketcher):
    question = "Which singers had more than two concerts in the Arena?"
    again = Sketcher(catalog, JoinGraph(catalog), load().network)
    one, other = sketcher.sketches(question).found, again.sketches(question).found
    assert [(each.line, each.score) for each in one] == [(each.line, each.score) for each in other]


def test_the_likeliest_come_first_and_their_scores_are_logarithms(sketcher):
    scores = [each.score for each in sketcher.sketches("names of singers by age").found]
    assert scores == sorted(scores, reverse=True)
    assert sum(np.exp(scores)) <= 1.0001


def test_a_line_written_scores_as_it_did_when_written(sketcher):
    network = load().network
    sketches = sketcher.sketches("countries with at least 2 singers")
    lines = network.write(sketches.memory, 6, 6)
    assert [network.score(sketches.memory, line.numbers) for line in lines] == pytest.approx(
        [line.score for line in lines], abs=1e-3
    )


@pytest.mark.parametrize("question", ["xyzzy", "der die das", "a" * 500, "1 2 3 " * 40])
def test_odd_questions_do_no_harm(sketcher, question):
    assert all(np.isfinite(each.score) for each in sketcher.sketches(question).found)


@pytest.mark.parametrize("question", ["how many customers are there?", "?!"])
def test_no_tables_and_no_words_are_told_apart_from_an_answer(question):
    assert Analyst(Catalog(())).ask(question).status == "cannot_answer"


def test_every_feature_has_a_name(sketcher):
    question = "names of singers"
    sketches = sketcher.sketches(question)
    tried = [
        Tried(each.query, 1, each.score, 0.0, rows)
        for each, rows in zip(sketches.found, itertools.cycle([None, [("x",)], []]))
    ]
    assert features(question, sketches.memory, tried).shape == (len(tried), len(NAMES))


def test_a_sketch_tells_which_words_it_read(sketcher):
    sketches = sketcher.sketches("average age of singers from France")
    lines = explained(sketches.graph, sketches.found[0], sketches.found[0].query)
    assert "age → singer.age" in lines
    assert "France → singer.country = 'France'" in lines


def test_confidence_is_a_probability_that_rises_with_its_evidence():
    curve = {
        "weights": [1.0],
        "bias": 0.0,
        "means": [0.0],
        "spreads": [1.0],
        "steps_at": [0.1, 0.9],
        "steps": [0.2, 0.8],
    }
    values = [on_curve(curve, np.array([x], np.float32)) for x in (-9, -1, 0, 1, 9)]
    assert values == sorted(values)
    assert values[0] >= 0.2 and values[-1] <= 0.8
