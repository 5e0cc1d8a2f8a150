"""What an answer's confidence rests on, and that more speaks for it where it should."""

from dataclasses import replace

import duckdb
import pytest
from tests.text2sql.catalogs import catalog_of

from pluto_duck_text2sql import Analyst
from pluto_duck_text2sql.certainty import Grounds, TurnGrounds, certainty, certainty_in_turn

PLAIN = Grounds(ranked=1.0, unsaid=0.0, is_empty=0.0, unlike=0.0, left=0.0, is_unread=0.0)


@pytest.fixture
def singers():
    """Asks a small table."""
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE singer AS SELECT * FROM (VALUES ('Ann', 30), ('Ben', 41)) AS t (name, age)")
        analyst = Analyst(catalog_of(connection))
        yield lambda question, **more: analyst.ask(question, run=lambda sql: connection.execute(sql).fetchall(), **more)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (replace(PLAIN, ranked=3.0), PLAIN),
        (PLAIN, replace(PLAIN, unsaid=2.0)),
        (PLAIN, replace(PLAIN, is_empty=1.0)),
        (PLAIN, replace(PLAIN, unlike=1.5)),
        (PLAIN, replace(PLAIN, left=1.1)),
    ],
)
def test_what_speaks_for_an_answer_makes_it_surer(better, worse):
    assert 0 < certainty(worse) < certainty(better) < 1


@pytest.mark.parametrize(
    "question", ["What is the average age of singers?", "median, average and 90th percentile of age"]
)
def test_an_answer_tells_what_its_confidence_rests_on(question, singers):
    best = singers(question).candidates[0]
    assert best.grounds.unsaid == best.grounds.is_unread == 0
    assert best.confidence == round(certainty(best.grounds), 3)


TURN = TurnGrounds.of(0.9, "and by month?", 1)


@pytest.mark.parametrize(
    "worse",
    [
        TurnGrounds.of(0.6, "and by month?", 1),
        TurnGrounds.of(0.9, "and how many of them came back in the month after that one?", 1),
        TurnGrounds.of(0.9, "and by month?", 3),
    ],
)
def test_a_turn_that_is_doubted_long_or_late_is_less_sure(worse):
    assert 0 < certainty_in_turn(worse) < certainty_in_turn(TURN) < 1


def test_of_long_dialogues_a_turn_is_as_sure_as_the_third():
    assert TurnGrounds.of(0.9, "by month", 12) == TurnGrounds.of(0.9, "by month", 3)


@pytest.mark.parametrize(
    ("turn", "kind"), [("only those above 35", TurnGrounds), ("New topic: how many singers are there?", Grounds)]
)
def test_a_turn_tells_what_its_confidence_rests_on(turn, kind, singers):
    best = singers(turn, history=("What is the name and age of every singer?",)).candidates[0]
    assert isinstance(best.grounds, kind)
    told = certainty_in_turn if kind is TurnGrounds else certainty
    assert best.confidence == round(told(best.grounds), 3)
