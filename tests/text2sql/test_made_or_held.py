"""Bookings keep two days: when they were made and for when. A number of them in a period may mean either."""

import pytest
from tests.text2sql.catalogs import asking, names

TABLES = """
CREATE TABLE boat (boat_id INTEGER PRIMARY KEY, boat_name VARCHAR);
CREATE TABLE booking (booking_id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boat, booked_on DATE, departure DATE,
    price INTEGER);
CREATE TABLE trip (trip_id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boat, reserved_on DATE, starts_on DATE);
INSERT INTO boat VALUES (1, 'Ahti'), (2, 'Vellamo');
INSERT INTO booking VALUES (1, 1, '2024-04-02', '2024-05-01', 10), (2, 1, '2024-05-02', '2024-05-20', 20),
    (3, 2, '2024-05-03', '2024-06-05', 30), (4, 2, '2024-04-09', '2024-05-30', 10);
INSERT INTO trip VALUES (1, 1, '2024-04-02', '2024-05-01'), (2, 1, '2024-05-02', '2024-05-20'),
    (3, 2, '2024-05-03', '2024-06-05'), (4, 2, '2024-04-09', '2024-05-30');
"""


@pytest.fixture(scope="module")
def ask():
    with asking(TABLES) as asked:
        yield asked


@pytest.mark.parametrize("question", ["How many bookings did we have in May 2024?", "number of bookings in May 2024"])
def test_which_day_is_asked_and_an_option_counts_by_it(ask, question):
    found, _ = ask(question)
    assert found.status == "needs_input"
    assert set(names(found)) == {"booking.booked_on", "booking.departure"}
    assert ask(question, "booking.booked_on")[1] == [(2,)]
    assert ask(question, "booking.departure")[1] == [(3,)]


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("How many bookings were made in May 2024?", 2),
        ("How many bookings had their departure in May 2024?", 3),
        ("How many trips did we have in May 2024?", 3),
        ("How many bookings do we have?", 4),
    ],
)
def test_nothing_is_asked_where_words_tell_which_day_or_what_is_counted_is_the_event_itself(ask, question, count):
    assert ask(question)[1] == [(count,)]
