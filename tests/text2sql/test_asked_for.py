"""A question for what nothing is called like is refused; its neighbours, which have an answer, are not."""

from datetime import date

import duckdb
import pytest
from tests.text2sql.catalogs import catalog_of

from pluto_duck_text2sql import Analyst

FARMS = """
CREATE TABLE owner (owner_id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR);
CREATE TABLE farm (farm_id INTEGER PRIMARY KEY, farm_name VARCHAR, owner_id INTEGER REFERENCES owner, region VARCHAR,
                   horses INTEGER, opened DATE);
CREATE TABLE inspection (inspection_id INTEGER PRIMARY KEY, farm_id INTEGER REFERENCES farm, inspected_on DATE,
                         result VARCHAR);
INSERT INTO owner VALUES (1, 'Ada Long', 'Ulm'), (2, 'Bo Short', 'Bonn'), (3, 'Marvin', 'Ulm');
INSERT INTO farm VALUES (1, 'Hill Farm', 1, 'North', 12, '2001-05-02'), (2, 'Lake Farm', 2, 'South', 30, '2010-03-04'),
                        (3, 'Moor Farm', 1, 'North', 7, '2015-08-09'), (4, 'Vale Farm', 3, 'South', 19, '2019-01-11');
INSERT INTO inspection VALUES (1, 1, '2023-02-01', 'good'), (2, 1, '2024-02-01', 'poor'), (3, 2, '2024-03-05', 'good'),
                              (4, 4, '2024-07-19', 'good');
"""
IN_VAIN = {
    "How many organic farms are there?": "organic",
    "How much milk did the farms produce in 2023?": "milk",
    "How many times was each farm photographed?": "photographed",
    "Which farms export the most?": "export",
    "How long is the driveway of Hill Farm?": "driveway",
    "Who is the auditor of Hill Farm?": "auditor",
    "What is the profit margin of Hill Farm?": "profit margin",
    "How many farms have a greenhouse?": "greenhouse",
    "How many farms are bankrupt?": "bankrupt",
    "How many farms were inspected by drone?": "drone",
    "Which owner has the happiest horses?": "happiest",
    "How many owners live on campus?": "campus",
    "How many farms were inspected late?": "late",
    "How many cheap farms are there?": "cheap",
    "How many souths does each owner have? Owner name and souths.": "souths",
}
ANSWERED = {
    "How many farms are there?": [(4,)],
    "How many different regions are there?": [(2,)],
    "How many horses does Lake Farm have?": [(30,)],
    "How many farms are in the North?": [(2,)],
    "How many farms were inspected?": [(4,)],
    "When was Hill Farm opened?": [(date(2001, 5, 2),)],
    "Which farm has the most horses?": [("Lake Farm",)],
    "How many owners live in Ulm?": [(2,)],
    "How many farms were opened?": [(4,)],
    "How many inspections were good?": [(3,)],
}


@pytest.fixture(scope="module")
def run():
    with duckdb.connect() as connection:
        connection.execute(FARMS)
        yield lambda sql: connection.execute(sql).fetchall()


@pytest.fixture(scope="module")
def ask(run):
    with duckdb.connect() as connection:
        connection.execute(FARMS)
        analyst = Analyst(catalog_of(connection))
    return lambda question: analyst.ask(question, run=run)


@pytest.mark.parametrize("question", IN_VAIN)
def test_what_is_asked_and_names_nothing_is_refused_by_its_word(question, ask):
    found = ask(question)
    assert found.status == "cannot_answer", found.candidates[0].sql
    assert f"'{IN_VAIN[question]}'" in found.message


def test_a_refusal_tells_what_is_known_of_what_the_question_names(ask):
    assert "Of farm there is: farm_name, region, horses, opened." in ask("Which farms have a barn?").message
    assert "There is: farm, inspection, owner." in ask("Which tractors are the fastest?").message
    assert "Of inspection there is: inspected_on, result." in ask("Why did so many inspections fail?").message


def test_a_misspelt_name_is_asked_about(ask):
    assert "Did you mean opened?" in ask("Which farms have an opener?").message


@pytest.mark.parametrize("question", ANSWERED)
def test_what_is_asked_and_there_is_answered(question, ask, run):
    found = ask(question)
    assert found.status == "answered", found.message
    assert run(found.candidates[0].sql) == ANSWERED[question]


@pytest.mark.parametrize("question", ["How old are the owners of farms?", "How tall is Ada Long?"])
def test_an_amount_is_not_answered_with_texts(question, ask):
    assert ask(question).status == "cannot_answer"


def test_a_name_is_not_answered_with_itself(ask):
    assert ask("What does Hill Farm cost?").status == "cannot_answer"


@pytest.mark.parametrize(
    ("question", "status"),
    [
        ("Which owners are from Ulm?", "answered"),
        ("Which farms are from Ulm?", "answered"),  # a farm has one owner
        ("Which inspections come from Ulm?", "answered"),
        ("Which towns are from Hill Farm?", "cannot_answer"),
    ],
)
def test_where_a_thing_is_from_is_its_own(question, status, ask):
    assert ask(question).status == status
