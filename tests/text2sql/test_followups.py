"""Follow-ups through `Analyst.ask(history=…)`: many wordings of each kind, judged by the rows of their SQL."""

import json

import pytest
from tests.text2sql.followups import FIXTURES, analyst_of, shop

from pluto_duck_backend.agent.evaluation_match import matches

CASES = [json.loads(line) for line in (FIXTURES / "cases.jsonl").read_text().splitlines()]
ORDERS = "How many orders were placed in 2024?"
CUSTOMERS = "List the customers from Germany: name and city."


@pytest.fixture(scope="module")
def connection():
    with shop() as opened:
        yield opened


@pytest.fixture(scope="module")
def analyst(connection):
    return analyst_of(connection)


@pytest.fixture
def ask(analyst, connection):
    return lambda question, *history: analyst.ask(
        question, history=history, run=lambda sql: connection.execute(sql).fetchall()
    )


def _rows(connection, sql):
    found = connection.execute(sql).fetchall()
    return [[each.isoformat() if hasattr(each, "isoformat") else each for each in row] for row in found]


@pytest.mark.parametrize(
    "case", [each for each in CASES if "sql" in each], ids=lambda case: f"{case['history'][-1]} | {case['question']}"
)
def test_a_follow_up_means_its_rows(case, ask, connection):
    analysis = ask(case["question"], *case["history"])
    assert analysis.status == "answered", analysis.message
    sql = analysis.candidates[0].sql
    assert matches(_rows(connection, case["sql"]), _rows(connection, sql), ordered=case.get("ordered", False)), sql


@pytest.mark.parametrize(
    "case", [each for each in CASES if "alone" in each], ids=lambda case: f"{case['history'][-1]} | {case['question']}"
)
def test_a_new_topic_leans_on_nothing(case, ask):
    analysis = ask(case["question"], *case["history"])
    assert analysis.message == f"alone: {case['question']}"


def test_the_reading_says_what_was_kept_and_what_was_changed(ask):
    candidate = ask("only the cancelled ones", ORDERS).candidates[0]
    assert "kept → number of orders" in candidate.reading
    assert "kept → where order_date 2024-01-01 to 2024-12-31" in candidate.reading
    assert "only → status = 'cancelled'" in candidate.reading
    assert 0 < candidate.confidence < 0.9


@pytest.mark.parametrize("question", ["and in Atlantis?", "only for Zorblax", "what about the frobnication?"])
def test_a_follow_up_that_fits_nothing_is_said(question, ask):
    analysis = ask(question, ORDERS)
    assert analysis.status == "cannot_answer"
    assert "leans on the answer before" in analysis.message


@pytest.mark.parametrize("question", ["why?", "why those?", "and why is March so low?", "how come?"])
def test_the_cause_of_an_answer_is_refused(question, ask):
    analysis = ask(question, ORDERS)
    assert analysis.status == "cannot_answer"
    assert "not why" in analysis.message


def test_a_dialogue_goes_on_after_a_cause_was_asked(ask, connection):
    sql = ask("and in 2023?", ORDERS, "why?").candidates[0].sql
    assert _rows(connection, sql) == _rows(connection, "SELECT count(*) FROM orders WHERE year(order_date) = 2023")


def test_undo_without_an_answer_before_it_is_said(ask):
    assert "no answer before this one" in ask("undo that", ORDERS).message


def test_what_finds_nothing_is_lowered(ask):
    some = ask("only Corporate", CUSTOMERS).candidates[0]
    none = ask("only from Paris and Corporate", CUSTOMERS, "only those in Munich")
    assert not none.candidates or none.candidates[0].confidence < some.confidence


def test_a_long_dialogue_is_followed(ask, connection):
    turns = (
        "by channel",
        "only from Germany",
        "and in 2023?",
        "highest first",
        "just the top 2",
        "as a share of the total",
    )
    sql = ask(turns[-1], ORDERS, *turns[:-1]).candidates[0].sql
    expected = """
        SELECT channel, count(*) / sum(count(*)) OVER () FROM orders JOIN customers USING (customer_id)
        WHERE country = 'Germany' AND year(order_date) = 2023 GROUP BY 1 ORDER BY count(*) DESC LIMIT 2
    """
    assert matches(_rows(connection, expected), _rows(connection, sql), ordered=True), sql
