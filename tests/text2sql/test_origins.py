"""Where things are from, and of what nationality, is their own: no driver's for a team, no name for a place."""

import duckdb
import pytest
from tests.text2sql.catalogs import catalog_of

from pluto_duck_text2sql import Analyst

RACES = """
CREATE TABLE teams (team_id INTEGER PRIMARY KEY, team_name VARCHAR, nationality VARCHAR);
CREATE TABLE drivers (driver_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, nationality VARCHAR);
CREATE TABLE results (result_id INTEGER PRIMARY KEY, team_id INTEGER REFERENCES teams, points INTEGER,
                      driver_id INTEGER REFERENCES drivers);
INSERT INTO teams VALUES (1, 'Red Fox', 'British'), (2, 'Blue Star', 'Italian'), (3, 'Grey Owl', 'British');
INSERT INTO drivers VALUES (1, 'Mika', 'Salo', 'Finnish'), (2, 'Frances', 'Hill', 'British'),
                           (3, 'Ugo', 'Bassi', 'Italian'), (4, 'Kimi', 'Laine', 'Finnish');
INSERT INTO results VALUES (1, 1, 10, 1), (2, 2, 8, 3), (3, 3, 6, 2), (4, 2, 4, 4);
"""


@pytest.fixture(scope="module")
def ask():
    with duckdb.connect() as connection:
        connection.execute(RACES)
        analyst = Analyst(catalog_of(connection))
        yield lambda question: analyst.ask(question, run=lambda sql: connection.execute(sql).fetchall())


def test_what_stands_before_a_thing_is_looked_for_in_its_own_column(ask):
    found = ask("How many Finnish teams are there?")
    assert found.status == "cannot_answer", found.candidates[0].sql
    assert "teams.nationality holds no 'Finnish'. It holds British, Italian." in found.message


@pytest.mark.parametrize("question", ["How many British teams are there?", "How many Finnish drivers are there?"])
def test_what_is_stored_there_is_answered(question, ask):
    found = ask(question)
    assert found.status == "answered", found.message
    assert "JOIN" not in found.candidates[0].sql


def test_a_country_is_nobodys_name(ask):
    found = ask("Which drivers are from France?")
    assert found.status == "cannot_answer", found.candidates[0].sql
    assert "'France'" in found.message
