"""What a question says of its answer's shape and of times is put right in any tree."""

import datetime as dt

import pytest

from pluto_duck_text2sql import Catalog, Column, ForeignKey, Table, ValueIndex
from pluto_duck_text2sql.corrections.corrections import Corrections
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import Agg, Among, Bucket, Col, Compare, During, Either, Order, Query, Rows

COLLEGE, DEGREE, DEAN = ("main", "college"), ("main", "degree"), ("main", "dean")
NAME, COUNTY, FOUNDED = Col(COLLEGE, "name"), Col(COLLEGE, "county"), Col(COLLEGE, "year")
GIVEN, AWARDED, SUBJECT = Col(DEGREE, "given"), Col(DEGREE, "awarded_on"), Col(DEGREE, "subject")
FIRST, LAST, AGE = Col(DEAN, "first_name"), Col(DEAN, "last_name"), Col(DEAN, "age")
COUNT, SUM = Agg("count", Rows(COLLEGE)), Agg("sum", GIVEN)
CATALOG = Catalog(
    (
        Table(
            "college",
            "main",
            (
                Column("id", "INTEGER"),
                Column("name", "VARCHAR"),
                Column("county", "VARCHAR", n_distinct=3),
                Column("year", "INTEGER", minimum=1850, maximum=1999),
            ),
            ("id",),
            row_count=20,
        ),
        Table(
            "degree",
            "main",
            (
                Column("college_id", "INTEGER"),
                Column("subject", "VARCHAR"),
                Column("given", "INTEGER"),
                Column("awarded_on", "DATE", minimum=dt.date(2001, 1, 1), maximum=dt.date(2005, 6, 1)),
            ),
            (),
            (ForeignKey(("college_id",), "main", "college", ("id",)),),
            row_count=90,
        ),
        Table(
            "dean",
            "main",
            (
                Column("dean_id", "INTEGER"),
                Column("first_name", "VARCHAR"),
                Column("last_name", "VARCHAR"),
                Column("age", "INTEGER"),
                Column("college_id", "INTEGER"),
            ),
            ("dean_id",),
            (ForeignKey(("college_id",), "main", "college", ("id",)),),
            row_count=20,
        ),
    ),
    ValueIndex.build([]),
)
APRIL = During(AWARDED, dt.date(2004, 4, 1), dt.date(2004, 5, 1))
MAY = During(AWARDED, dt.date(2004, 5, 1), dt.date(2004, 6, 1))
YEAR_2004 = During(AWARDED, dt.date(2004, 1, 1), dt.date(2005, 1, 1))
SUBJECTS = Among(SUBJECT, ("Law", "Art"))
BY_COUNTY = Query(COLLEGE, (COUNTY, COUNT), group=(COUNTY,))
OLDEST = Query(COLLEGE, (NAME,), order=(Order(FOUNDED, True),), limit=1)
TOP = Query(COLLEGE, (NAME, SUM), group=(NAME,), order=(Order(SUM, True),), limit=1)


@pytest.fixture(scope="module")
def corrections():
    return Corrections(CATALOG, JoinGraph(CATALOG), dt.date(2026, 11, 29))


