"""The self-check: what is run to judge the readings of a question."""

import math

import pytest

from pluto_duck_text2sql.data.catalog import Catalog, Column, ForeignKey, Table
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.learned.sketcher import Sketch
from pluto_duck_text2sql.pool import WORTH_A_LOOK, Entry, entries, once, restricts
from pluto_duck_text2sql.reading.reader import Reading
from pluto_duck_text2sql.tree import Agg, Col, Compare, Order, Query, Related


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


CATALOG = Catalog(tuple(Table(name, "main", (Column("a", "INTEGER"), Column("b", "INTEGER"))) for name in "tu"))
SHOWN, LEAST, MOST = (Query(("main", "t"), (A,), where) for where in ((), (Compare(B, ">", 1),), (Compare(B, "<", 9),)))
ELSEWHERE = Query(("main", "u"), (Col(("main", "u"), "a"),))


def _said(query, unclaimed=()):
    return Reading(query, [], [], [], list(unclaimed), 0.9, [])


@pytest.mark.parametrize(
    ("reading", "rows", "whole", "ran"),
    [
        (_said(MOST), [(1,)], True, 2),
        (_said(MOST, ["odd"]), [(1,)], True, 3),
        (_said(MOST), [(1,)], False, 3),
        (_said(MOST), [(2,)], True, 3),
        (_said(ELSEWHERE), [(1,)], True, 3),
    ],
    ids=["both say the same", "a word is left over", "some is left unsaid", "other rows", "another table"],
)
def test_no_more_is_run_where_the_rules_say_what_the_network_says(reading, rows, whole, ran):
    asked = []

    def run(sql):
        asked.append(sql)
        return rows if len(asked) == 2 else [(1,)]

    sketches = [Sketch(LEAST, (), (), -0.1), Sketch(SHOWN, (), (), -0.2)]
    found = entries(sketches, [reading], CATALOG, JoinGraph(CATALOG), run, says_all=lambda query: whole)
    assert len(asked) == len(found) == ran
    assert found[-1].reading is reading


def test_what_is_much_less_likely_than_the_likeliest_is_not_run():
    sketches = [Sketch(each, (), (), math.log(p)) for each, p in ((SHOWN, 0.5), (LEAST, 0.01 / 2), (MOST, 0.006 / 2))]
    found = entries(sketches, [], CATALOG, JoinGraph(CATALOG), lambda sql: [(1,)])
    assert [each.query for each in found] == [SHOWN, LEAST]
    found = entries(sketches, [], CATALOG, JoinGraph(CATALOG), lambda sql: [(1,)], behind=WORTH_A_LOOK)
    assert [each.query for each in found] == [SHOWN, LEAST, MOST]


def test_nobody_counts_the_different_values_of_a_flag():
    columns = (Column("a", "INTEGER"), Column("is_open", "BOOLEAN"))
    catalog = Catalog((Table("t", "main", columns),))
    counts = [Query(("main", "t"), (Agg("count", Col(("main", "t"), each.name), distinct=True),)) for each in columns]
    sketches = [Sketch(each, (), (), -0.1) for each in counts[::-1]]
    found = entries(sketches, [], catalog, JoinGraph(catalog), lambda sql: [(1,)], says_all=lambda query: True)
    assert [each.query for each in found] == [counts[0]]


@pytest.mark.parametrize(("kind", "is_told"), [("panel", False), ("inverter", True)])
def test_rows_that_have_what_is_added_up_are_told_by_nothing_else(kind, is_told):
    """`How many panels have we in stock` by the panel count of all that have a panel leaves nobody's rows out."""
    total = Agg("sum", Col(("main", "roofs"), "panel_count"))
    having = Related(("main", "parts"), (Compare(Col(("main", "parts"), "category"), "=", kind),))
    assert restricts(Query(("main", "roofs"), (total,), (having,))) is is_told


@pytest.mark.parametrize(("own", "told"), [("VARCHAR", ["EXISTS"]), ("DECIMAL(9,2)", [])])
def test_an_amount_is_added_once_unless_what_repeats_it_has_amounts_of_its_own(own, told):
    bill = Table("bill", "main", (Column("bill_id", "INTEGER"), Column("total", "INTEGER")), ("bill_id",))
    parts = (Column("bill_id", "INTEGER"), Column("kind", "VARCHAR"), Column("price", own))
    line = Table("line", "main", parts, (), (ForeignKey(("bill_id",), "main", "bill", ("bill_id",)),))
    catalog = Catalog((bill, line))
    where = (Compare(Col(line.key, "kind"), "=", "rock"),)
    total = Query(bill.key, (Agg("sum", Col(bill.key, "total")),), where=where, flat=True)
    found = entries([Sketch(total, (), (), -0.1)], [], catalog, JoinGraph(catalog), lambda sql: [(1,)])
    assert ["EXISTS" for each in found if "EXISTS" in each.sql] == told
    assert len(found) == len(told)
