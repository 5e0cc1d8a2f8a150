"""What several readings fit is asked back, each reading an option; an option picked gives that reading and no other."""

import json
from pathlib import Path

import duckdb
import pytest
from tests.text2sql.catalogs import catalog_of, names

from pluto_duck_text2sql import Analyst

CASES = [json.loads(line) for line in (Path(__file__).parent / "doubts.jsonl").read_text().splitlines()]
TABLES = """
CREATE TABLE guest (guest_id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR);
CREATE TABLE visit (visit_id INTEGER PRIMARY KEY, guest_id INTEGER REFERENCES guest, arrival_date DATE,
    departure_date DATE, total DECIMAL(8, 2));
CREATE TABLE tower (tower_id INTEGER PRIMARY KEY, tower_name VARCHAR, height INTEGER, storeys INTEGER,
    low_estimate INTEGER, high_estimate INTEGER, town VARCHAR);
CREATE TABLE parcel (parcel_id INTEGER PRIMARY KEY, guest_id INTEGER REFERENCES guest, packed_on DATE, sent_on DATE,
    accepted_on DATE, weight INTEGER);
INSERT INTO guest VALUES (1, 'Ann', 'Oulu'), (2, 'Ben', 'Pori'), (3, 'Cid', 'Oulu'), (4, 'Dot', 'Lahti');
INSERT INTO visit VALUES (1, 1, '2024-01-05', '2024-02-01', 10), (2, 1, '2024-01-09', '2024-01-10', 10),
    (3, 2, '2024-02-01', '2024-03-04', 90), (4, 3, '2024-03-02', '2024-03-09', 30),
    (5, 4, '2024-03-03', '2024-04-02', 5);
INSERT INTO tower VALUES (1, 'Koi', 220, 50, 3, 9, 'Oulu'), (2, 'Mitikah', 210, 67, 5, 8, 'Turku'),
    (3, 'Tall', 190, 40, 4, 20, 'Oulu');
INSERT INTO parcel VALUES (1, 1, '2024-01-05', '2024-01-30', '2024-02-03', 3), (4, 3, '2024-03-05', '2024-03-30',
    '2024-04-03', 9), (2, 1, '2024-01-25', '2024-02-01', '2024-02-03', 5), (3, 2, '2024-02-05', '2024-03-01',
    '2024-03-03', 1);
"""


@pytest.fixture(scope="module")
def ask():
    with duckdb.connect() as connection:
        connection.execute(TABLES)
        analyst = Analyst(catalog_of(connection))

        def run(sql):
            return connection.execute(sql).fetchall()

        yield lambda question, choice=None: analyst.ask(question, run=run, choice=choice)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["question"])
def test_it_is_asked_back_with_each_reading_or_answered(case, ask):
    found = ask(case["question"])
    assert names(found) == case["options"]
    assert found.status == ("needs_input" if case["options"] else "answered")


@pytest.mark.parametrize("case", [each for each in CASES if each["options"]], ids=lambda case: case["question"])
def test_an_option_gives_the_reading_that_it_stands_for(case, ask):
    asked = ask(case["question"])
    picked = [ask(case["question"], label) for label in asked.clarification.options]
    given = [each.candidates[0].sql for each in picked]
    assert {each.status for each in picked} == {"answered"}
    assert given == [each.sql for each in asked.candidates[: len(given)]]
    assert len(set(given)) == len(given)


def test_a_date_that_another_would_fit_as_well_is_asked(ask):
    found = ask("How many parcels were there in January 2024?")
    assert found.status == "needs_input"
    assert {"parcel.sent_on", "parcel.packed_on"} <= set(names(found))


@pytest.mark.parametrize("deed", ["packed", "shipped"])
def test_a_date_is_no_doubt_where_the_question_tells_what_was_done(deed, ask):
    found = ask(f"How many parcels were {deed} in January 2024?")
    assert found.status == "answered"
    assert not any("would fit too" in each for each in found.candidates[0].assumptions)
