"""Made-up questions over made-up databases: what is asked can be pointed at, and its SQL finds something."""

import random
from collections import Counter

import pytest

from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.learned.graph import Grapher
from pluto_duck_text2sql.learned.line import Val
from pluto_duck_text2sql.learned.sketch import to_query
from pluto_duck_text2sql.trees.render import render
from pluto_duck_training.synthetic import generate
from pluto_duck_training.synthetic.databases import made_up, make, traded
from pluto_duck_training.synthetic.domains import domains, trades
from pluto_duck_training.synthetic.lines import is_grammatical, is_telling
from pluto_duck_training.synthetic.naming import singular, words_of
from pluto_duck_training.synthetic.questions import TODAY, Maker, Tally
from pluto_duck_training.synthetic.styles import plural
from pluto_duck_training.synthetic.wordings import chosen, families
from pluto_duck_training.targets import to_targets

_RICH = ("clinic", "helpdesk", "logistics", "streaming")


@pytest.fixture(scope="module")
def databases():
    return [make(each, random.Random(3), each.name) for each in domains() if each.name in _RICH]


@pytest.fixture(scope="module")
def made(databases):
    """Of each family the first question that one of the databases has something for."""
    tally = Tally()
    makers = {each.name: Maker(each.catalog, each.run, random.Random(3), tally) for each in databases}
    found = []
    for family in families():
        tries = ((name, maker.one(family)) for _ in range(4) for name, maker in makers.items())
        found += [next(((name, each) for name, each in tries if each), None)]
    return found, tally


def test_every_family_yields(made):
    assert [family.name for family, found in zip(families(), made[0], strict=True) if not found] == []


def test_every_line_can_be_written_read_and_run(made, databases):
    for database in databases:
        joins = JoinGraph(database.catalog)
        grapher = Grapher(database.catalog, joins)
        mine = [each for name, each in made[0] if name == database.name]
        for each in mine[::3]:
            assert is_grammatical(each.line), each
            assert to_targets(each.line, grapher.graph(each.question))
            rows = database.run(render(to_query(each.line, database.catalog, TODAY), database.catalog, joins))
            assert is_telling(rows), each


def test_few_lines_are_out_of_reach(made):
    outcomes = sum(made[1].outcomes.values(), start=Counter())
    assert outcomes["unreached"] < 0.05 * outcomes["made"]


def test_questions_are_distinct_and_of_many_kinds(made):
    questions = [(name, each.question.casefold()) for name, each in made[0]]
    assert len(set(questions)) == len(questions)
    assert len({each.kind for _, each in made[0]}) >= 25


def test_the_same_seed_makes_the_same_questions(databases):
    database = databases[0]
    one, other = (generate(database.catalog, database.run, random.Random(5), 20) for _ in range(2))
    assert [each.question for each in one] == [each.question for each in other]
    assert one == other


def test_another_seed_makes_others(databases):
    database = databases[0]
    one, other = (generate(database.catalog, database.run, random.Random(seed), 20) for seed in (5, 6))
    assert not {each.question for each in one} & {each.question for each in other}


def test_values_are_plain_texts_and_numbers(made):
    values = [word.value for _, each in made[0] for word in each.line if isinstance(word, Val)]
    assert all(type(each) in (str, float) for each in values)


def test_a_database_is_made_in_every_style():
    for database in made_up(8, seed=2):
        assert all(table.primary_key for table in database.catalog.tables)
        assert any(table.foreign_keys or table.row_count for table in database.catalog.tables)


def test_there_are_many_domains_and_families():
    assert len(domains()) >= 25
    assert all(2 < len(each.tables) < 8 for each in domains())
    assert len(families()) >= 120
    assert len({each.name for each in families()}) == len(families())


@pytest.mark.parametrize(
    ("name", "words"),
    [("OrderQty", "order quantity"), ("scheduledat", "scheduled at"), ("LEAVE_TYPE", "leave type"), ("x", "x")],
)
def test_names_are_split(name, words):
    assert " ".join(words_of(name)) == words


@pytest.mark.parametrize("word", ["city", "visit", "class", "branch", "day", "dish", "leave request"])
def test_plurals_have_singulars(word):
    assert singular(plural(word.split()[-1])) == word.split()[-1]


def test_choices_and_macros_are_made():
    assert chosen("[a|a] b", random.Random(1)) == "a b"
    assert "<" not in chosen("<show> x", random.Random(1))


@pytest.mark.parametrize(
    ("rows", "grouped", "telling"),
    [
        ([], False, False),
        ([(None,)], False, False),
        ([(0,)], False, False),
        ([(3,)], False, True),
        ([("a", 1)], True, False),
        ([("a", 1), ("a", 1)], False, False),
        ([("a", 1), ("b", None)], True, True),
    ],
)
def test_rows_that_say_nothing(rows, grouped, telling):
    assert is_telling(rows, grouped) == telling


def test_a_trade_is_named_and_filled_as_its_file_says():
    database = traded("boat_rental")
    assert "boat_rental" in trades()
    bookings = next(each for each in database.catalog.tables if each.name == "booking")
    assert [each.name for each in bookings.columns][:3] == ["booking_id", "client_id", "boat_id"]
    assert database.run("SELECT base_name FROM base ORDER BY base_id LIMIT 2") == [("Port Vell",), ("Lagos Marina",)]
    assert database.run("SELECT count(*) FROM client WHERE referred_by NOT IN (SELECT client_id FROM client)") == [(0,)]
    assert database.run("SELECT count(*) FROM client WHERE referred_by IS NULL") == [(55,)]
