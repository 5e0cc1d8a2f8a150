"""The values of a question: numbers as people say them, percentages, durations, periods, days of the week, texts."""

import datetime as dt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pluto_duck_text2sql import Catalog, Column, Table, ValueIndex
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.language.words import tokenise
from pluto_duck_text2sql.learned.grammar import WORDS as GRAMMAR
from pluto_duck_text2sql.learned.graph import Grapher
from pluto_duck_text2sql.learned.literals import literals
from pluto_duck_text2sql.learned.sketch import Val
from pluto_duck_text2sql.learned.sketcher import words_of
from pluto_duck_text2sql.times.periods import Period, period_of
from pluto_duck_text2sql.tree import Col
from pluto_duck_training.targets import Missed, to_targets

KEY = ("main", "songs")
CATALOG = Catalog(
    (
        Table(
            "songs",
            "main",
            (
                Column("title", "VARCHAR"),
                Column("Milliseconds", "INTEGER", minimum=1000, maximum=900_000),
                Column("wait_minutes", "DOUBLE"),
                Column("discount", "DOUBLE", minimum=0.0, maximum=0.5),
                Column("is_live", "INTEGER", minimum=0, maximum=1),
                Column("released", "DATE", minimum=dt.date(2010, 1, 1), maximum=dt.date(2014, 6, 30)),
            ),
        ),
    ),
    ValueIndex.build([("main", "songs", "title", "Help")]),
)
BARE = Catalog((Table("songs", "main", (Column("plays", "INTEGER"),)),))
MILLISECONDS, MINUTES, DISCOUNT, RELEASED = (
    Col(KEY, name) for name in ("Milliseconds", "wait_minutes", "discount", "released")
)


def _found(question, catalog=CATALOG, kind="number"):
    tokens = tokenise(question)
    return [each for each in literals(tokens, catalog, [False] * len(tokens)) if each.kind == kind]


@pytest.mark.parametrize(
    ("question", "numbers"),
    [
        ("two dozen", [24]),
        ("the 3-month average", [3]),
        ("the three-month average", [3]),
        ("a month-to-month change", []),
        ("dozen eggs", [12]),
        ("half a million", [500_000]),
        ("half a dozen", [6]),
        ("over a hundred", [100]),
        ("sold 5k copies", [5000]),
        ("1.5 million plays", [1_500_000]),
        ("3 thousand or 2 bn", [3000, 2e9]),
        ("two hundred and fifty", [250]),
        ("one hundred twenty-five thousand three hundred", [125_300]),
        ("forty two", [42]),
        ("between 5 and 10", [5, 10]),
        ("five six", [5, 6]),
        ("twenty 2019", [20, 2019]),
        ("the second song", [2]),
        ("a song", []),
        ("5 percent of 20", [5, 20]),
        ("half", []),
    ],
)
def test_numbers_as_people_say_them(question, numbers):
    assert [each.value for each in _found(question, BARE)] == numbers


def test_a_number_word_covers_its_words():
    (literal,) = _found("more than half a million plays", BARE)
    assert (literal.start, literal.end) == (2, 5)


def test_a_percentage_is_a_fraction_where_the_column_holds_fractions():
    (literal,) = _found("discount above 5%")
    assert (literal.value, literal.spelt(DISCOUNT)) == (5, 0.05)
    assert set(literal.stored) == {DISCOUNT}
    assert (literal.start, literal.end) == (2, 4)
    assert _found("discount above 5")[0].stored == {}


@pytest.mark.parametrize(
    ("question", "minutes"),
    [
        ("longer than 4 minutes", 4),
        ("at least three quarters of an hour", 45),
        ("a quarter of an hour", 15),
        ("half an hour", 30),
        ("an hour and a half", 90),
        ("two and a half hours", 150),
        ("a minute", 1),
        ("2 minutes and 30 seconds", 2.5),
        ("2 minutes 30 seconds", 2.5),
        ("90 seconds", 1.5),
        ("half a million milliseconds", 500_000 / 60_000),
    ],
)
def test_a_duration_is_spelt_in_its_columns_unit(question, minutes):
    (literal,) = _found(question)
    assert literal.spelt(MINUTES) == pytest.approx(minutes)
    assert literal.spelt(MILLISECONDS) == pytest.approx(60_000 * minutes)


def test_without_durations_a_unit_is_a_word():
    (literal,) = _found("longer than 4 minutes", BARE)
    assert (literal.start, literal.end, literal.stored) == (2, 3, {})


