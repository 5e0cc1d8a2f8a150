"""A second sentence that says the question in full is answered by itself, unless the first tells rows apart."""

import pytest
from tests.text2sql.catalogs import asking

TABLES = """
CREATE TABLE tickets (ticket_id INTEGER PRIMARY KEY, channel VARCHAR, opened_on DATE);
INSERT INTO tickets SELECT n, ['mail', 'phone', 'chat'][1 + n % 3], DATE '2024-01-01' + n::INTEGER FROM range(400) t(n);
"""
COUNTED = "Count the tickets by channel."


@pytest.fixture(scope="module")
def ask():
    with asking(TABLES) as asked:
        yield asked


@pytest.mark.parametrize("talk", ["How do people prefer to reach us?", "Where does the trouble come from?"])
def test_talk_before_a_question_changes_nothing(talk, ask):
    _, rows = ask(f"{talk} {COUNTED}")
    assert sorted(map(tuple, rows)) == [("chat", 133), ("mail", 134), ("phone", 133)]


def test_a_second_sentence_that_groups_what_it_names_is_in_full(ask):
    found, rows = ask("Where is it quiet? Tickets since December 2024 per channel, emptiest on top.")
    assert "What is asked is said in the second sentence." in found.candidates[0].assumptions
    assert [count for _, count in rows] == sorted(count for _, count in rows)
    assert sum(count for _, count in rows) == 400 - 335


@pytest.mark.parametrize("talk", ["How many unicycles?", "How do people prefer to reach us?"])
def test_it_is_told_where_the_first_sentence_alone_would_be_refused(talk, ask):
    found, _ = ask(f"{talk} {COUNTED}")
    assert found.status == "answered"
    assert "What is asked is said in the second sentence." in found.candidates[0].assumptions


@pytest.mark.parametrize(
    "question",
    [
        f"Which tickets came in March 2024? {COUNTED}",
        f"What came by phone? {COUNTED}",
        f"There were 400. {COUNTED}",
        COUNTED,
    ],
)
def test_a_first_sentence_that_tells_rows_is_not_left_out(question, ask):
    found, _ = ask(question)
    told = [each for candidate in found.candidates for each in candidate.assumptions]
    assert "What is asked is said in the second sentence." not in told
