"""When what the rules read goes before what the ranker finds likelier."""

from dataclasses import replace

import pytest

from pluto_duck_text2sql.decision import _SURE_OF_FEW_WORDS, _SURE_OF_OTHER_WORDS, Decision, _Case
from pluto_duck_text2sql.gathered import _rules_first
from pluto_duck_text2sql.pool import Entry, Scored
from pluto_duck_text2sql.reading.reader import Reading
from pluto_duck_text2sql.reading.slots import Unreadable
from pluto_duck_text2sql.tree import Col, Query, Rows

BOATS = ("main", "boats")
LISTED = Query(BOATS, (Col(BOATS, "name"), Col(BOATS, "built")))
READ = Query(BOATS, (Rows(BOATS),))


def scored(rows, unsaid=0, is_framed=False):
    """The ranker's best, which leaves so much unsaid, before the rules' reading, which explains every word."""
    reading = Reading(READ, [], [], [], [], 1.0, [], knows=True, is_framed=is_framed)
    best = Entry(LISTED, "listed", None, None, rows, unsaid=unsaid)
    return [(best, 0.9), (Entry(READ, "read", None, reading, rows), 0.2)]


@pytest.mark.parametrize("unsaid", [0, 1])
def test_the_ranker_goes_before_rules_that_explain_every_word(unsaid):
    given = scored([("Kestrel", 1990)], unsaid)
    assert _rules_first("boats and when they were built", given, ()) == given


def test_the_rules_go_first_where_nothing_was_run():
    first, _ = _rules_first("boats and when they were built", scored(None), ())[0]
    assert first.sql == "read"


def test_a_frame_of_question_goes_first():
    first, _ = _rules_first("boats with a mast next to those without", scored([("Kestrel", 1990)], is_framed=True), ())[
        0
    ]
    assert first.sql == "read"


def test_a_frame_that_only_shows_more_of_the_same_does_not():
    """`Which months had more than two storms?` asks for no number of them."""
    reading = Reading(LISTED, [], [], [], [], 1.0, [], knows=True, is_framed=True)
    name = replace(LISTED, select=LISTED.select[:1])
    best = Entry(name, "name", None, None, [("Kestrel",), ("Merlin",)])
    framed = Entry(LISTED, "listed", None, reading, [("Merlin", 1995), ("Kestrel", 1990)])
    given = [(best, 0.6), (framed, 0.5)]
    assert _rules_first("which boats have more than two masts", given, ()) == given


def case_of(scored, asked="", passed_over=""):
    """A case of these readings, of a question of which the rules make nothing."""
    first = Unreadable()
    first.asked, first.passed_over = asked, lambda query: [passed_over] if query == LISTED and passed_over else []
    return _Case("boats", first, None, None, Scored(scored, 0.9, 0.1), ())


@pytest.mark.parametrize(("likely", "sql"), [(0.1, "whole"), (0.02, "best")])
def test_what_says_all_leads_where_it_is_about_as_likely_as_what_passes_words_over(likely, sql):
    best, whole = Entry(LISTED, "best", None, None, [], ranked=0.1, unsaid=1), Entry(READ, "whole", None, None, [])
    case = case_of([(best, 0.12), (replace(whole, ranked=likely), likely)], passed_over="new")
    assert Decision._heeding_first(Decision.__new__(Decision), case).best.sql == sql


@pytest.mark.parametrize(("asked", "least"), [("hardest", _SURE_OF_OTHER_WORDS), ("staff", _SURE_OF_FEW_WORDS)])
def test_which_works_the_hardest_is_not_guessed(asked, least):
    assert case_of([(Entry(READ, "read", None, None, []), 0.8)], asked).least_sure == least
