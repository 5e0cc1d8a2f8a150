"""What a message means after the turns before it."""

import pytest

from pluto_duck_backend.agent.conversation import Turn, understand
from pluto_duck_text2sql import Earlier

ASKED = Turn("Sales by country", "needs_input", ("the customer's country", "the billing country"))


@pytest.mark.parametrize("message", ["2", "the billing country", "The billing country.", "billing"])
def test_a_message_that_names_an_option_chooses_it(message):
    ask = understand(message, [ASKED])
    assert (ask.question, ask.choice) == ("Sales by country", "the billing country")


@pytest.mark.parametrize("message", ["3", "country", "How many customers are there?", "0"])
def test_any_other_message_is_a_question_of_its_own(message):
    ask = understand(message, [ASKED])
    assert (ask.question, ask.choice) == (message, None)


def test_history_holds_what_was_answered_as_it_was_meant():
    turns = [ASKED, Turn("1", "succeeded"), Turn("nonsense", "cannot_answer")]
    assert understand("and by month?", turns).history == (Earlier("Sales by country", "the customer's country"),)
    assert understand("and by month?", turns).choice is None


def test_a_message_about_drawing_asks_the_last_question_again():
    turns = [Turn("revenue by month", "succeeded"), Turn("and for 2024?", "succeeded")]
    ask = understand("as a bar chart", turns)
    assert (ask.question, ask.before) == ("and for 2024? as a bar chart", ("revenue by month",))
    later = understand("as a line chart", [*turns, Turn("as a bar chart", "succeeded")])
    assert (later.question, later.before) == ("and for 2024? as a line chart", ("revenue by month",))
    assert understand("as a bar chart", []).question == "as a bar chart"
