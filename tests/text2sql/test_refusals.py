"""What no query answers is refused by its words; what a query answers never is."""

import json

import pytest

from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.refusing.refusals import refusal
from pluto_duck_text2sql.refusing.unheard import never_named

REFUSED = [
    ("Delete the order 15", "only read"),
    ("please book a room for Ann Lee", "only read"),
    ("Book me a flight to Iceland", "only read"),
    ("Add a new customer called Jo", "only read"),
    ("Why did sales drop in May?", "not why"),
    ("What caused the delay?", "not why"),
    ("What will revenue be in March?", "no forecast"),
    ("How many orders are we going to get?", "no forecast"),
    ("How many complaints can we expect in March?", "no forecast"),
    ("What if we raised all prices?", "judgement"),
    ("Who would make the best manager?", "judgement"),
    ("Should we close the Berlin shop?", "judgement"),
    ("Are our prices too high?", "judgement"),
    ("Is this discount fair?", "judgement"),
    ("How do I cook rice?", "No table"),
    ("hello", "No table"),
    ("Delete the orders next to that", "change or send"),
    ("Which of our fares are too low?", "judgement"),
    ("What is the reason for the drop in sales?", "not why"),
    ("tell me a joke", "No table"),
]
ALLOWED = [
    "Show me a list of all flights to Iceland",
    "Order the flights by price",
    "Which orders were updated in May?",
    "Names of customers whose account was deleted",
    "Which flights are named Will Smith Express?",
    "Order customers by name",
    "Which orders have an expected delivery date in May?",
    "Show the set of colours",
    "Sort the books by price",
    "How many orders were cancelled?",
    "add the average cost too",
    "What is the time of the first flight?",
    "Set 2023 and 2024 beside each other: flights per airline",
    "One complaint I hear: too few assistants. What share of the sessions had no assistant?",
]


@pytest.mark.parametrize(("question", "message"), REFUSED)
def test_orders_causes_forecasts_and_judgements_are_refused(question, message):
    assert message in refusal(question)


@pytest.mark.parametrize("question", ALLOWED)
def test_what_a_query_answers_is_not_refused(question):
    assert refusal(question) is None


def test_no_training_question_is_refused(shared):
    lines = (shared / "nl2sql" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [json.loads(line)["question"] for line in lines]
    assert [each for each in asked if refusal(each)] == []


def test_reasons_that_are_kept_may_be_asked_for():
    asked = "The commonest reason for cancelling, with the number of bookings"
    assert "not why" in refusal(asked)
    assert refusal(asked, keeps_reasons=True) is None
    assert "not why" in refusal("Why did sales drop?", keeps_reasons=True)


def test_a_word_that_names_something_once_is_never_unheard_of():
    assert never_named(["portions", "airline"], [Mention(2, 3, text="airlines")]) == ["portions"]
