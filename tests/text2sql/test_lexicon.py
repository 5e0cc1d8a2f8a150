"""The general lexicon: what businesses say for each other, where the data has nothing called so."""

import pytest
from tests.text2sql.catalogs import paraphrases_over

from pluto_duck_text2sql import Analyst, Catalog, Column, Table
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language import lexicon
from pluto_duck_text2sql.language.lexicon import alike
from pluto_duck_text2sql.language.words import stem, tokenise


def _table(name, *columns):
    return Table(name, "main", tuple(Column(each, "VARCHAR") for each in ("id", *columns)), ("id",), row_count=9)


CATALOG = Catalog((_table("employees", "last_name", "postal_code"), _table("products", "name")))


def _found(catalog, *stems):
    return [(each.table.name, each.column and each.column.name) for each in NameIndex(catalog).find(stems)]


@pytest.mark.parametrize(
    ("stems", "target"),
    [
        (("personnel",), ("employees", None)),
        (("staff", "member"), ("employees", None)),
        (("sku",), ("products", None)),
        (("surnam",), ("employees", "last_name")),
        (("zip", "cod"), ("employees", "postal_code")),
    ],
)
def test_a_word_finds_what_others_call_so(stems, target):
    assert _found(CATALOG, *stems)[0] == target


def test_an_own_name_is_all_that_a_word_means():
    own = Catalog((*CATALOG.tables, _table("personnel", "grade")))
    assert ("employees", None) not in _found(own, "personnel")
    assert ("employees", None) in _found(CATALOG, "personnel")


def test_headcount_counts_whoever_works_there():
    candidate = Analyst(CATALOG).ask("What is the headcount?").candidates[0]
    assert "COUNT(*)" in candidate.sql
    assert "FROM employees" in candidate.sql
    assert '"headcount" is count of employees (general lexicon)' in candidate.reading


def test_a_column_called_headcount_is_one():
    own = Catalog((_table("sites", "headcount"), *CATALOG.tables))
    assert not Analyst(own).terms.find(tokenise("headcount"))
    assert _found(own, "headcount") == [("sites", "headcount")]


def test_every_group_is_symmetric():
    assert all(name in alike()[other] for name, others in alike().items() for other in others)


def test_every_line_says_what_no_line_before_it_does():
    pairs, spelt = set(), {}
    for line in lexicon._lines():
        group = {each: tuple(map(stem, each.replace("|", " ").split())) for each in line.split()}
        own = {(name, other) for name, stems in group.items() for other in group.values() if other != stems}
        assert own - pairs or any(spelt.get(stems) != name for name, stems in group.items()), line
        pairs |= own
        spelt |= {stems: name for name, stems in group.items()}


@pytest.fixture(scope="module")
def told_of():
    """What is put for words of a question where orders have these channels."""
    channels = "['Apple Podcasts', 'Stout Evening', 'MO', 'DE', 'Bulk Buyer', 'whole blood'][1 + n % 6]"
    paraphrases = paraphrases_over(
        "CREATE TABLE orders (order_id INTEGER PRIMARY KEY, channel VARCHAR, amount DOUBLE);"
        f"INSERT INTO orders SELECT n, {channels}, n FROM range(60) t(n)"
    )
    return lambda question: paraphrases.of(question).told


@pytest.mark.parametrize(
    "question",
    [
        "orders by amount in our podcast shop",
        "Which orders were never paid, not even in part?",
        "How much money did the orders bring in?",
        "the average amount, depending on the number of orders",
        "how many orders were booked",
    ],
)
def test_words_that_say_how_something_is_asked_stand_for_no_value(question, told_of):
    assert not told_of(question)


@pytest.mark.parametrize(("word", "value"), [("blood", "whole blood"), ("Bulk", "Bulk Buyer")])
def test_a_word_stands_for_the_kind_that_it_is_a_part_of(word, value, told_of):
    assert told_of(f"orders of {word}") == (f'"{word}" is {value} (general lexicon)',)


_LEARNERS = "CREATE TABLE learners (id INTEGER, town VARCHAR);"


def _put(tables, question):
    return paraphrases_over(tables).of(question).question


def test_a_word_for_many_kinds_is_said_for_the_one_that_is_here():
    asked = "how many customers are there"
    assert _put(_LEARNERS, asked) == "how many learners are there"
    assert _put(_LEARNERS + "CREATE TABLE patients (id INTEGER, age INTEGER);", asked) == asked


def test_a_kind_is_no_word_for_many():
    asked = "how many policyholders are there"
    assert _put("CREATE TABLE users (id INTEGER, town VARCHAR);", asked) == asked


def test_who_misspells_a_word_of_the_list_means_its_others():
    clients = "CREATE TABLE clients (id INTEGER, town VARCHAR);"
    assert _put(clients, "how many purchazers are there") == "how many clients are there"
