"""What only some rows of a group have is not shown of the group."""

import pytest

from pluto_duck_text2sql import Catalog, Column, ForeignKey, Table
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.tree import Agg, Col, Query, Rows
from pluto_duck_text2sql.trees.arbitrary import shows_any

SHOP, SALE = ("main", "shop"), ("main", "sale")
SHOP_ID, CITY, OPENED = (Col(SHOP, each) for each in ("shop_id", "city", "opened"))
SALE_ID, SHOP_OF, SOLD = (Col(SALE, each) for each in ("sale_id", "shop_id", "sold"))
COUNT = Agg("count", Rows(SALE))


def catalog(few=4, **keys):
    """Twenty shops in `few` cities, and their hundred sales."""
    shop = (Column("shop_id", "INTEGER", n_distinct=20), Column("city", "VARCHAR", n_distinct=few))
    sale = (Column("sale_id", "INTEGER", n_distinct=100), Column("shop_id", "INTEGER", n_distinct=20))
    points = (ForeignKey(("shop_id",), "main", "shop", ("shop_id",)),)
    return Catalog(
        (
            Table("shop", "main", (*shop, Column("opened", "DATE", n_distinct=9)), row_count=20, **keys),
            Table("sale", "main", (*sale, Column("sold", "DATE", n_distinct=50)), (), points, row_count=100),
        )
    )


def is_arbitrary(shown, group, known):
    return shows_any(Query(SHOP, shown, group=group), known, JoinGraph(known))


@pytest.mark.parametrize("keys", [{}, {"primary_key": ("shop_id",)}])
@pytest.mark.parametrize(
    ("shown", "group"),
    [
        ((CITY, COUNT), (CITY,)),
        ((CITY, COUNT), (SHOP_ID,)),
        ((CITY, OPENED, COUNT), (SHOP_OF,)),
        ((CITY, COUNT), (SALE_ID,)),
        ((COUNT,), (CITY,)),
        ((CITY,), ()),
    ],
)
def test_what_the_keys_of_a_group_tell_is_shown(shown, group, keys):
    assert not is_arbitrary(shown, group, catalog(**keys))


@pytest.mark.parametrize(
    ("shown", "group"),
    [
        ((CITY, OPENED, COUNT), (CITY,)),
        ((SHOP_ID, SOLD, COUNT), (SHOP_ID,)),
        ((SOLD, CITY, COUNT), (SOLD,)),
    ],
)
def test_what_differs_within_a_group_is_not(shown, group):
    assert is_arbitrary(shown, group, catalog())


def test_what_nobody_counted_may_tell_rows_apart():
    assert not is_arbitrary((CITY, OPENED, COUNT), (CITY,), catalog(few=None))
