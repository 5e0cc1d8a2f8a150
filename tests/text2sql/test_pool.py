"""The self-check: what is run to judge the readings of a question."""

import pytest

from pluto_duck_text2sql.pool import Entry, once
from pluto_duck_text2sql.tree import Col, Order, Query


def test_each_sql_is_run_once_also_where_it_fails():
    asked = []

    def run(sql):
        asked.append(sql)
        if sql == "broken":
            raise ValueError(sql)
        return [(sql,)]

    remembered = once(run)
    for _ in range(2):
        assert remembered("one") == [("one",)]
        with pytest.raises(ValueError, match="broken"):
            remembered("broken")
    assert asked == ["one", "broken"]


A, B = Col(("main", "t"), "a"), Col(("main", "t"), "b")


@pytest.mark.parametrize(
    ("one", "other", "are_same"),
    [
        (Query(("main", "t"), select=(A,)), Query(("main", "t"), select=(B,)), True),
        (Query(("main", "t"), select=(A,), order=(Order(A),)), Query(("main", "t"), select=(B,)), True),
        (
            Query(("main", "t"), select=(A,), order=(Order(A),)),
            Query(("main", "t"), select=(A,), order=(Order(B),)),
            False,
        ),
    ],
)
def test_the_order_of_rows_counts_only_where_both_readings_sort(one, other, are_same):
    first = Entry(one, "", None, None, [(1,), (2,)])
    assert first.finds_as(Entry(other, "", None, None, [(2,), (1,)])) is are_same
    assert not first.finds_as(Entry(other, "", None, None, [(2,), (3,)]))