@pytest.mark.parametrize(
    ("question", "spans"),
    [
        ("songs in 2013", [(2, 3, "2013")]),
        ("songs in March 2014", [(2, 4, "March 2014")]),
        ("Q1 2012", [(0, 2, "Q1 2012")]),
        ("in the last 3 months", [(2, 5, "last 3 months")]),
        ("year to date", [(0, 3, "year to date")]),
        ("from January to March 2014", [(0, 5, "January to March 2014")]),
        ("between March 2013 and May 2014", [(0, 6, "March 2013 to May 2014")]),
        ("in 2012 and 2013", [(1, 2, "2012"), (3, 4, "2013")]),
        ("since 2012", [(0, 2, "since 2012")]),
        ("from 2012 onwards", [(0, 3, "since 2012")]),
        ("before March", [(0, 2, "before march")]),
        ("after 5 March 2014", [(0, 4, "after 2014-03-05")]),
        ("before 2014-02-30", [(0, 2, "before 2014-02-28")]),
    ],
)
def test_each_period_is_one_literal(question, spans):
    found = _found(question, kind="period")
    assert [(each.start, each.end, str(each.value)) for each in found] == [
        (start, end, str(period_of(said))) for start, end, said in spans
    ]


@pytest.mark.parametrize(
    ("question", "numbers"),
    [
        ("on Mondays", [1]),
        ("at weekends in December", [6, 12]),
        ("in March 2014", []),
        ("we march on", []),
        ("sold in december", [12]),
    ],
)
def test_days_of_the_week_and_months_are_numbers(question, numbers):
    assert [each.value for each in _found(question, kind="calendar")] == numbers


def test_times_need_a_column_that_may_hold_them():
    assert _found("songs in 2013", BARE, "period") == []


def test_a_stored_value_is_found():
    (literal,) = _found("who wrote help", kind="stored")
    assert literal.spelt(Col(KEY, "title")) == "Help"


def test_a_period_is_a_node_beside_columns_whose_days_it_meets():
    grapher = Grapher(CATALOG, JoinGraph(CATALOG))
    for question, meets in (("songs of 2013", True), ("songs of 2017", False), ("songs last month", True)):
        graph = grapher.graph(question)
        node = next(n for n, each in enumerate(graph.values) if each.kind == "period")
        place = sum(graph.sizes[:3]) + node
        column = graph.sizes[0] + [graph.column(n) for n in range(graph.sizes[1])].index(RELEASED)
        assert graph.features[place, 39] == 1
        assert bool(graph.relations[place, column]) is meets, question
        assert np.isfinite(graph.features).all()


def test_a_line_holds_the_value_as_its_column_keeps_it():
    graph = Grapher(CATALOG, JoinGraph(CATALOG)).graph("songs with discount 5% longer than 4 minutes in 2013")
    known = ("where",)
    first = len(known) + sum(graph.sizes[:3])
    columns = [graph.column(n) for n in range(graph.sizes[1])]

    def line(column, place):
        return words_of(graph, [len(known) + graph.sizes[0] + columns.index(column), first + place], known)[1]

    kinds = [each.kind for each in graph.values]
    assert line(DISCOUNT, 0) == Val(0.05)
    assert line(MILLISECONDS, 1) == Val(240_000)
    assert isinstance(line(RELEASED, kinds.index("period")).value, Period)


def test_a_period_in_words_is_taught_as_its_node():
    graph = Grapher(CATALOG, JoinGraph(CATALOG)).graph("songs released in 2013 or before March 2012")
    first = len(GRAMMAR) + sum(graph.sizes[1:3])
    for line, said in (
        ([RELEASED, "during", Val("2013")], "2013"),
        ([RELEASED, "<", Val("before March 2012")], "before March 2012"),
        (["firstof", RELEASED, DISCOUNT, "=", Val(period_of("in 2013"))], "2013"),
    ):
        node = to_targets(line, graph)[-2] - first
        assert str(graph.values[node].value) == str(period_of(said))
    with pytest.raises(Missed):
        to_targets([RELEASED, "during", Val("2017")], graph)


@given(st.text(max_size=120))
@settings(deadline=None)
def test_any_text_has_values(text):
    tokens = tokenise(text)
    for each in literals(tokens, CATALOG, [False] * len(tokens)):
        assert 0 <= each.start < each.end <= len(tokens)


WORDS = "a an half and two twenty-five hundred k million dozen quarter quarters of hour minutes percent 5 1.5 2014 3rd"
WORDS += " march may in since before from to between 2014-02-31 9999-12-31 0000-00-00 last 3 months weekend q1"
WORDS += " 99999 years day minute"


@given(st.lists(st.sampled_from(WORDS.split()), max_size=12))
@settings(deadline=None, max_examples=500)
def test_any_words_have_values(words):
    test_any_text_has_values.hypothesis.inner_test(" ".join(words))
