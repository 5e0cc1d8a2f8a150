"""What a tree says beyond its question counts against it, and what the question says beyond doubt is put right."""

import datetime as dt

import pytest

from pluto_duck_text2sql import Catalog, Column, ForeignKey, Table, ValueIndex
from pluto_duck_text2sql.corrections.corrections import Corrections
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.words import tokenise
from pluto_duck_text2sql.pool import entries
from pluto_duck_text2sql.reading.reader import Pass, Reader, Reading
from pluto_duck_text2sql.rewording.rewordings import reworded
from pluto_duck_text2sql.terms.arithmetic import Arithmetic
from pluto_duck_text2sql.tree import Agg, Col, Compare, Order, Query, Ratio, Rows
from pluto_duck_text2sql.trees.resolve import Resolver

PATIENT, VISITS = ("main", "patients"), ("main", "visits")
FIRST, LAST, BORN = Col(PATIENT, "patient_first_name"), Col(PATIENT, "patient_last_name"), Col(PATIENT, "year")
FEE, WARD, KIND, NUMBER, YEAR = (Col(VISITS, name) for name in ("fee", "ward", "kind", "visits", "year"))
COUNT, SUM = Agg("count", Rows(VISITS)), Agg("sum", FEE)
CATALOG = Catalog(
    (
        Table(
            "patients",
            "main",
            (
                Column("patient_id", "INTEGER"),
                Column("patient_first_name", "VARCHAR"),
                Column("patient_last_name", "VARCHAR"),
                Column("year", "INTEGER", minimum=1930, maximum=2010),
            ),
            ("patient_id",),
            row_count=9,
        ),
        Table(
            "visits",
            "main",
            (
                Column("patient_id", "INTEGER"),
                Column("fee", "DOUBLE"),
                Column("ward", "VARCHAR"),
                Column("ward_fee", "INTEGER"),
                Column("kind", "VARCHAR"),
                Column("visits", "INTEGER"),
                Column("year", "INTEGER", minimum=2000, maximum=2010),
            ),
            (),
            (ForeignKey(("patient_id",), "main", "patients", ("patient_id",)),),
            row_count=90,
        ),
    ),
    ValueIndex.build([("main", "visits", "kind", "Visit"), ("main", "visits", "ward", "North")]),
)
JOINS, NAMES = JoinGraph(CATALOG), NameIndex(CATALOG)
LISTED = Query(PATIENT, (FIRST, LAST))


@pytest.fixture(scope="module")
def reader():
    return Reader(CATALOG, JOINS, NAMES, dt.date(2026, 1, 1))


@pytest.mark.parametrize(
    ("question", "query", "against"),
    [
        ("fees per ward", Query(VISITS, (WARD, FEE, COUNT), group=(WARD, FEE)), ["fee"]),
        ("fees per ward", Query(VISITS, (WARD, SUM), group=(WARD,)), []),
        ("fees of each ward", Query(VISITS, (WARD, Agg("max", FEE)), group=(WARD,)), ["max"]),
        ("highest fees of each ward", Query(VISITS, (WARD, Agg("max", FEE)), group=(WARD,)), []),
        ("ward and kind of the visits by kind", Query(VISITS, (WARD,), order=(Order(KIND),)), ["kind"]),
        ("ward and kind of the visits by kind", Query(VISITS, (WARD, KIND), order=(Order(KIND),)), []),
        ("visits by fee", Query(VISITS, (FEE, COUNT), group=(FEE,)), []),
        ("fees by ward", Query(VISITS, (WARD, Agg("count", FEE, distinct=True)), group=(WARD,)), ["fee"]),
        ("number of different fees", Query(VISITS, (Agg("count", FEE, distinct=True),)), []),
        ("wards of visits", Query(VISITS, (WARD,), (Compare(KIND, "=", "Visit"),)), ["Visit"]),
        ("patients in the North ward", Query(PATIENT, (Agg("count", Rows(PATIENT)),)), ["North", "patients"]),
        ("how many patients?", Query(PATIENT, (Agg("count", Rows(PATIENT)),)), []),
        ("who had the highest fee?", Query(VISITS, (WARD,), order=(Order(FEE, True),), limit=1), ["who"]),
        ("who had the highest fee?", Query(VISITS, (FIRST, LAST), order=(Order(FEE, True),), limit=1), []),
        ("how much are the fees and how much are the ward fees?", Query(VISITS, (SUM,)), ["how much"]),
        ("average fee of each ward", Query(VISITS, (KIND, Agg("avg", FEE)), group=(KIND,)), ["of each ward"]),
        ("patients nobody visits", LISTED, ["nobody"]),
        ("fees by ward", Query(VISITS, (WARD, SUM), group=(WARD,), order=(Order(SUM, True),), limit=1), ["first 1"]),
        ("highest fees by ward", Query(VISITS, (WARD, SUM), group=(WARD,), order=(Order(SUM, True),), limit=1), []),
        (
            "wards with fees over 2 and 200",
            Query(VISITS, (WARD,), (Compare(FEE, ">", 2), Compare(FEE, ">", 200))),
            ["fee"],
        ),
        (
            "wards with fees between 2 and 200",
            Query(VISITS, (WARD,), (Compare(FEE, ">=", 2), Compare(FEE, "<", 200))),
            [],
        ),
    ],
)
def test_what_a_tree_says_beyond_its_question_counts_against_it(question, query, against, reader):
    assert Pass(reader, tokenise(question), None).lost_by(query) == against


