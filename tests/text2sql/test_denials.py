"""A stored value that is named only to deny it is denied."""

import pytest

from pluto_duck_text2sql.corrections.denials import turned
from pluto_duck_text2sql.tree import Col, Compare

STATE = Col(("main", "rental"), "state")
CANCELLED = Compare(STATE, "=", "cancelled")


@pytest.mark.parametrize(
    "question",
    [
        "rentals by branch. Ignore cancelled rentals.",
        "rentals by branch, ignoring the cancelled ones",
        "rentals by branch, skipping any cancelled ones",
        "rentals by branch; leave out cancelled ones",
        "rentals by branch, excluding cancelled ones",
        "rentals that were not cancelled",
        "rentals that weren't already cancelled",
    ],
)
def test_it_is_denied(question):
    assert turned(CANCELLED, question) == Compare(STATE, "!=", "cancelled")


@pytest.mark.parametrize(
    "question",
    [
        "cancelled rentals by branch",
        "cancelled rentals by branch, ignoring returned ones",
        "cancelled rentals. Ignore those cancelled by us.",
        "leave the cancelled rentals to the last",
        "do not ignore cancelled rentals",
        "don't leave out cancelled rentals",
        "never skip cancelled rentals",
        "rentals by branch, not ignoring cancelled ones",
        "customers who skip cancelled rentals",
    ],
)
def test_it_holds(question):
    assert turned(CANCELLED, question) == CANCELLED
