"""What words are known as others for values, and which sound the same; questions are in otherwise/ (test_cases)."""

import pytest

from pluto_duck_text2sql.language.otherwise import otherwise
from pluto_duck_text2sql.language.sounds import sounds_like


@pytest.mark.parametrize(
    ("words", "text"),
    [("Germans", "Germany"), ("german", "Germany"), ("the States", "United States"), ("US", "United States")],
)
def test_a_country_is_known_by_those_who_live_there(words, text):
    assert text in otherwise(words)[0].texts


def test_a_city_is_known_by_its_letters_beside_the_state_of_the_same():
    assert {text for each in otherwise("LA") for text in each.texts} == {"Louisiana", "Los Angeles"}


def test_a_code_in_lower_case_is_a_word_of_the_language():
    assert not otherwise("us")


@pytest.mark.parametrize(("word", "other"), [("schumaker", "schumacher"), ("jonson", "johnson"), ("filip", "philip")])
def test_what_sounds_the_same(word, other):
    assert other in sounds_like(word)
    assert word not in sounds_like(word)