@pytest.mark.parametrize(
    ("question", "written", "right"),
    [
        ("visits by ward", Query(VISITS, (WARD, COUNT), group=(WARD,)), Agg("sum", NUMBER)),
        ("number of rows of visits by ward", Query(VISITS, (WARD, COUNT), group=(WARD,)), COUNT),
    ],
)
def test_what_a_table_counts_already_is_added_up(question, written, right):
    assert Corrections(CATALOG, JOINS, dt.date(2026, 11, 29)).applied(written, question).select[1] == right


@pytest.mark.parametrize(
    ("question", "written", "right"),
    [
        ("fees in 2005", Query(VISITS, (SUM,), (Compare(FEE, ">", 2005),)), Compare(YEAR, "=", 2005)),
        ("fees over 2005", Query(VISITS, (SUM,), (Compare(FEE, ">", 2005),)), Compare(FEE, ">", 2005)),
        ("fees in 2005", Query(VISITS, (SUM,), (Compare(BORN, "=", 2005),)), Compare(YEAR, "=", 2005)),
        ("patients of the year 2005", Query(PATIENT, (LAST,), (Compare(BORN, "=", 2005),)), Compare(BORN, "=", 2005)),
    ],
)
def test_a_year_is_a_time_of_what_is_measured(question, written, right):
    assert Corrections(CATALOG, JOINS, dt.date(2026, 11, 29)).applied(written, question).where == (right,)


@pytest.mark.parametrize(
    ("question", "distinct"), [("who was in the North ward?", True), ("patients in the North ward", False)]
)
def test_who_is_told_once(question, distinct):
    written = Query(PATIENT, (FIRST, LAST), (Compare(WARD, "=", "North"),), flat=True)
    assert Corrections(CATALOG, JOINS, dt.date(2026, 11, 29)).applied(written, question).distinct == distinct


def test_people_are_called_by_both_names_whatever_stands_before_them():
    assert Resolver(CATALOG, JOINS).label(CATALOG.tables[0]) == [FIRST, LAST]


@pytest.mark.parametrize(("question", "divides"), [("fee per ward", False), ("fee per ward fee", True)])
def test_per_divides_by_numbers_only(question, divides):
    found = Arithmetic(JOINS, NAMES, Resolver(CATALOG, JOINS)).read(tokenise(question), 0)
    assert bool(found) == divides


def test_an_amount_with_a_thousands_comma_is_no_year(reader):
    assert not Pass(reader, tokenise("fees over 2,005"), None).periods
    assert Pass(reader, tokenise("fees in 2005"), None).periods


def test_a_number_before_a_noun_says_how_much_of_it():
    said = reworded("4-credit courses in the North", NAMES, CATALOG)
    assert said == "courses with 4 credits in the North"


@pytest.mark.parametrize(
    ("said", "same"),
    [
        ("visits over an hour and a half", "visits over 1.5 hours"),
        ("visits over two days and a half", "visits over two and a half days"),
        ("visits over the last year and a half", "visits over the last year and a half"),
    ],
)
def test_a_half_more_is_said_before_the_unit(said, same):
    assert reworded(said, NAMES, CATALOG) == same


@pytest.mark.parametrize(("bottom", "told"), [(SUM, 0), (COUNT, 1)])
def test_what_is_divided_by_itself_is_no_reading(bottom, told):
    reading = Reading(Query(VISITS, (Ratio(SUM, bottom),)), [], [], [], [], 1.0, [])
    assert len(entries((), [reading], CATALOG, JOINS, None)) == told