@pytest.mark.parametrize(
    ("question", "written", "right"),
    [
        (
            "colleges by county, biggest first",
            BY_COUNTY,
            Query(COLLEGE, BY_COUNTY.select, group=(COUNTY,), order=(Order(COUNT, True),)),
        ),
        (
            "colleges by county, fewest first",
            BY_COUNTY,
            Query(COLLEGE, BY_COUNTY.select, group=(COUNTY,), order=(Order(COUNT),)),
        ),
        (
            "colleges by county? The luckiest county first, please.",
            BY_COUNTY,
            Query(COLLEGE, BY_COUNTY.select, group=(COUNTY,), order=(Order(COUNT, True),)),
        ),
        (
            "colleges by county. Emptiest on top.",
            BY_COUNTY,
            Query(COLLEGE, BY_COUNTY.select, group=(COUNTY,), order=(Order(COUNT),)),
        ),
        (
            "colleges by county, fewest on top",
            Query(COLLEGE, BY_COUNTY.select, group=(COUNTY,), order=(Order(COUNT, True),)),
            Query(COLLEGE, BY_COUNTY.select, group=(COUNTY,), order=(Order(COUNT),)),
        ),
        ("colleges by county, most expensive first degrees left out", BY_COUNTY, BY_COUNTY),
        (
            "names and years of colleges, newest first",
            Query(COLLEGE, (NAME, FOUNDED)),
            Query(COLLEGE, (NAME, FOUNDED), order=(Order(FOUNDED, True),)),
        ),
        ("colleges by county", BY_COUNTY, BY_COUNTY),
        ("how many colleges in each county?", Query(COLLEGE, (COUNT,), group=(COUNTY,)), BY_COUNTY),
        (
            "degrees per college",
            Query(DEGREE, (SUM,), group=(Col(DEGREE, "college_id"),)),
            Query(DEGREE, (NAME, SUM), group=(Col(DEGREE, "college_id"), NAME)),
        ),
        (
            "degrees by county",
            Query(DEGREE, (COUNTY, SUM), group=(SUBJECT, COUNTY)),
            Query(DEGREE, (COUNTY, SUM), group=(COUNTY,)),
        ),
        ("which college is the oldest?", OLDEST, Query(COLLEGE, (NAME,), order=(Order(FOUNDED),), limit=1)),
        ("which college is the newest?", OLDEST, OLDEST),
        (
            "who is the oldest dean?",
            Query(DEAN, (FIRST,), order=(Order(AGE),), limit=1),
            Query(DEAN, (FIRST, LAST), order=(Order(AGE, True),), limit=1),
        ),
        ("first name of the deans", Query(DEAN, (FIRST,)), Query(DEAN, (FIRST,))),
        ("top 4 colleges by degrees", TOP, Query(COLLEGE, TOP.select, group=(NAME,), order=TOP.order, limit=4)),
        ("college with the most degrees in the last 4 months", TOP, TOP),
        (
            "degrees given in 2004",
            Query(DEGREE, (SUM,), (Compare(FOUNDED, "=", 2004),)),
            Query(DEGREE, (SUM,), (YEAR_2004,)),
        ),
        (
            "degrees of colleges of the year 1900",
            Query(DEGREE, (SUM,), (Compare(FOUNDED, "=", 1900),)),
            Query(DEGREE, (SUM,), (Compare(FOUNDED, "=", 1900),)),
        ),
        (
            "compare law and art degrees",
            Query(DEGREE, (SUM,), (SUBJECTS,)),
            Query(DEGREE, (SUBJECT, SUM), (SUBJECTS,), group=(SUBJECT,)),
        ),
        (
            "did we award more degrees in April or in May 2004?",
            Query(DEGREE, (SUM,), (Either((APRIL, MAY)),)),
            Query(DEGREE, (Bucket("month", AWARDED), SUM), (Either((APRIL, MAY)),), group=(Bucket("month", AWARDED),)),
        ),
        ("law and art degrees", Query(DEGREE, (SUM,), (SUBJECTS,)), Query(DEGREE, (SUM,), (SUBJECTS,))),
    ],
)
def test_the_shape_is_the_one_asked_for(question, written, right, corrections):
    assert corrections.applied(written, question) == right


@pytest.mark.parametrize(
    ("question", "main", "phrases"),
    [
        ("Sales by year? year, sales, earliest first", "Sales by year, earliest first", ["year", "sales"]),
        ("Films by actor: name, films, busiest first", "Films by actor", ["name", "films"]),
        ("Our people: first name and last name", "Our people", ["first name", "last name"]),
    ],
)
def test_what_is_said_of_the_order_is_no_column(question, main, phrases):
    assert split_spec(question) == (main, phrases)
