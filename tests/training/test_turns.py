"""Which turns tell how sure answers in dialogues are, and how much."""

import pytest

from pluto_duck_text2sql.certainty import TurnGrounds
from pluto_duck_text2sql.learned.ranking import on_curve
from pluto_duck_training import suites
from pluto_duck_training.calibrate import Sample, curve


def test_only_turns_whose_answer_is_known_are_asked():
    every = [case for _, case in suites.turns()]
    assert every
    assert all(case.history and (case.rows is not None or not case.answerable) for case in every)


def test_turns_that_nobody_has_looked_at_tell_more():
    short = TurnGrounds.of(0.9, "by month", 1)
    some = [Sample("seen", "one", short, 0.9, True, 0.25)] * 40 + [Sample("unseen", "two", short, 0.9, False)] * 40
    assert on_curve(curve(some), short.told()) == pytest.approx(0.2, abs=0.02)
