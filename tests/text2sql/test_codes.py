"""Rows that have a code of their own are shown by it, unless the question asks for the number that the tables know."""

import pytest
from tests.text2sql.catalogs import asking

TABLES = """
CREATE TABLE wagon (wagon_id INTEGER PRIMARY KEY, plate_no VARCHAR, kind VARCHAR, bought_on DATE);
INSERT INTO wagon VALUES (1, 'W-77', 'tank', '2020-05-01'), (2, 'W-12', 'flat', '2021-06-01'),
    (3, 'W-45', 'tank', '2022-07-01'), (4, 'W-90', 'flat', '2023-08-01');
CREATE TABLE guild (guild_id INTEGER PRIMARY KEY, name VARCHAR, rank VARCHAR);
CREATE TABLE smith (smith_id INTEGER PRIMARY KEY, guild_id INTEGER REFERENCES guild, stamp_no VARCHAR);
INSERT INTO guild VALUES (1, 'Rook', 'old'), (2, 'Ash', 'old'), (3, 'Elm', 'new');
INSERT INTO smith VALUES (1, 1, 'A1'), (2, 2, 'B2'), (3, 3, 'C3'), (4, 3, 'D4');
"""


@pytest.fixture(scope="module")
def ask():
    with asking(TABLES) as asked:
        yield asked


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("Which wagons are of the kind tank?", {("W-77",), ("W-45",)}),
        ("List the wagons bought before 2022.", {("W-77",), ("W-12",)}),
        ("Show the wagon id of the tank wagons.", {(1,), (3,)}),
    ],
)
def test_a_row_is_shown_by_its_code(question, shown, ask):
    found, rows = ask(question)
    assert (found.status, set(rows)) == ("answered", shown)


def test_what_is_sorted_by_its_name_is_still_shown_by_it(ask):
    question = "List the name of each guild and its number of smiths, sorted by the number from highest to lowest"
    found, rows = ask(f"{question} and then by guild name.")
    assert (found.status, rows[0], set(rows)) == ("answered", ("Elm", 2), {("Elm", 2), ("Ash", 1), ("Rook", 1)})


def test_a_kind_of_what_is_counted_has_no_code(ask):
    found, rows = ask("For each guild rank, show the number of smiths.")
    assert (found.status, set(rows)) == ("answered", {("old", 2), ("new", 2)})
