"""Which words of a question may be asked back about: those that name something, not those that link or say when."""

from types import SimpleNamespace

import numpy as np
import pytest

from pluto_duck_text2sql.language.words import tokenise
from pluto_duck_text2sql.learned.explain import naming_words


@pytest.mark.parametrize(
    ("question", "places", "said"),
    [
        ("Who solved the most tickets last year?", [5], ""),
        ("days from coming on the market to completion", [3], ""),
        ("List customers by last name", [3, 4], "last name"),
        ("revenue by region", [2], "region"),
    ],
)
def test_words_that_only_link_others_name_nothing(question, places, said):
    assert naming_words(SimpleNamespace(tokens=tokenise(question)), np.array(places)) == said
