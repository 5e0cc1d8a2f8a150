"""What joins tables that declare no keys."""

import pytest

from pluto_duck_text2sql import Catalog, Column, ForeignKey, Table
from pluto_duck_text2sql.data.joins import JoinGraph

STAFF = Table(
    "staff", "main", (Column("sex", "VARCHAR", n_distinct=2), Column("badge", "VARCHAR", n_distinct=9)), row_count=9
)


@pytest.mark.parametrize(
    ("shared", "kinds", "is_joined"), [("sex", 2, False), ("badge", 4, True), ("badge", None, True), ("desk", 9, False)]
)
def test_a_shared_column_joins_where_it_tells_the_rows_of_one_table_apart(shared, kinds, is_joined):
    guests = Table("guests", "main", (Column(shared, "VARCHAR", n_distinct=kinds),), row_count=20)
    graph = JoinGraph(Catalog((guests, STAFF)))
    assert graph.reaches(guests.key, STAFF.key) == is_joined
    assert not is_joined or not graph.path(guests.key, STAFF.key)[0].multiplies


def _pointing(name, *owners):
    keys = tuple(ForeignKey((f"{each}_id",), "main", each, (f"{each}_id",)) for each in owners)
    columns = tuple(Column(f"{each}_id", "INTEGER") for each in (name, *owners))
    return Table(name, "main", columns, (f"{name}_id",), keys)


def test_of_two_ways_as_long_the_rows_below_go_before_those_that_only_share_something():
    tables = (
        _pointing("hotel"),
        _pointing("stay", "room"),
        _pointing("bill", "hotel", "stay"),
        _pointing("room", "hotel"),
        _pointing("review", "stay"),
    )
    graph = JoinGraph(Catalog(tables))
    for way in (("hotel", "review"), ("review", "hotel")):
        steps = graph.path(*(("main", name) for name in way))
        assert ("main", "room") in [step.target for step in steps]
