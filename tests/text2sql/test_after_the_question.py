"""What follows a question: columns, an order, or which rows alone count."""

import pytest
from tests.text2sql.catalogs import asking

TABLES = """
CREATE TABLE parks (park_id INTEGER PRIMARY KEY, park_name VARCHAR, opened_on DATE);
CREATE TABLE units (unit_id INTEGER PRIMARY KEY, park_id INTEGER REFERENCES parks, unit_type VARCHAR);
CREATE TABLE repairs (repair_id INTEGER PRIMARY KEY, unit_id INTEGER REFERENCES units, kind VARCHAR, noted_on DATE,
    closed_on DATE, status VARCHAR, cost INTEGER);
INSERT INTO parks VALUES (1, 'Birch', '2015-04-01'), (2, 'Cove', '2009-05-01'), (3, 'Dune', '2020-06-01');
INSERT INTO units VALUES (1, 1, 'tent'), (2, 1, 'cabin'), (3, 2, 'cabin'), (4, 2, 'tent'), (5, 2, 'tent');
INSERT INTO repairs VALUES (1, 1, 'roof', '2024-01-02', '2024-01-06', 'closed', 10),
    (2, 3, 'roof', '2024-03-02', '2024-03-04', 'closed', 20), (3, 3, 'door', '2024-04-01', NULL, 'open', 30),
    (4, 4, 'door', '2024-06-01', '2024-06-04', 'closed', 40), (5, 1, 'door', '2024-09-30', NULL, 'open', 50),
    (6, 2, 'roof', '2024-11-02', NULL, 'open', 60);
"""
ASKED = {
    "How many units does each park have? Show the park name and the number of units.": [("Birch", 2), ("Cove", 3)],
    "Show the names and opening dates of the parks, the oldest first.": [
        ("Cove", "2009-05-01"),
        ("Birch", "2015-04-01"),
        ("Dune", "2020-06-01"),
    ],
    "What was the total cost of repairs from January to the end of September 2024?": [(150,)],
    "How many repairs are there of each kind? Only closed ones.": [("door", 1), ("roof", 2)],
    "Which park has the most repairs, counting repairs of every status? Show its name and the number.": [("Birch", 3)],
    "How many days does it take on average to close a repair, for each kind? Only closed ones.": [
        ("door", 3.0),
        ("roof", 3.0),
    ],
}


@pytest.fixture(scope="module")
def ask():
    with asking(TABLES) as asked:
        yield asked


@pytest.mark.parametrize(("question", "rows"), ASKED.items())
def test_the_rows_are_those_asked_for(ask, question, rows):
    given = [tuple(str(cell) if hasattr(cell, "year") else cell for cell in row) for row in ask(question)[1]]
    assert given == rows
