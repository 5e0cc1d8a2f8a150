"""Numbers that no column holds and names without a word in them: asked and read as any other."""

import pytest
from tests.text2sql.catalogs import asking

from pluto_duck_text2sql.language.sounds import sounds_like

_HUGE = "9" * 400
_TABLES = """
    CREATE TABLE machines (machine_id INTEGER PRIMARY KEY, machine_name VARCHAR, speed INTEGER, installed_on DATE);
    INSERT INTO machines VALUES (1, 'Press', 20, '2024-01-03'), (2, 'Mill', 30, '2024-02-03');
"""
_HYPHENED = [f"first{n}-rate{n}" for n in range(100)]


@pytest.mark.parametrize("number", ["99999999999999999999", _HUGE])
@pytest.mark.parametrize("question", ["top {} machines by speed", "worst {} machines", "machines of the last {} years"])
def test_a_number_beyond_all_bounds_is_no_crash(question, number):
    with asking(_TABLES) as ask:
        ask(question.format(number))


def test_more_rows_than_there_can_be_are_all_of_them():
    with asking(_TABLES) as ask:
        _, rows = ask("top 99999999999999999999 machines by speed")
    assert [row[0] for row in rows] == ["Mill", "Press"]


@pytest.mark.parametrize("name", ["_", "__", " "])
def test_a_table_whose_name_has_no_word_keeps_nobody_from_asking(name):
    with asking(f'{_TABLES} CREATE TABLE "{name}" ("{name}" VARCHAR, made_on DATE);') as ask:
        _, rows = ask("how many machines are there")
    assert rows == [(2,)]


def test_what_is_too_long_for_a_word_sounds_like_nothing():
    assert sounds_like("x" * 3000) == []


@pytest.mark.parametrize("lead", ["", "how many ", "which machines are "])
def test_a_hundred_hyphenated_words_that_name_nothing_are_declined_with_the_first_of_them(lead):
    with asking(_TABLES) as ask:
        found, rows = ask(f"{lead}{' '.join(_HYPHENED)}?")
    assert (found.status, rows) == ("cannot_answer", None)
    assert found.message.startswith("Nothing here is called 'first0-rate0")
    assert len(found.message) < 500


def test_a_long_follow_up_that_fits_nothing_is_declined_with_the_first_of_its_words():
    with asking(_TABLES) as ask:
        found, _ = ask(f"and {' '.join(_HYPHENED)}?", history=("how many machines are there",))
    assert found.status == "cannot_answer"
    assert "first0-rate0" in found.message
    assert len(found.message) < 500
