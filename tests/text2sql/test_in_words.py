"""Options are words that tell readings apart; the name behind them finds each again, and picks it alone as well."""

import json
from pathlib import Path

import pytest
from tests.text2sql.catalogs import asking, names

from pluto_duck_backend.agent.replies import named
from pluto_duck_text2sql.asking_back.in_words import means, name_in

CASES = [json.loads(line) for line in (Path(__file__).parent / "in_words.jsonl").read_text().splitlines()]
TABLES = """
CREATE TABLE guest (guest_id INTEGER PRIMARY KEY, full_name VARCHAR, town VARCHAR, joined_on DATE, left_on DATE);
CREATE TABLE stay_booking (booking_id INTEGER PRIMARY KEY, guest_id INTEGER REFERENCES guest, booked_on DATE,
    arrival_date DATE, total DECIMAL(8, 2));
CREATE TABLE tbl_repairs (repair_id INTEGER PRIMARY KEY, guest_id INTEGER REFERENCES guest, received_at TIMESTAMP,
    finished_at TIMESTAMP, low_cost INTEGER, high_cost INTEGER);
CREATE TABLE pier (pier_id INTEGER PRIMARY KEY, pier_name VARCHAR, town VARCHAR, opened_on DATE, low_tide INTEGER,
    high_tide INTEGER);
CREATE TABLE sailing (sailing_id INTEGER PRIMARY KEY, from_pier_id INTEGER REFERENCES pier,
    to_pier_id INTEGER REFERENCES pier, sailed_on DATE);
COMMENT ON COLUMN pier.low_tide IS 'Depth at low water. In metres.';
COMMENT ON COLUMN pier.high_tide IS 'Depth at high water (m)';
COMMENT ON COLUMN tbl_repairs.low_cost IS 'FK to the cost table';
INSERT INTO guest VALUES (1, 'Ann', 'Oulu', '2023-01-02', NULL), (2, 'Ben', 'Pori', '2024-02-03', '2024-09-01'),
    (3, 'Cid', 'Oulu', '2023-05-06', NULL);
INSERT INTO stay_booking VALUES (1, 1, '2024-01-05', '2024-02-10', 90), (2, 1, '2024-01-09', '2024-01-20', 20),
    (3, 3, '2024-01-30', '2024-03-02', 95), (4, 1, '2023-12-20', '2024-01-02', 10),
    (5, 2, '2024-04-01', '2024-04-09', 80);
INSERT INTO tbl_repairs VALUES (1, 1, '2024-01-05 10:00', '2024-02-10 09:00', 10, 30),
    (2, 2, '2024-03-05 10:00', NULL, 15, 20);
INSERT INTO pier VALUES (1, 'North', 'Oulu', '1999-01-01', 2, 5), (2, 'South', 'Pori', '2001-01-01', 3, 4),
    (3, 'West', 'Turku', '2005-01-01', 1, 6);
INSERT INTO sailing VALUES (1, 1, 2, '2024-01-05'), (2, 1, 3, '2024-01-06'), (3, 2, 3, '2024-02-05'),
    (4, 1, 3, '2024-03-01');
"""


@pytest.fixture(scope="module")
def ask():
    with asking(TABLES) as asked:
        yield asked


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["question"])
def test_an_option_is_told_in_words(case, ask):
    found, _ = ask(case["question"])
    assert list(found.clarification.options) == case["options"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["question"])
def test_its_words_and_its_name_alone_give_the_same(case, ask):
    found, _ = ask(case["question"])
    by_words = [ask(case["question"], option)[1] for option in found.clarification.options]
    by_names = [ask(case["question"], name)[1] for name in names(found)]
    assert by_words == by_names
    assert len({str(rows) for rows in by_words}) == len(by_words)


OPTIONS = ("by the day the booking was made (booking.booked_on)", 'by "Oulu (north)" as its town (town = Oulu (north))')


@pytest.mark.parametrize(
    ("reply", "place"),
    [
        (OPTIONS[0], 0),
        ("by booking.booked_on", 0),
        ("booking.booked_on", 0),
        ("BOOKING.BOOKED_ON.", 0),
        ("the day it was made", None),
        ("booking was made", 0),
        ("1", 0),
        ("the second one", 1),
        ("by town = Oulu (north)", 1),
        ("town = Oulu (north)", 1),
        (OPTIONS[1], 1),
    ],
)
def test_a_reply_names_an_option_by_its_text_its_name_or_its_place(reply, place):
    assert named(reply, OPTIONS) == (None if place is None else OPTIONS[place])


def test_what_has_no_brackets_is_its_own_name():
    assert (name_in("by height"), name_in("paid after it was due")) == ("height", "paid after it was due")
    assert means("height", "by height") and not means("height", "by weight")
