"""What a message means after the turns before it."""

import pytest

from pluto_duck_backend.agent.conversation import Turn, understand
from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_text2sql import Earlier

ASKED = Turn("Sales by country", "needs_input", ("the customer's country", "the billing country"))


@pytest.mark.parametrize(
    "message",
    ["2", "#2", "option 2", "the second one", "the billing country", "The billing country.", "billing", "Billing one"],
)
def test_a_message_that_names_an_option_chooses_it(message):
    ask = understand(message, [ASKED])
    assert (ask.question, ask.choice) == ("Sales by country", "the billing country")


@pytest.mark.parametrize("message", ["country", "How many customers are there?", "billing 2024"])
def test_any_other_message_is_a_question_of_its_own(message):
    ask = understand(message, [ASKED])
    assert (ask.question, ask.choice) == (message, None)


@pytest.mark.parametrize("message", ["3", "0", "option 7"])
def test_a_number_that_no_option_has_asks_the_question_again(message):
    ask = understand(message, [ASKED])
    assert (ask.question, ask.choice) == ("Sales by country", None)


@pytest.mark.parametrize(("reply", "option"), [("the unit prices", "Track.UnitPrice"), ("line items", "LineItem.cost")])
def test_an_option_is_named_by_the_words_its_name_is_made_of(reply, option):
    asked = Turn("the average", "needs_input", ("Track.UnitPrice", "LineItem.cost"))
    assert understand(reply, [asked]).choice == option


def test_a_question_back_stays_open_until_something_is_answered():
    lost = [ASKED, Turn("banana", "cannot_answer"), Turn("nope", "failed")]
    assert understand("2", lost).choice == "the billing country"
    assert understand("2", [*lost, Turn("How many customers?", "succeeded")]).choice is None
    assert understand("2", [ASKED, Turn("1", "cannot_answer")]).choice is None


def test_a_call_to_approve_is_spoken_of_at_once_or_not_at_all():
    asked = Turn("Sales", "needs_input", ("yes", "no"), approval={"tool": "load"})
    assert understand("yes", [asked]).approval == {"tool": "load", "choice": "yes"}
    assert understand("yes", [asked, Turn("banana", "cannot_answer")]).approval is None


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


UNSURE = Turn("best clients", "succeeded", others=("Sum of paid by client", "Number of orders by client, 2024"))


@pytest.mark.parametrize(
    "message", ["rather: Number of orders by client, 2024", "Rather: 2", " rather: orders", "rather:2"]
)
def test_another_reading_of_what_was_just_answered_asks_it_again(message):
    ask = understand(message, [Turn("revenue", "succeeded"), UNSURE])
    assert (ask.question, ask.choice) == ("best clients", "Number of orders by client, 2024")
    assert ask.history == (Earlier("revenue"),)


def test_what_comes_after_leans_on_the_reading_that_was_picked():
    picked = Turn("rather: 2", "succeeded")
    ask = understand("and by month?", [UNSURE, picked])
    assert ask.history == (Earlier("best clients", "Number of orders by client, 2024"),)
    assert understand("rather: 1", [UNSURE, picked]).choice == "Sum of paid by client"
    assert understand("rather: 1", [UNSURE, Turn("rather: 2", "failed")]).choice == "Sum of paid by client"


def test_a_first_message_is_a_question_whatever_it_begins_with():
    assert understand("rather: 2024", []).question == "rather: 2024"


@pytest.mark.parametrize("message", ["rather: the weather", "rather", "rather:"])
def test_what_was_not_offered_is_a_message_of_its_own(message):
    ask = understand(message, [UNSURE])
    assert (ask.question, ask.choice) == (message, None)


@pytest.mark.parametrize(
    ("message", "turns", "hint"),
    [
        ("rather: 3", [UNSURE], "`rather: 2` (Number of orders by client, 2024)"),
        ("rather: 0", [UNSURE], "`rather: 1` (Sum of paid by client)"),
        ("rather: 2", [UNSURE, Turn("how many clients?", "succeeded")], "other words"),
    ],
    ids=["too high", "zero", "only the last answer can be read otherwise"],
)
def test_a_number_that_was_not_offered_is_an_error_that_names_what_was(message, turns, hint):
    with pytest.raises(InvalidInput, match=f"`{message}` names no reading") as told:
        understand(message, turns)
    assert hint in told.value.hint
    assert understand("and now?", [*turns, Turn(message, "failed")]).question == "and now?"


def test_a_reading_that_asks_back_still_takes_the_place_of_the_first():
    back = Turn("rather: 2", "needs_input", ("by day", "by week"))
    assert understand("1", [UNSURE, back]).history == ()
    assert understand("and by month?", [UNSURE, back, Turn("1", "succeeded")]).history == (
        Earlier("best clients", "by day"),
    )


def test_a_reading_that_finds_nothing_leaves_the_question_back_open():
    turns = [UNSURE, ASKED, Turn("rather: 2", "failed")]
    assert understand("2", turns).choice == "the billing country"


def test_what_another_drawing_may_mean_can_be_picked():
    drawn = Turn("as a bar chart", "succeeded", others=("Average paid by client",))
    assert understand("rather: 1", [UNSURE, drawn]).choice == "Average paid by client"


def test_another_reading_is_drawn_as_the_last_one_was():
    turns = [UNSURE, Turn("as a bar chart", "succeeded", others=UNSURE.others)]
    ask = understand("rather: 2", turns)
    assert (ask.question, ask.choice) == ("best clients as a bar chart", "Number of orders by client, 2024")
    again = understand("as a line chart", [*turns, Turn("rather: 2", "succeeded")])
    assert again.as_meant == "best clients as a line chart (Number of orders by client, 2024)"


def test_a_turn_that_was_read_otherwise_stands_as_its_question():
    """No model is shown the words of an option as if the person had said them."""
    assert [each.message for each in understand("and now?", [UNSURE, Turn("rather: 2", "succeeded")]).turns] == [
        "best clients",
        "best clients",
    ]


def test_an_option_that_ends_in_a_point_is_named_as_it_stands():
    options = ("Sum of paid by client, St.", "Sum of paid by client, St., the first 5")
    assert understand(f"rather: {options[0]}", [Turn("best", "succeeded", others=options)]).choice == options[0]
