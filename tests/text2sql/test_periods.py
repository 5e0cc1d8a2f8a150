"""Times in questions, against ranges worked out by hand; the anchor day is 2025-12-31."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pluto_duck_text2sql.periods import Words, find_grains, find_periods, floor, shift
from pluto_duck_text2sql.words import tokenise

ANCHOR = dt.date(2025, 12, 31)
CASES = {
    "revenue last quarter": ("2025-10-01", "2026-01-01"),
    "revenue last month": ("2025-12-01", "2026-01-01"),
    "orders in March 2024": ("2024-03-01", "2024-04-01"),
    "sales between 2022 and 2024": ("2022-01-01", "2025-01-01"),
    "orders in the last 3 months": ("2025-10-01", "2026-01-01"),
    "orders in the past 30 days": ("2025-12-02", "2026-01-01"),
    "revenue ytd": ("2025-01-01", "2026-01-01"),
    "revenue year to date": ("2025-01-01", "2026-01-01"),
    "orders since 2020": ("2020-01-01", None),
    "orders before 2020": (None, "2020-01-01"),
    "orders after 2020": ("2021-01-01", None),
    "orders in Q1 2024": ("2024-01-01", "2024-04-01"),
    "orders in the second quarter of 2024": ("2024-04-01", "2024-07-01"),
    "orders in the first half of 2024": ("2024-01-01", "2024-07-01"),
    "films of the 1990s": ("1990-01-01", "2000-01-01"),
    "orders on 2024-02-29": ("2024-02-29", "2024-03-01"),
    "orders on March 5 2024": ("2024-03-05", "2024-03-06"),
    "orders this year": ("2025-01-01", "2026-01-01"),
    "orders yesterday": ("2025-12-30", "2025-12-31"),
    "orders in 2024": ("2024-01-01", "2025-01-01"),
    "from January to March 2024": ("2024-01-01", "2024-04-01"),
    "November to February 2024": ("2023-11-01", "2024-03-01"),
    "between March 2023 and May 2024": ("2023-03-01", "2024-06-01"),
    "since March 2024": ("2024-03-01", None),
    "before March": (None, "2025-03-01"),
    "after 5 March 2024": ("2024-03-06", None),
    "until March 5 2024": (None, "2024-03-06"),
    "from 2024 onwards": ("2024-01-01", None),
    "on 9999-12-31": ("9998-12-31", "9999-01-01"),
    "in the last 99999 years": ("0526-01-01", "2026-01-01"),
}


@pytest.mark.parametrize("question", CASES)
def test_a_period_is_a_half_open_range(question):
    (period,) = find_periods(Words(tokenise(question)))
    start, end = (each and each.isoformat() for each in period.resolve(ANCHOR))
    assert (start, end) == CASES[question]


@pytest.mark.parametrize(
    ("question", "grain"),
    [("revenue by month", "month"), ("weekly orders", "week"), ("orders per weekday", "weekday"), ("trend", "month")],
)
def test_grains(question, grain):
    assert [each.grain for each in find_grains(Words(tokenise(question)))] == [grain]


@given(st.dates(dt.date(1700, 1, 1), dt.date(2300, 1, 1)), st.sampled_from(["day", "week", "month", "quarter", "year"]))
def test_a_day_lies_in_its_own_unit(day, unit):
    start = floor(day, unit)
    assert start <= day < shift(start, unit, 1)


@given(st.text(max_size=80))
def test_any_text_can_be_looked_through(text):
    words = Words(tokenise(text))
    for period in find_periods(words):
        start, end = period.resolve(ANCHOR)
        assert start is None or end is None or start < end
    find_grains(words)
