"""Times in questions, against ranges worked out by hand; the anchor day is 2025-12-31."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.words import tokenise
from pluto_duck_text2sql.times.calendar_days import floor, shift
from pluto_duck_text2sql.times.grains import find_grains
from pluto_duck_text2sql.times.periods import find_periods
from pluto_duck_text2sql.times.recurring import periods_in

ANCHOR = dt.date(2025, 12, 31)
CASES = {
    "revenue last quarter": ("2025-07-01", "2025-10-01"),
    "revenue last month": ("2025-11-01", "2025-12-01"),
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
    "between mid-March and the end of May 2024": ("2024-03-15", "2024-06-01"),
    "from 3 June to mid-August": ("2025-06-03", "2025-08-16"),
    "between March and mid May 2024": ("2024-03-01", "2024-05-16"),
    "from the beginning of November 2024 until the middle of February 2025": ("2024-11-01", "2025-02-16"),
    "since mid-October": ("2025-10-15", None),
    "revenue week to date": ("2025-12-29", "2026-01-01"),
    "orders this week so far": ("2025-12-29", "2026-01-01"),
    "no orders since last Christmas": ("2025-12-25", None),
    "before March": (None, "2025-03-01"),
    "after 5 March 2024": ("2024-03-06", None),
    "until March 5 2024": (None, "2024-03-06"),
    "from 2024 onwards": ("2024-01-01", None),
    "starting from 2024": ("2024-01-01", None),
    "loans starting in 2024": ("2024-01-01", "2025-01-01"),
    "from January 2024 on": ("2024-01-01", None),
    "orders per month from March 2024 onwards": ("2024-03-01", None),
    "starting with Mar 2024": ("2024-03-01", None),
    "since Q2 2024": ("2024-04-01", None),
    "from the third quarter of 2023 forward": ("2023-07-01", None),
    "before Q3 2024": (None, "2024-07-01"),
    "from January 2024 on the web": ("2024-01-01", "2024-02-01"),
    "in 2024 or later": ("2024-01-01", None),
    "2024 and before": (None, "2025-01-01"),
    "2024-03-05 or earlier": (None, "2024-03-06"),
    "on 9999-12-31": ("9998-12-31", "9999-01-01"),
    "in the last 99999 years": ("0526-01-01", "2026-01-01"),
    "orders in H2 2024": ("2024-07-01", "2025-01-01"),
    "orders in the second quarter of this year": ("2025-04-01", "2025-07-01"),
    "orders in the second half of last year": ("2024-07-01", "2025-01-01"),
    "orders in Q3 last year": ("2024-07-01", "2024-10-01"),
    "orders in May of the previous year": ("2024-05-01", "2024-06-01"),
    "orders since March last year": ("2024-03-01", None),
    "orders on 5 March last year": ("2024-03-05", "2024-03-06"),
    "orders in the third quarter": ("2025-07-01", "2025-10-01"),
    "orders in Q3": ("2025-07-01", "2025-10-01"),
    "orders by channel, Q3": ("2025-07-01", "2025-10-01"),
    "orders in the third quarter of each year": ("2025-07-01", "2025-10-01"),
    "orders in the first half of the year": ("2025-01-01", "2025-07-01"),
    "orders in the final quarter of 2024": ("2024-10-01", "2025-01-01"),
    "orders between March and May": ("2025-03-01", "2025-06-01"),
    "orders from January to the end of October": ("2025-01-01", "2025-11-01"),
    "orders from November until February": ("2024-11-01", "2025-03-01"),
    "orders from December 2024 until the end of February 2025": ("2024-12-01", "2025-03-01"),
    "orders in June, July and August 2024": ("2024-06-01", "2024-09-01"),
    "orders in September and October this year": ("2025-09-01", "2025-11-01"),
    "orders in December and January 2025": ("2024-12-01", "2025-02-01"),
    "orders between 3 and 17 October": ("2025-10-03", "2025-10-18"),
    "orders in the first ten days of October": ("2025-10-01", "2025-10-11"),
    "orders since the start of November": ("2025-11-01", None),
    "orders before the beginning of May 2025": (None, "2025-05-01"),
    "orders since the beginning of last year": ("2024-01-01", None),
    "orders until the end of March": (None, "2025-04-01"),
    "orders in 2025 up to and including October": ("2025-01-01", "2025-11-01"),
    "orders last May": ("2025-05-01", "2025-06-01"),
    "orders since last May": ("2025-05-01", None),
    "orders before last May": (None, "2025-05-01"),
    "orders until Q2": (None, "2025-07-01"),
    "orders from Q1 to Q3": ("2025-01-01", "2025-10-01"),
    "orders between Q1 and Q3 2024": ("2024-01-01", "2024-10-01"),
    "orders from the start of the year until the end of May": ("2025-01-01", "2025-06-01"),
    "orders last December": ("2024-12-01", "2025-01-01"),
    "orders the month before last": ("2025-10-01", "2025-11-01"),
    "orders in the two months before last month": ("2025-09-01", "2025-11-01"),
    "orders in the seven days starting 11 March 2025": ("2025-03-11", "2025-03-18"),
    "orders in the four weeks before 11 March 2025": ("2025-02-11", "2025-03-11"),
    "orders in winter 2024": ("2024-12-01", "2025-03-01"),
    "orders on 10 March": ("2025-03-10", "2025-03-11"),
    "orders on the 10th of March": ("2025-03-10", "2025-03-11"),
    "orders since 10 March": ("2025-03-10", None),
    "orders until 5 June": (None, "2025-06-06"),
    "orders from 20 December to 3 January": ("2024-12-20", "2025-01-04"),
    "orders in the week of 12 March 2025": ("2025-03-10", "2025-03-17"),
    "orders on the weekend of 8 March 2025": ("2025-03-08", "2025-03-10"),
    "orders in the week commencing 12 March 2025": ("2025-03-12", "2025-03-19"),
    "orders in the week ending 16 March": ("2025-03-10", "2025-03-17"),
    "orders in week 1 of 2025": ("2024-12-30", "2025-01-06"),
    "orders in week 53 of 2025": ("2025-12-22", "2025-12-29"),
    "orders last Friday": ("2025-12-26", "2025-12-27"),
    "orders last Wednesday": ("2025-12-24", "2025-12-25"),
    "orders since last Monday": ("2025-12-29", None),
    "orders on the first Saturday of March 2025": ("2025-03-01", "2025-03-02"),
    "orders on the last Friday of May 2024": ("2024-05-31", "2024-06-01"),
    "orders on New Year's Eve 2024": ("2024-12-31", "2025-01-01"),
    "orders on Christmas Eve": ("2025-12-24", "2025-12-25"),
    "orders in the two weeks before Christmas 2024": ("2024-12-11", "2024-12-25"),
    "orders in the 30 days after 1 March 2025": ("2025-03-02", "2025-04-01"),
    "orders the day before yesterday": ("2025-12-29", "2025-12-30"),
    "orders three days ago": ("2025-12-28", "2025-12-29"),
    "orders more than three days ago": (None, "2025-12-29"),
    "orders zero days ago": ("2025-12-31", "2026-01-01"),
    "orders in the last 2000 days": ("2020-07-11", "2026-01-01"),
    "orders last summer": ("2025-06-01", "2025-09-01"),
    "orders this winter": ("2025-12-01", "2026-03-01"),
    "orders last winter": ("2024-12-01", "2025-03-01"),
    "orders in the summer of 2024": ("2024-06-01", "2024-09-01"),
    "orders in early 2025": ("2025-01-01", "2025-04-01"),
    "orders in mid-2025": ("2025-04-01", "2025-10-01"),
    "orders in the last week of 2024": ("2024-12-25", "2025-01-01"),
    "orders in the first ten days of March 2025": ("2025-03-01", "2025-03-11"),
    "orders in the second week of March": ("2025-03-08", "2025-03-15"),
    "orders in the first six months of 2024": ("2024-01-01", "2024-07-01"),
    "orders in the last two quarters of 2024": ("2024-07-01", "2025-01-01"),
    "from 1 to 30 December 2024": ("2024-12-01", "2024-12-31"),
    "from 1 January to 22 December 2013": ("2013-01-01", "2013-12-23"),
    "between March 3 and April 7, 2014": ("2014-03-03", "2014-04-08"),
    "28 December to 3 January 2014": ("2013-12-28", "2014-01-04"),
    "counting from 1 March 2010": ("2010-03-01", None),
    "in the last full quarter in the data": ("2025-10-01", "2026-01-01"),
    "the last three complete months": ("2025-10-01", "2026-01-01"),
    "the twelve full months before this month": ("2024-12-01", "2025-12-01"),
    "12 months up to and including this month": ("2025-01-01", "2026-01-01"),
    "in the 30 days before today": ("2025-12-01", "2025-12-31"),
    "so far this quarter": ("2025-10-01", "2026-01-01"),
    "this year to date": ("2025-01-01", "2026-01-01"),
}


@pytest.mark.parametrize("question", CASES)
def test_a_period_is_a_half_open_range(question):
    (period,) = find_periods(Words(tokenise(question)))
    start, end = (each and each.isoformat() for each in period.resolve(ANCHOR))
    assert (start, end) == CASES[question]


SEVERAL = {
    "January to July: 1997 vs 1998": ["1997-01-01 1997-08-01", "1998-01-01 1998-08-01"],
    "1997 and 1998, first quarter only": ["1997-01-01 1997-04-01", "1998-01-01 1998-04-01"],
    "Q1 of 2012 and of 2013": ["2012-01-01 2012-04-01", "2013-01-01 2013-04-01"],
    "December 2012 vs 2013": ["2012-12-01 2013-01-01", "2013-12-01 2014-01-01"],
    "2012 vs 2013 in March": ["2012-03-01 2012-04-01", "2013-03-01 2013-04-01"],
    "1 May to 9 June 2013 against the same days of 2012": ["2012-05-01 2012-06-10", "2013-05-01 2013-06-10"],
    "May 2013 and the same month a year earlier": ["2012-05-01 2012-06-01", "2013-05-01 2013-06-01"],
    "this month compared with the same month last year": ["2024-12-01 2025-01-01", "2025-12-01 2026-01-01"],
    "Q3 vs Q4 2024": ["2024-07-01 2024-10-01", "2024-10-01 2025-01-01"],
    "in Q2, Q3 and Q4 of 2024": ["2024-04-01 2024-07-01", "2024-07-01 2024-10-01", "2024-10-01 2025-01-01"],
    "January through March versus April through June": ["2025-01-01 2025-04-01", "2025-04-01 2025-07-01"],
    "first half of this year vs last year": ["2024-01-01 2024-07-01", "2025-01-01 2025-07-01"],
    "Q3 this year and last year": ["2024-07-01 2024-10-01", "2025-07-01 2025-10-01"],
    "January to the end of October: this year against last year": ["2024-01-01 2024-11-01", "2025-01-01 2025-11-01"],
    "January to October next to each other, this year and last year": [
        "2024-01-01 2024-11-01",
        "2025-01-01 2025-11-01",
    ],
    "in October compared with September": ["2025-09-01 2025-10-01", "2025-10-01 2025-11-01"],
    "in October vs October last year": ["2024-10-01 2024-11-01", "2025-10-01 2025-11-01"],
    "in May or June 2024": ["2024-05-01 2024-06-01", "2024-06-01 2024-07-01"],
    "in September and October this year and the same months of 2024": [
        "2024-09-01 2024-11-01",
        "2025-09-01 2025-11-01",
    ],
    "May 2012, then 2013": ["2012-05-01 2012-06-01", "2013-01-01 2014-01-01"],
}


@pytest.mark.parametrize("question", SEVERAL)
def test_a_period_may_lean_on_another(question):
    found = {" ".join(map(str, each.resolve(ANCHOR))) for each in periods_in(Words(tokenise(question)))}
    assert sorted(found) == SEVERAL[question]


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
