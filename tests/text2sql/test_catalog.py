"""What a column's type says of what may be asked of it."""

import datetime as dt
from dataclasses import replace

import pytest

from pluto_duck_text2sql import Catalog, Column, Table


@pytest.mark.parametrize(
    ("kind", "types"),
    [
        ("number", "TINYINT UBIGINT HUGEINT UHUGEINT DECIMAL(38,0) DOUBLE"),
        ("time", "DATE TIMESTAMPTZ"),
        ("flag", "BOOLEAN"),
        ("text", "VARCHAR UUID ENUM('a')"),
        ("other", "BLOB INTEGER[]"),
    ],
)
def test_kinds_of_types(kind, types):
    assert {Column("c", each).kind for each in types.split()} == {kind}


TODAY = dt.date(2026, 11, 29)


def _catalog(**newest):
    """A catalog of one table for each name, whose date `<name>_on` ends on the day given."""
    return Catalog(tuple(Table(name, "main", (_key(), _date(f"{name}_on", day))) for name, day in newest.items()))


def _key():
    return Column("id", "INTEGER")


def _date(name, newest):
    return Column(name, "DATE", minimum=dt.date(2020, 1, 1), maximum=newest)


@pytest.mark.parametrize(
    ("sold", "returned", "from_day"),
    [
        (dt.date(2026, 11, 26), dt.date(2026, 10, 31), TODAY),
        (dt.date(2026, 11, 1), dt.date(2026, 10, 31), dt.date(2026, 10, 31)),
        (dt.date(2026, 11, 26), dt.date(2019, 5, 1), dt.date(2019, 5, 1)),
        (dt.date(2013, 6, 30), dt.date(2013, 5, 1), dt.date(2013, 5, 1)),
    ],
    ids=["kept up to date", "not for weeks", "long over in such data", "old data"],
)
def test_periods_count_from_today_where_the_data_is_kept_up_to_date(sold, returned, from_day):
    catalog = _catalog(sold=sold, returned=returned)
    assert catalog.last_day("main", "returned", "returned_on", TODAY) == from_day


def test_made_up_data_ends_when_it_ends():
    catalog = replace(_catalog(sold=dt.date(2026, 11, 26)), is_kept=False)
    assert catalog.last_day("main", "sold", "sold_on", TODAY) == dt.date(2026, 11, 26)


def test_a_calendar_tells_nothing_of_when_anything_happened():
    spine = Table("time_spine", "main", (_date("day", dt.date(2027, 12, 31)),))
    catalog = Catalog((*_catalog(sold=dt.date(2025, 12, 31)).tables, spine))
    assert catalog.latest_day(TODAY) == dt.date(2025, 12, 31)
