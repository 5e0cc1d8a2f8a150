"""How much choosing better among the readings that are there could bring is counted by suite and part."""

from pluto_duck_training.gaps import SUITES, Chosen, counts
from pluto_duck_training.suites import cases


def test_each_part_of_a_suite_is_counted_by_itself():
    found = counts([Chosen("a, looked at", True, True, True), Chosen("a, looked at", False, False, True)])
    assert found == {
        "a, looked at: questions": 2,
        "a, looked at: answered rightly": 1,
        "a, looked at: first": 1,
        "a, looked at: there": 2,
    }


def test_a_part_of_which_nothing_is_right_is_told_too():
    assert counts([Chosen("a", False, False, False)])["a: there"] == 0


def test_every_suite_named_is_there():
    assert {suite for suite, _ in cases(SUITES)} == {*SUITES}
