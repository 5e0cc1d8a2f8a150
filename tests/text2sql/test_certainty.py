"""What an answer's confidence rests on, and that more speaks for it where it should."""

from dataclasses import replace

import duckdb
import pytest
from tests.text2sql.catalogs import catalog_of

from pluto_duck_text2sql import Analyst
from pluto_duck_text2sql.certainty import Before, Grounds, TurnGrounds, certainty, certainty_in_turn
from pluto_duck_text2sql.tree import Col, Inside, Query

PLAIN = Grounds(ranked=1.0, is_empty=0.0, written=0.8, rival=0.1, unnamed=0.0, held=3.0, gaps=0.0, repeats=0.0)


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
        (PLAIN, replace(PLAIN, is_empty=1.0)),
        (PLAIN, replace(PLAIN, written=0.1)),
        (PLAIN, replace(PLAIN, rival=0.6)),
        (PLAIN, replace(PLAIN, unnamed=1.1)),
        (PLAIN, replace(PLAIN, held=0.0)),
        (PLAIN, replace(PLAIN, gaps=1.0)),
        (PLAIN, replace(PLAIN, repeats=1.0)),
    ],
)
def test_what_speaks_for_an_answer_makes_it_surer(better, worse):
    assert 0 < certainty(worse) < certainty(better) < 1


@pytest.mark.parametrize(
    "question", ["What is the average age of singers?", "median, average and 90th percentile of age"]
)
def test_an_answer_tells_what_its_confidence_rests_on(question, singers):
    best = singers(question).candidates[0]
    assert best.grounds.is_empty == best.grounds.gaps == best.grounds.repeats == 0
    assert best.confidence == round(certainty(best.grounds), 3)


NAME = Col(("main", "singer"), "name")
SINGERS = Query(NAME.table, (NAME,))
OF_OTHERS = Query(NAME.table, (NAME,), where=(Inside(NAME, SINGERS),))


def turn(said=0.9, question="and by month?", asked=1, known=1, sure=0.9, query=SINGERS, rows=5):
    return TurnGrounds.of(said, question, Before(asked, known, sure), query, rows)


TURN = turn()


@pytest.mark.parametrize(
    "worse",
    [
        turn(said=0.6, sure=0.6),
        turn(question="and how many of them came back in the month after that one?"),
        turn(asked=3, known=3),
        turn(asked=2),
        turn(sure=0.99),
        turn(query=OF_OTHERS),
        turn(rows=500),
    ],
    ids=[
        "doubted",
        "long",
        "late",
        "after no answer",
        "doubtful beside the answer before",
        "of others",
        "of many rows",
    ],
)
def test_a_turn_that_something_speaks_against_is_less_sure(worse):
    assert 0 < certainty_in_turn(worse) < certainty_in_turn(TURN) < 1


def test_of_long_dialogues_a_turn_is_as_sure_as_the_third():
    assert turn(asked=12, known=12) == turn(asked=3, known=3)


@pytest.mark.parametrize(
    ("rows", "odd"),
    [("('Ann', NULL)", {"gaps"}), ("('Ann', 30), ('Ann', 30)", {"repeats"}), ("('Ann', 30), ('Ben', 30)", set())],
)
def test_an_answer_that_shows_a_gap_or_a_row_twice_says_so(rows, odd):
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE singer AS SELECT * FROM (VALUES {rows}) AS t (name, age)")
        analyst = Analyst(catalog_of(connection))
        best = analyst.ask("List the name and age of all singers", run=lambda sql: connection.execute(sql).fetchall())
    grounds = best.candidates[0].grounds
    assert {name for name in ("gaps", "repeats") if getattr(grounds, name)} == odd
    assert best.candidates[0].confidence == round(certainty(grounds), 3)


@pytest.mark.parametrize(
    ("turn", "kind"), [("only those above 35", TurnGrounds), ("New topic: how many singers are there?", Grounds)]
)
def test_a_turn_tells_what_its_confidence_rests_on(turn, kind, singers):
    best = singers(turn, history=("What is the name and age of every singer?",)).candidates[0]
    assert isinstance(best.grounds, kind)
    told = certainty_in_turn if kind is TurnGrounds else certainty
    assert best.confidence == round(told(best.grounds), 3)
