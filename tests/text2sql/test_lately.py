"""What was made of late is not made again, but for what was made long ago."""

from tests.text2sql.followups import Begun, analyst_of, shop

from pluto_duck_text2sql.lately import Lately


def test_what_was_made_is_made_again_only_when_others_came_after_it():
    made, lately = [], Lately[str](2)

    def make(place):
        made.append(place)
        return f"of {place}"

    for place in ("a", "b", "a", "c", "a"):
        assert lately.of(place, lambda place=place: make(place)) == f"of {place}"
    assert made == ["a", "b", "c", "a"]


def test_what_is_kept_counts_as_made():
    lately = Lately[str](2)
    assert lately.keep("a", "told") == "told"
    assert lately.of("a", lambda: "made") == "told"


def test_a_question_that_was_asked_is_not_read_again_for_those_that_lean_on_it(monkeypatch):
    read, alone = [], Begun._alone

    def noted(self, question, run, choice=None, max_candidates=20):
        read.append(question)
        return alone(self, question, run)

    monkeypatch.setattr(Begun, "_alone", noted)
    turns = ("How many orders were placed in 2024?", "by channel", "only from Germany")
    with shop() as connection:
        analyst = analyst_of(connection)
        for place, turn in enumerate(turns):
            answered = analyst.ask(turn, history=turns[:place], run=lambda sql: connection.execute(sql).fetchall())
            assert answered.status == "answered"
    assert read.count(turns[0]) == 1


def test_what_a_follow_up_meant_is_not_found_out_again_by_the_next(monkeypatch):
    turns = ("How many orders were placed in 2024?", "by channel", "only from Germany")
    with shop() as connection:
        analyst = analyst_of(connection)
        edits, read = analyst._dialogue._edits, []
        find = edits.read
        monkeypatch.setattr(edits, "read", lambda question, *rest: read.append(question) or find(question, *rest))
        for place, turn in enumerate(turns):
            analyst.ask(turn, history=turns[:place], run=lambda sql: connection.execute(sql).fetchall())
    assert read == list(turns[1:])
