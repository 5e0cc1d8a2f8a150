"""When what the rules read goes before what the ranker finds likelier."""

from dataclasses import replace

import pytest

from pluto_duck_text2sql.gathered import _rules_first
from pluto_duck_text2sql.pool import Entry
from pluto_duck_text2sql.reading.reader import Reading
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
