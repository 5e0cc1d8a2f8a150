"""What a question leaves open is asked back, each way with its own rows; what says more is answered."""

import contextlib
import json
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest
from tests.text2sql.catalogs import asking, catalog_of, names

from pluto_duck_text2sql import Analyst
from pluto_duck_text2sql.language.glossary import read_glossary

FOLDER = Path(__file__).parent / "left_open"
FILES = sorted(FOLDER.glob("*.jsonl"))
CASES = [(path.stem, json.loads(line)) for path in FILES for line in path.read_text().splitlines()]
OPEN = [pytest.param(*each, id=each[1]["question"]) for each in CASES if "ways" in each[1]]
PLAIN = [pytest.param(*each, id=each[1]["question"]) for each in CASES if "rows" in each[1]]


@pytest.fixture(scope="module")
def ask():
    """Asks of the database called so, by a question and the option picked."""
    with contextlib.ExitStack() as opened:
        asked = {each.stem: opened.enter_context(asking((FOLDER / f"{each.stem}.sql").read_text())) for each in FILES}
        yield lambda db, *question: asked[db](*question)


@pytest.mark.parametrize(("db", "case"), OPEN)
def test_it_is_asked_back_and_each_way_finds_its_rows(db, case, ask):
    found, _ = ask(db, case["question"])
    assert found.status == "needs_input"
    assert set(names(found)) == set(case["ways"])
    picked = {label: ask(db, case["question"], label) for label in case["ways"]}
    assert {each.status for each, _ in picked.values()} == {"answered"}
    assert {label: [list(row) for row in rows] for label, (_, rows) in picked.items()} == case["ways"]


@pytest.mark.parametrize(("db", "case"), PLAIN)
def test_what_says_more_is_answered(db, case, ask):
    found, rows = ask(db, case["question"])
    assert found.status == "answered"
    assert [list(row) for row in rows] == case["rows"]


def test_what_is_left_out_closes_what_was_open(ask):
    found, rows = ask("climbing", "How many sessions did we have in 2024, cancelled ones not counted?")
    assert (found.status, rows) == ("answered", [(4,)])


WASHES = """
CREATE TABLE wash (wash_id INTEGER PRIMARY KEY, pick_dt DATE, dlv_dt DATE, kilos INTEGER);
INSERT INTO wash VALUES (1, '2024-01-30', '2024-02-02', 5), (2, '2024-02-03', '2024-02-05', 7),
    (3, '2024-02-27', '2024-03-01', 9), (4, '2024-01-12', '2024-01-15', 2);
"""


@pytest.mark.parametrize("said", ["by pick-up date", "going by pick-up date", "by the pickup date"])
def test_a_date_called_by_its_verb_alone_is_said_with_its_particle(said):
    with asking(WASHES) as asked:
        found, rows = asked(f"How many washes were there in February 2024, {said}?")
    assert (found.status, rows) == ("answered", [(2,)])


@pytest.mark.parametrize("line", ["revenue: sum of invoice.amount", "revenue = invoice.amount"])
def test_what_the_glossary_says_is_not_open(line):
    with duckdb.connect() as connection:
        connection.execute((FOLDER / "climbing.sql").read_text())
        catalog = replace(catalog_of(connection), glossary=tuple(read_glossary(f"- {line}", "words.md")))
        analyst = Analyst(catalog)
        found = analyst.ask("What was our revenue in 2024?", run=lambda sql: connection.execute(sql).fetchall())
        rows = connection.execute(found.candidates[0].sql).fetchall()
    assert (found.status, rows) == ("answered", [(205,)])


def test_a_column_without_a_word_in_its_name_is_no_place():
    with asking(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, \"_\" VARCHAR); INSERT INTO t VALUES (1, 'Oslo'), (2, 'Bern')"
    ) as ask:
        found, _ = ask("How many t are in Oslo?")
    assert found.status in ("answered", "cannot_answer")


HAULS = """
CREATE TABLE haul (haul_id INTEGER PRIMARY KEY, scheduled_for DATE, done_on DATE, kilometres INTEGER);
INSERT INTO haul VALUES (1, '2024-05-30', '2024-06-02', 5), (2, '2024-06-03', '2024-06-05', 7),
    (3, '2024-06-27', '2024-07-01', 9), (4, '2024-06-12', '2024-06-15', 2), (5, '2024-06-20', '2024-07-02', 3);
"""


@pytest.mark.parametrize("asked", ["How many hauls were there in June 2024?", "how many hauls in June 2024"])
def test_what_was_planned_for_one_day_and_done_on_another_is_asked_about(asked):
    with asking(HAULS) as ask:
        found, _ = ask(asked)
    assert set(names(found)) == {"by haul.scheduled_for", "by haul.done_on"}


@pytest.mark.parametrize(("said", "count"), [("were done in", 3), ("were scheduled for", 4)])
def test_a_word_for_one_of_the_days_settles_it(said, count):
    with asking(HAULS) as ask:
        found, rows = ask(f"How many hauls {said} June 2024?")
    assert (found.status, rows) == ("answered", [(count,)])


LENDING = """
CREATE TABLE title (title_id INTEGER PRIMARY KEY, title_name VARCHAR);
CREATE TABLE copy (copy_id INTEGER PRIMARY KEY, title_id INTEGER REFERENCES title, shelf VARCHAR);
CREATE TABLE member (member_id INTEGER PRIMARY KEY, member_name VARCHAR);
CREATE TABLE loan (loan_id INTEGER PRIMARY KEY, copy_id INTEGER REFERENCES copy, member_id INTEGER REFERENCES member,
    loaned_on DATE);
CREATE TABLE reservation (reservation_id INTEGER PRIMARY KEY, title_id INTEGER REFERENCES title, reserved_on DATE);
INSERT INTO title VALUES (1, 'Dune'), (2, 'Emma'), (3, 'Kim');
INSERT INTO copy VALUES (1, 1, 'A'), (2, 2, 'A'), (3, 3, 'B'), (4, 3, 'B'), (5, 3, 'B');
INSERT INTO member VALUES (1, 'Ann'), (2, 'Ben');
INSERT INTO loan SELECT i, CASE WHEN i < 6 THEN 1 WHEN i < 9 THEN 3 ELSE 2 END, i % 2 + 1,
    DATE '2024-01-01' + CAST(i AS INTEGER) FROM range(1, 10) t(i);
INSERT INTO reservation SELECT i, CASE WHEN i < 5 THEN 2 WHEN i < 7 THEN 1 ELSE 3 END,
    DATE '2024-02-01' + CAST(i AS INTEGER) FROM range(1, 8) t(i);
"""


@pytest.mark.parametrize("asked", ["most popular titles, top 2", "most popular title"])
def test_what_is_done_with_the_pieces_of_a_thing_makes_it_popular_too(asked):
    with asking(LENDING) as ask:
        found, _ = ask(asked)
    assert {"by number of loan", "by number of reservation"} <= set(names(found))
    assert len(set(found.clarification.options)) == len(found.clarification.options)
