"""Of a range with two ends the one is meant that the question says."""

import pytest

from pluto_duck_text2sql import Catalog, Column, Table
from pluto_duck_text2sql.corrections.range_ends import of_said_end
from pluto_duck_text2sql.tree import Agg, Col, Compare, Query

JOB = ("main", "job")
NAMES = ("title", "salary_min", "salary_max", "low_estimate", "high_estimate")
CATALOG = Catalog(
    (Table("job", "main", tuple(Column(each, "VARCHAR" if each == "title" else "INTEGER") for each in NAMES)),)
)
TITLE, MIN, MAX, LOW, HIGH = (Col(JOB, each) for each in NAMES)


def said(question, column):
    tree = Query(JOB, (TITLE, Agg("avg", column)), where=(Compare(column, ">", 8),))
    return of_said_end(tree, question, CATALOG).select[1].of


@pytest.mark.parametrize(
    ("question", "written", "meant"),
    [
        ("jobs with a minimum salary above 8000", MAX, MIN),
        ("jobs with a max salary above 8000", MIN, MAX),
        ("jobs under the bottom of our estimate", HIGH, LOW),
        ("jobs above the top estimate", LOW, HIGH),
    ],
)
def test_the_end_that_is_said_is_meant(question, written, meant):
    assert said(question, written) == said(question, meant) == meant


@pytest.mark.parametrize(
    ("question", "written"),
    [
        ("jobs with a salary above 8000", MIN),
        ("jobs with the highest minimum salary", MIN),
        ("jobs with the lowest maximum salary", MAX),
        ("jobs between the low and the high estimate", LOW),
        ("top 5 jobs by starting salary", MIN),
        ("highest starting salary", MIN),
        ("which titles have the most jobs at a salary of 8000", MIN),
        ("jobs with a salary of at least 8000", MAX),
        ("salary up to 8000 in our lowest branch", MAX),
        ("most affordable jobs: cheapest estimate", LOW),
    ],
)
def test_what_says_both_or_neither_is_left_as_it_is(question, written):
    assert said(question, written) == written
