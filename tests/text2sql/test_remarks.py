"""What a question says of its answer's looks, and of the day it counts from, is taken out before it is read."""

import datetime as dt

import pytest

from pluto_duck_text2sql import Catalog
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.remarks import without_remarks
from pluto_duck_text2sql.rewording.rewordings import reworded
from pluto_duck_text2sql.times.today import Today, split_today

REMARKS = [
    ("Growth by month. January stays empty.", "Growth by month."),
    ("Growth by month: month, growth, January left empty as 2024 is all there is", "Growth by month: month, growth"),
    ("Growth by quarter; the first quarter has no value", "Growth by quarter"),
    ("Growth by year (the first one is null).", "Growth by year."),
    ("Growth by month, leaving the first month blank", "Growth by month"),
    ("Growth by week, so the earliest week shows nothing", "Growth by week"),
    ("Visits by week, weeks starting on Monday: week and visits", "Visits by week: week and visits"),
    ("Visits by week where weeks run from Monday to Sunday", "Visits by week"),
    ("Visits by ISO week", "Visits by week"),
    ("Sales of 2012 and 2013 in one row", "Sales of 2012 and 2013"),
    ("Sales of 2012 and 2013, one row, please", "Sales of 2012 and 2013, please"),
    ("Visits by year? Year as a number and visits.", "Visits by year? Year and visits."),
    ("Moving average of sales by month, with fewer months at the start", "Moving average of sales by month"),
    ("Sales in the last 30 days, that day included", "Sales in the last 30 days"),
    ("Sales in 1996 and 1997, looking at those two years only: sales", "Sales in 1996 and 1997: sales"),
    ("Fees per month with a running total. Only months with visits.", "Fees per month with a running total."),
    ("How many came each year? Years without a visit can be left out.", "How many came each year?"),
    ("Top 3 wards by visits. Wards nobody visited don't count.", "Top 3 wards by visits."),
    ("Visits of each ward? Ward and number, skip wards without any.", "Visits of each ward? Ward and number."),
    ("Which ward is the largest? If several share it, show them all.", "Which ward is the largest?"),
    ("Visits by month. Only months with more than 5 visits.", "Visits by month. Only months with more than 5 visits."),
    ("Which wards are without any visit?", "Which wards are without any visit?"),
    ("Which rows have no first name?", "Which rows have no first name?"),
    ("Which parts may be null?", "Which parts may be null?"),
    ("Orders with one line", "Orders with one line"),
    ("Visits on Mondays", "Visits on Mondays"),
    ("How many weeks does each course run?", "How many weeks does each course run?"),
    ("In one row", "In one row"),
    ("My boss wants to know which wards closed.", "which wards closed."),
    ("Somebody from the press asks for the visits of 2024", "the visits of 2024"),
    ("A journalist asks: how many visits were there?", "how many visits were there?"),
    ("Sorry to bother you again, our auditor would like to see the fees by ward", "the fees by ward"),
    ("Which wards are open? Ward and town will do.", "Which wards are open? Ward and town."),
    ("Visits by ward, of course.", "Visits by ward."),
    ("Which nurse asks for the most leave?", "Which nurse asks for the most leave?"),
    ("The patients who want to know the fee", "The patients who want to know the fee"),
    ("Our clinic asks the highest fee of which patient?", "Our clinic asks the highest fee of which patient?"),
    ("The average nurse wants to know the rota", "The average nurse wants to know the rota"),
]
TODAYS = [
    ("Say today is the day of the last order: sales this year", "sales this year", Today(of="order")),
    ("Taking the last visit date as today, visits last month", "visits last month", Today(of="visit")),
    ("As of the most recent booking, bookings this month", "bookings this month", Today(of="booking")),
    ("sales last month, counting back from the newest sale", "sales last month", Today(of="sale")),
    ("sales last month if today were 5 May 2014", "sales last month", Today(dt.date(2014, 5, 5))),
    ("visits last month, as of the latest date in the data", "visits last month", Today()),
    ("sales in the 90 days ending with the latest order date", "sales in the last 90 days", Today(of="order")),
    ("sales in the month of the last order", "sales in this month", Today(of="order")),
    (
        "visits by month in the 12 full months before the month of the newest visit",
        "visits by month in the 12 full months before this month",
        Today(of="visit"),
    ),
    ("customers as of 2014-05-05", "customers as of 2014-05-05", None),
    ("the founding year of the newest school", "the founding year of the newest school", None),
    ("What is the date of the last order?", "What is the date of the last order?", None),
]


@pytest.mark.parametrize(("question", "rest"), REMARKS)
def test_what_names_nothing_is_taken_out(question, rest):
    assert without_remarks(question) == rest


@pytest.mark.parametrize(("question", "rest", "today"), TODAYS)
def test_a_question_may_say_what_day_it_counts_from(question, rest, today):
    assert split_today(question) == (rest, today)


@pytest.mark.parametrize(
    ("question", "plainer"),
    [
        (
            "Total fee from March to June 2025, by visit date?",
            "Total fee from March to June 2025, going by visit date?",
        ),
        (
            "Show the number of visits per year, by start date",
            "Show the number of visits per year, going by start date",
        ),
        ("List the visits of 2024, by visit date", "List the visits of 2024, by visit date"),
        ("How many living cats do we have?", "How many cats that are still alive do we have?"),
        ("How many living rooms are there?", "How many living rooms are there?"),
        ("What was the last date on which a visit was paid?", "when was the last visit paid?"),
        ("fees of each ward that has had any", "fees of each ward"),
    ],
)
def test_turns_of_phrase_are_put_plainly(question, plainer):
    nothing = Catalog(())
    assert reworded(question, NameIndex(nothing), nothing) == plainer
