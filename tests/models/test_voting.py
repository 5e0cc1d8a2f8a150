"""A model's rows held against those of the embedded analyst's readings: what is agreement, and who hears of dissent."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from pluto_duck_backend.agent.providers.contract import Draft
from pluto_duck_backend.agent.providers.voting import Voting
from pluto_duck_text2sql.analysis import Analysis, Candidate
from pluto_duck_text2sql.tree import Query

ROWS = {
    "model": [("May", 3, 30.0), ("June", 4, 40.0)],
    "counts": [("May", 3), ("June", 4)],
    "more": [("May", 3, 30.0, "x"), ("June", 4, 40.0, "y")],
    "crossed": [("May", 4), ("June", 3)],
    "longer": [("May", 3), ("June", 4), ("July", 5)],
}
SAID = "The embedded analyst would have answered otherwise"


def _judged(rival, confidence, second=None):
    run = SimpleNamespace(emit=lambda *events: None)
    analysis = Analysis("answered", (Candidate(rival, confidence, "", (), (), Query(("main", "t"), ())),))
    draft = Draft("model", 0.9, provider="model")
    again = (lambda: replace(draft, sql=second)) if second else None
    return Voting(lambda sql, most: ROWS[sql]).judge(draft, analysis, run, again)


@pytest.mark.parametrize(
    ("rival", "agrees"), [("model", True), ("counts", True), ("more", True), ("crossed", False), ("longer", False)]
)
def test_who_tells_a_column_more_or_less_says_the_same(rival, agrees):
    assert (_judged(rival, 0.6).confidence > 0.9) is agrees


@pytest.mark.parametrize(
    ("confidence", "second", "is_told"),
    [(0.3, None, False), (0.6, None, True), (0.6, "model", False), (0.97, "model", True)],
)
def test_a_rival_is_told_of_where_it_is_likely_and_leaves_a_doubt(confidence, second, is_told):
    judged = _judged("crossed", confidence, second)
    assert any(each.startswith(SAID) for each in judged.assumptions) is is_told
    assert judged.confidence < 0.85 or second
