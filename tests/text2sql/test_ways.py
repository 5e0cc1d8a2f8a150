"""Two keys between the same tables: the one that the question says is gone by; where it says none, it is asked."""

import pytest
from tests.text2sql.catalogs import asking, names

TABLES = """
CREATE TABLE harbour (harbour_id INTEGER PRIMARY KEY, name VARCHAR);
CREATE TABLE sailing (sailing_id INTEGER PRIMARY KEY, start_harbour_id INTEGER REFERENCES harbour (harbour_id),
    end_harbour_id INTEGER REFERENCES harbour (harbour_id), miles INTEGER);
CREATE TABLE clerk (clerk_id INTEGER PRIMARY KEY, name VARCHAR);
CREATE TABLE fault (fault_id INTEGER PRIMARY KEY, reported_by INTEGER REFERENCES clerk (clerk_id),
    closed_by INTEGER REFERENCES clerk (clerk_id), text VARCHAR);
CREATE TABLE language (language_id INTEGER PRIMARY KEY, name VARCHAR);
CREATE TABLE play (play_id INTEGER PRIMARY KEY, title VARCHAR,
    original_language_id INTEGER REFERENCES language (language_id),
    language_id INTEGER REFERENCES language (language_id));
INSERT INTO harbour VALUES (1, 'Turku'), (2, 'Kemi'), (3, 'Pori');
INSERT INTO sailing VALUES (1, 1, 2, 30), (2, 1, 2, 50), (3, 2, 2, 7), (4, 3, 1, 90);
INSERT INTO clerk VALUES (1, 'Ann'), (2, 'Ben');
INSERT INTO fault VALUES (1, 1, 2, 'x'), (2, 1, 2, 'y'), (3, 2, 2, 'z');
INSERT INTO language VALUES (1, 'Finnish'), (2, 'Danish');
INSERT INTO play VALUES (1, 'Aava', 1, 2), (2, 'Bo', 1, 2), (3, 'Ceto', 2, 1);
"""
HARBOURS = ["sailing.start_harbour_id", "sailing.end_harbour_id"]
CLERKS = ["fault.reported_by", "fault.closed_by"]


@pytest.fixture(scope="module")
def ask():
    with asking(TABLES) as asked:
        yield asked


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("How many sailings are there for each harbour? Name and count.", HARBOURS),
        ("Which harbour has the most sailings?", HARBOURS),
        ("How many faults does each clerk have? Name and number.", CLERKS),
    ],
)
def test_what_nothing_decides_is_asked(question, options, ask):
    found, _ = ask(question)
    assert found.status == "needs_input"
    assert sorted(names(found)) == sorted(options)


@pytest.mark.parametrize(("option", "rows"), [(HARBOURS[0], [("Turku",)]), (HARBOURS[1], [("Kemi",)])])
def test_an_option_is_the_key_that_is_gone_by(option, rows, ask):
    found, shown = ask("Which harbour has the most sailings?", option)
    assert (found.status, shown) == ("answered", rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many sailings ended at each harbour? Name and count.", {("Kemi", 3), ("Turku", 1)}),
        ("How many sailings started at each harbour? Name and count.", {("Turku", 2), ("Kemi", 1), ("Pori", 1)}),
        ("What are the total miles of the sailings to each harbour? Name and miles.", {("Kemi", 87), ("Turku", 90)}),
        ("How many faults did each clerk close? Name and number.", {("Ben", 3)}),
        ("How many faults did each clerk report? Name and number.", {("Ann", 2), ("Ben", 1)}),
        ("How many plays are there in each language? Language name and count.", {("Danish", 2), ("Finnish", 1)}),
        ("How many plays are there for each original language? Language name and count.",
         {("Finnish", 2), ("Danish", 1)}),
    ],
)  # fmt: skip
def test_a_word_of_a_key_decides_and_else_the_one_that_is_called_plainly(question, rows, ask):
    found, shown = ask(question)
    assert found.status == "answered", found.clarification
    assert set(shown) == rows
