"""How often other rows are there: counted in a tree that only looks for them, once."""

from pluto_duck_text2sql.corrections.how_often import so_often
from pluto_duck_text2sql.tree import Agg, Col, Compare, Inside, Query, Rows

MEMBERS, PAYMENTS = ("main", "members"), ("main", "payments")


def _who_paid(*where, having=()):
    member = Col(PAYMENTS, "member_id")
    inner = Query(PAYMENTS, (member,), group=(member,) if having else (), having=having)
    return Query(MEMBERS, (Col(MEMBERS, "name"),), where=(*where, Inside(Col(MEMBERS, "member_id"), inner)))


def _paid(operator, number):
    return (Compare(Agg("count", Rows(PAYMENTS)), operator, number),)


def test_rows_looked_for_are_counted_as_often_as_is_said():
    assert so_often(_who_paid(), "who paid exactly once") == _who_paid(having=_paid("=", 1))
    older = Compare(Col(MEMBERS, "age"), ">", 30)
    said = "members older than 30 who paid at least 3 times"
    assert so_often(_who_paid(older), said) == _who_paid(older, having=_paid(">=", 3))


def test_what_counts_already_or_stores_the_number_of_times_stays():
    counted, stored = _who_paid(having=_paid(">", 1)), _who_paid(Compare(Col(MEMBERS, "visits"), ">=", 3))
    assert so_often(counted, "who paid at least twice") == counted
    assert so_often(stored, "who came at least 3 times and paid") == stored
    assert so_often(_who_paid(), "who paid at least") == _who_paid()
