"""Figures listed as people call them, in the words that every reader knows."""

import pytest

from pluto_duck_text2sql.rewording.listed_figures import in_listed_figures


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("What do they earn typically, at most and together?", "What do they earn on average, at most and in total?"),
        ("what did it cost in all and on average", "what did it cost in total and on average"),
        ("What do they usually earn?", "What do they usually earn?"),
        ("which typically sell together", "which typically sell together"),
    ],
)
def test_the_figures_of_a_list_are_called_as_readers_know_them(said, meant):
    assert in_listed_figures(said) == meant
