"""Which of two readings leads where the trees that prefer favour the second."""

import pytest

from pluto_duck_text2sql.decision import _Case, _preferred_first
from pluto_duck_text2sql.pool import Entry, Scored
from pluto_duck_text2sql.tree import Agg, Query, Rows

BOATS = Query(("main", "boats"), (Agg("count", Rows(("main", "boats"))),))
TRIPS = Query(("main", "trips"), (Agg("count", Rows(("main", "trips"))),))


def leader(preferred, rows=((7,),), run=lambda sql: [], said=()):
    first = Entry(BOATS, "first", None, None, [(5,)], preferred=1.0)
    other = Entry(TRIPS, "other", None, None, list(rows), preferred=preferred)
    scored = Scored([(first, 0.9), (other, 0.4)], 1.0, 0.0)
    return _preferred_first(_Case("", None, run, None, scored, said)).best.sql


@pytest.mark.parametrize(("preferred", "leads"), [(0.2, "first"), (1.4, "first"), (1.6, "other")])
def test_another_leads_where_it_is_clearly_preferred(preferred, leads):
    assert leader(preferred) == leads


def test_nothing_moves_where_both_find_the_same_rows():
    assert leader(9.0, rows=[(5,)]) == "first"


def test_nothing_moves_where_nothing_was_run_or_the_glossary_says_what_is_meant():
    assert leader(9.0, run=None) == "first"
    assert leader(9.0, said=["a term"]) == "first"
