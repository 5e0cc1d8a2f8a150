"""How sure answers say they are is fitted to whether they were right, and measured on databases not fitted on."""

import json
from dataclasses import fields

import pytest

from pluto_duck_text2sql.certainty import Grounds
from pluto_duck_text2sql.learned.ranking import on_curve
from pluto_duck_training import confidence
from pluto_duck_training.calibrate import Sample, figures


def grounds(ranked):
    none = dict.fromkeys((each.name for each in fields(Grounds)), 0.0)
    return Grounds(**{**none, "ranked": ranked})


def samples(database, rights):
    """Answers about a database, all alike but for how they came out."""
    return [Sample("suite", database, grounds(n % 2), 0.5, right) for n, right in enumerate(rights)]


def test_a_database_is_measured_by_a_curve_that_had_not_seen_it():
    found = figures([*samples("one", [True] * 20), *samples("two", [False] * 20)])
    assert found["suite: right"] == 0.5
    assert found["suite: ece, before"] == pytest.approx(0.0)  # all said half, and half were right
    assert found["suite: ece, now"] > 0.9  # each database's curve knows the other alone


def test_answers_that_were_righter_than_they_said_say_more():
    found = figures([each for name in ("one", "two") for each in samples(name, [True] * 9 + [False])])
    assert found["suite: ece, before"] == pytest.approx(0.4)
    assert found["suite: ece, now"] < 0.1


def test_samples_that_count_less_move_the_curve_less():
    some = [(grounds(0).told(), True)] * 10 + [(grounds(0).told(), False)] * 10
    even = on_curve(confidence.fit_curve(some, bent=False), grounds(0).told())
    tilted = on_curve(confidence.fit_curve(some, bent=False, counts=[1.0] * 10 + [0.25] * 10), grounds(0).told())
    assert (even, tilted) == (pytest.approx(0.5, abs=0.01), pytest.approx(0.8, abs=0.01))


def test_a_step_writes_its_curves_and_leaves_the_others(tmp_path):
    path = tmp_path / "curves.json"
    confidence.write(path, {"right": 1, "answerable": 2})
    confidence.write(path, {"certain": 3})
    assert json.loads(path.read_text()) == {"right": 1, "answerable": 2, "certain": 3}
