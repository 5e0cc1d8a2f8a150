"""What can say nothing is no reading; what most likely says nothing in this data counts against one."""

from dataclasses import replace

import pytest

from pluto_duck_text2sql import Catalog, Column, ForeignKey, Table, ValueIndex
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.tree import Agg, Bucket, Col, Compare, Days, Minus, Missing, Query, Ratio, Related, Rows
from pluto_duck_text2sql.trees.vacuous import idle_parts, is_vacuous

SHOP, SALE = ("main", "shop"), ("main", "sale")
CITY, SHOP_ID, OPENED = Col(SHOP, "city"), Col(SHOP, "shop_id"), Col(SHOP, "opened")
SOLD, DUE, SHOP_OF, AMOUNT = Col(SALE, "sold"), Col(SALE, "due"), Col(SALE, "shop_id"), Col(SALE, "amount")
COUNT = Agg("count", Rows(SALE))
CATALOG = Catalog(
    (
        Table(
            "shop",
            "main",
            (
                Column("shop_id", "INTEGER", null_fraction=0.0),
                Column("city", "VARCHAR", null_fraction=0.0),
                Column("opened", "DATE", null_fraction=0.2),
            ),
            ("shop_id",),
        ),
        Table(
            "sale",
            "main",
            (
                Column("sale_id", "INTEGER"),
                Column("shop_id", "INTEGER"),
                Column("sold", "DATE"),
                Column("due", "DATE"),
                Column("amount", "DOUBLE"),
            ),
            ("sale_id",),
            (ForeignKey(("shop_id",), "main", "shop", ("shop_id",)),),
        ),
    ),
    ValueIndex.build([("main", "shop", "city", "Oslo"), ("main", "shop", "city", "1770")]),
)
JOINS = JoinGraph(CATALOG)
CITIES = Query(SHOP, (CITY,))
IN_OSLO = Query(SHOP, (CITY,), (Compare(CITY, "=", "Oslo"),))
IN_TWO = Query(SHOP, (CITY,), (*IN_OSLO.where, Compare(SHOP_ID, "=", 2)))
OF_NEW = Query(SHOP, (CITY,), (Compare(OPENED, ">", "2020-01-01"),))


def where(*conditions):
    return Query(SALE, (AMOUNT,), where=conditions)


@pytest.mark.parametrize(
    ("query", "says_nothing"),
    [
        (replace(IN_OSLO, then=("union", IN_TWO)), True),
        (replace(IN_OSLO, then=("intersect", IN_TWO)), True),
        (replace(IN_OSLO, then=("except", IN_TWO)), False),
        (replace(IN_OSLO, then=("union", OF_NEW)), False),
        (replace(CITIES, where=(Related(SALE, negated=True), Related(SALE, (Compare(AMOUNT, ">", 5),)))), True),
        (replace(CITIES, where=(Related(SALE, negated=True), Compare(AMOUNT, ">", 5))), True),
        (replace(CITIES, where=(Related(SALE, (Compare(AMOUNT, "<", 1),), negated=True), Related(SALE))), False),
        (Query(SALE, (AMOUNT, Agg("count", AMOUNT, distinct=True)), group=(AMOUNT,)), True),
        (Query(SALE, (AMOUNT, Agg("count", SHOP_OF, distinct=True)), group=(AMOUNT,)), False),
        (where(Compare(SOLD, "<", SOLD)), True),
        (where(Compare(SOLD, "<", DUE)), False),
        (where(Compare(Days(SOLD, SOLD), ">", 3)), True),
        (where(Compare(Days(SOLD, DUE), ">", 3)), False),
        (where(Compare(Bucket("weekday", SOLD), "<=", 25)), True),
        (where(Compare(Bucket("weekday", SOLD), "<=", 5)), False),
        (where(Compare(Bucket("month_of_year", SOLD), "=", 13)), True),
        (where(Compare(Bucket("hour_of_day", SOLD), "=", 0)), False),
        (where(Compare(Bucket("year", SOLD), "=", 2013)), False),
        (Query(SALE, (SHOP_OF,), group=(SHOP_OF,), having=(Compare(COUNT, ">=", 0),)), True),
        (Query(SALE, (SHOP_OF,), group=(SHOP_OF,), having=(Compare(COUNT, ">=", 2),)), False),
        (Query(SALE, (Agg("sum", SHOP_OF),)), True),
        (Query(SHOP, (Agg("avg", SHOP_ID),)), True),
        (Query(SHOP, (Agg("max", SHOP_ID),)), False),
        (Query(SALE, (Agg("sum", AMOUNT),)), False),
        (Query(SALE, (Ratio(COUNT, COUNT),)), True),
        (Query(SALE, (Minus(AMOUNT, AMOUNT),)), True),
        (Query(SHOP, (CITY,), then=("intersect", CITIES)), True),
        (Query(SHOP, (CITY,), then=("union", Query(SHOP, (CITY,), also=(SHOP,)))), True),
        (Query(SHOP, (CITY,), where=(Missing(OPENED),), then=("except", CITIES)), False),
    ],
)
def test_what_can_say_nothing_is_no_reading(query, says_nothing):
    assert is_vacuous(query, CATALOG, JOINS) is says_nothing


@pytest.mark.parametrize(
    ("query", "parts"),
    [
        (Query(SHOP, (SHOP_ID,), where=(Missing(CITY),)), 1),
        (Query(SHOP, (SHOP_ID,), where=(Missing(OPENED),)), 0),
        (Query(SHOP, (SHOP_ID,), where=(Compare(CITY, "=", "3"), Compare(SHOP_ID, "<", 3))), 1),
        (Query(SHOP, (SHOP_ID,), where=(Compare(CITY, "=", "3"),)), 0),
        (Query(SHOP, (SHOP_ID,), where=(Compare(CITY, "=", "1770"),)), 0),
        (Query(SHOP, (SHOP_ID,), where=(Compare(CITY, "=", "Bergen"),)), 0),
        (Query(SHOP, (CITY, COUNT), where=(Compare(CITY, "=", "Oslo"),), group=(CITY,)), 1),
        (Query(SHOP, (CITY, COUNT), where=(Compare(CITY, "!=", "Oslo"),), group=(CITY,)), 0),
        (
            Query(
                SHOP,
                (CITY,),
                where=(Compare(SHOP_ID, "<", 3),),
                then=("union", Query(SHOP, (CITY,), where=(Compare(CITY, "=", "3"),))),
            ),
            1,
        ),
    ],
)
def test_what_says_nothing_in_this_data_is_counted(query, parts):
    assert idle_parts(query, CATALOG) == parts
