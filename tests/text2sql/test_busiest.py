"""A bare `busiest month` is that of the one kind of event that there is; of two kinds of which neither is, of none."""

import pytest

from pluto_duck_text2sql import Catalog, Column, ForeignKey, Table
from pluto_duck_text2sql.rewording.busiest import with_events


def _table(name, *columns, points_at=()):
    keys = (Column(f"{each}_id", "INTEGER") for each in (name, *points_at))
    foreign = tuple(ForeignKey((f"{each}_id",), "main", each, (f"{each}_id",)) for each in points_at)
    return Table(name, "main", (*keys, *(Column(*each) for each in columns)), (f"{name}_id",), foreign)


CLIENT = _table("client", ("born", "DATE"))
BOOKING = _table("booking", ("booked_on", "DATE"), points_at=("client",))
REFUND = _table("refund", ("refunded_on", "DATE"), points_at=("booking",))
CALL = _table("call", ("called_at", "TIMESTAMP"), points_at=("client",))
LICENCE = _table("licence", ("expires", "DATE"), points_at=("client",))


@pytest.mark.parametrize("tables", [(CLIENT, BOOKING), (CLIENT, BOOKING, REFUND), (CLIENT, BOOKING, LICENCE)])
@pytest.mark.parametrize(
    ("question", "instead"),
    [
        ("busiest weekday", "which weekday had the most booking"),
        ("What is our busiest month?", "which month had the most booking?"),
        ("Which month was the quietest in 2024?", "which month had the fewest booking in 2024?"),
        ("what was the busiest day of the week in May 2023", "which day of the week had the most booking in May 2023"),
    ],
)
def test_it_is_of_the_one_kind_of_event(tables, question, instead):
    assert with_events(question, Catalog(tables)) == instead


@pytest.mark.parametrize("tables", [(CLIENT,), (CLIENT, LICENCE), (CLIENT, BOOKING, CALL)])
def test_it_stays_as_it_is_where_no_kind_is_the_one(tables):
    assert with_events("busiest weekday", Catalog(tables)) == "busiest weekday"


@pytest.mark.parametrize(
    "question", ["busiest month for refunds", "Which client had the busiest month?", "busy months"]
)
def test_what_says_more_stays_as_it_is(question):
    assert with_events(question, Catalog((CLIENT, BOOKING))) == question
