"""What each rule is worth is counted by suite and part; one that is left out changes nothing."""

from tests.text2sql.catalogs import asking

from pluto_duck_training.rules import SUITES, Asked, Switch, counts, switched
from pluto_duck_training.suites import cases

_TABLES = """
CREATE TABLE riders (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE rides (id INTEGER PRIMARY KEY, rider_id INTEGER REFERENCES riders (id), km INTEGER);
INSERT INTO riders VALUES (1, 'Ann'), (2, 'Bo'), (3, 'Cy');
INSERT INTO rides VALUES (1, 1, 5), (2, 1, 9), (3, 2, 7);
"""


def test_each_rule_is_counted_in_each_part_by_itself():
    found = counts(
        [
            Asked("a, looked at", True, {"nth": False, "sold": True}),
            Asked("a, looked at", False, {"nth": True}),
            Asked("a, never looked at", False, {"nth": False}),
        ]
    )
    assert found == {
        "a, looked at: nth": 2,
        "a, looked at: nth, won": 1,
        "a, looked at: nth, lost": 1,
        "a, looked at: sold": 1,
        "a, looked at: sold, won": 0,
        "a, looked at: sold, lost": 0,
        "a, never looked at: nth": 1,
        "a, never looked at: nth, won": 0,
        "a, never looked at: nth, lost": 0,
    }


def test_a_rule_that_changes_something_is_noted_and_one_that_is_off_changes_nothing():
    switch = Switch()
    doubled = switch.over("doubled", lambda number: 2 * number, lambda number: number)
    assert doubled(0) == 0
    assert not switch.worked
    assert doubled(2) == 4
    assert switch.worked == {"doubled"}
    switch.off = "doubled"
    assert doubled(2) == 2


def test_a_question_is_asked_without_the_frame_that_answers_it():
    with switched() as switch, asking(_TABLES) as asked:
        _, rows = asked("Percentage of riders with a ride")
        assert "frame event_rates" in switch.worked
        switch.off, switch.worked = "frame event_rates", set()
        assert asked("Percentage of riders with a ride")[1] == rows
        assert "frame event_rates" not in switch.worked


def test_every_suite_named_is_there():
    assert {suite for suite, _ in cases(SUITES)} == {*SUITES}
