"""What joins tables that declare no keys."""

import datetime as dt

import pytest

from pluto_duck_text2sql import Catalog, Column, ForeignKey, Table
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.values import ValueIndex

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


SPAN, LATER, TOUCHING = ({"minimum": least, "maximum": most} for least, most in ((1, 9), (100, 400), (9, 400)))
DAYS = {"minimum": dt.date(2024, 1, 1), "maximum": dt.date(2024, 2, 1), "date_format": "%Y-%m-%d"}


@pytest.mark.parametrize(
    ("one", "other", "is_joined"),
    [
        ({"samples": ("Sugar", "Fuel")}, {"samples": ("4200 Sugar", "4300 Fuel")}, False),
        ({"samples": ("Sugar", "Fuel")}, {"samples": ("Sugar", "Rent")}, True),
        ({"samples": ("Sugar", "Fuel")}, {}, True),
        (SPAN, LATER, False),
        (SPAN, TOUCHING, True),
        (DAYS, DAYS, True),
        (DAYS, {**SPAN, "of_numbers": True}, True),
    ],
)
def test_a_shared_column_joins_only_where_both_may_hold_a_value(one, other, is_joined):
    ledger = Table("ledger", "main", (Column("account", "VARCHAR", n_distinct=2, **one),), row_count=400)
    budget = Table("budget", "main", (Column("account", "VARCHAR", n_distinct=2, **other),), row_count=2)
    assert JoinGraph(Catalog((ledger, budget))).reaches(ledger.key, budget.key) == is_joined


def test_what_an_index_knows_of_a_column_counts_where_a_table_is_too_small_for_samples():
    ledger = Table("ledger", "main", (Column("account", "VARCHAR", n_distinct=2, samples=("4200 Fuel",)),), row_count=9)
    budget = Table("budget", "main", (Column("account", "VARCHAR", n_distinct=2),), row_count=2)
    for held, is_joined in (("Fuel", False), ("4200 Fuel", True)):
        values = ValueIndex.build([("main", "budget", "account", held), ("main", "budget", "account", "Rent")])
        assert JoinGraph(Catalog((ledger, budget), values)).reaches(ledger.key, budget.key) == is_joined


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


def test_what_the_rows_themselves_point_at_is_reached_from_them():
    person = Table("person", "main", (Column("person_id", "INTEGER"),), ("person_id",))
    to_person = ForeignKey(("person_id",), "main", "person", ("person_id",))
    club = Table(
        "club", "main", (Column("club_id", "INTEGER"), Column("person_id", "INTEGER")), ("club_id",), (to_person,)
    )
    columns = (Column("person_id", "INTEGER"), Column("club_id", "INTEGER"))
    to_club = ForeignKey(("club_id",), "main", "club", ("club_id",))
    member = Table("member", "main", columns, ("person_id",), (to_person, to_club))
    steps = JoinGraph(Catalog((person, club, member))).tree(member.key, {club.key, person.key})
    assert [step.source for step in steps] == [member.key, member.key]
