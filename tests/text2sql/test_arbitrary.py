"""What only some rows of a group have is not shown of the group."""

import pytest
from tests.text2sql.test_vacuous import CATALOG, CITY, COUNT, JOINS, OPENED, SALE, SHOP, SHOP_ID, SHOP_OF

from pluto_duck_text2sql.tree import Col, Query
from pluto_duck_text2sql.trees.arbitrary import shows_any

SALE_ID, SOLD = Col(SALE, "sale_id"), Col(SALE, "sold")


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
def test_what_the_keys_of_a_group_tell_is_shown(shown, group):
    assert not shows_any(Query(SHOP, shown, group=group), CATALOG, JOINS)


@pytest.mark.parametrize(
    ("shown", "group"),
    [
        ((CITY, OPENED, COUNT), (CITY,)),
        ((SHOP_ID, SOLD, COUNT), (SHOP_ID,)),
        ((SOLD, CITY, COUNT), (SOLD,)),
    ],
)
def test_what_differs_within_a_group_is_not(shown, group):
    assert shows_any(Query(SHOP, shown, group=group), CATALOG, JOINS)
