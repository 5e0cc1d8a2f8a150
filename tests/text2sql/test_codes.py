"""Rows that have a code of their own are shown by it, unless the question asks for the number that the tables know."""

import pytest
from tests.text2sql.catalogs import asking

TABLES = """
CREATE TABLE wagon (wagon_id INTEGER PRIMARY KEY, plate_no VARCHAR, kind VARCHAR, bought_on DATE);
INSERT INTO wagon VALUES (1, 'W-77', 'tank', '2020-05-01'), (2, 'W-12', 'flat', '2021-06-01'),
    (3, 'W-45', 'tank', '2022-07-01'), (4, 'W-90', 'flat', '2023-08-01');
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
