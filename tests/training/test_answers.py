"""What the whole analyst makes of databases that nothing in it had seen: what is not answered is not right."""

import pytest

from pluto_duck_training.answers import Answer, figures


def answer(status, right=False, confidence=0.0):
    return Answer("one", "db", status, right, confidence, None)


def test_what_is_refused_or_asked_back_counts_as_not_right():
    every = [
        answer("answered", True, 0.9),
        answer("answered", False, 0.1),
        answer("cannot_answer"),
        answer("needs_input"),
    ]
    found = figures(every)
    assert found["right"] == 0.25
    assert found["cannot_answer"] == found["needs_input"] == 0.25
    assert found["accuracy"] == 0.5, "of what is answered"


def test_confidence_is_judged_by_the_answers_alone():
    every = [*([answer("answered", True, 0.75)] * 3), answer("answered", False, 0.75), *([answer("cannot_answer")] * 4)]
    assert figures(every)["ece"] == pytest.approx(0.0)
