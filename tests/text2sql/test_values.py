"""The value index: any case, any plural, a letter or two wrong; never invented."""

from hypothesis import given
from hypothesis import strategies as st

from pluto_duck_text2sql import ValueIndex

ITEMS = [
    ("main", "customers", "country", "Germany"),
    ("main", "customers", "city", "New York"),
    ("main", "products", "category", "Beverages"),
]


def _values(hits):
    return [(hit.column, hit.value) for hit in hits]


def test_case_and_number_do_not_matter():
    index = ValueIndex.build(ITEMS)
    assert _values(index.lookup("germany")) == [("country", "Germany")]
    assert _values(index.lookup("beverage")) == [("category", "Beverages")]
    assert _values(index.lookup("NEW YORK")) == [("city", "New York")]
    assert index.lookup("france") == []


def test_misspellings_are_found_and_strangers_are_not():
    index = ValueIndex.build(ITEMS)
    assert _values(index.lookup_fuzzy("Germny")) == [("country", "Germany")]
    assert _values(index.lookup_fuzzy("bevreages")) == [("category", "Beverages")]
    assert index.lookup_fuzzy("furniture") == []


def test_a_table_s_values_can_be_replaced():
    index = ValueIndex.build(ITEMS)
    index.replace("main", "customers", [("main", "customers", "country", "France")])
    assert index.lookup("germany") == []
    assert _values(index.lookup("france")) == [("country", "France")]
    assert len(index) == 2


@given(st.lists(st.text(min_size=1, max_size=30), max_size=20), st.text(max_size=30))
def test_what_is_found_is_stored(values, phrase):
    index = ValueIndex.build([("main", "t", "c", value) for value in values])
    assert all(hit.value in values for hit in [*index.lookup(phrase), *index.lookup_fuzzy(phrase)])
