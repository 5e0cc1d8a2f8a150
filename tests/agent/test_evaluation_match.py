"""When two results say the same."""

import datetime
import random
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pluto_duck_backend.agent.evaluation import matches, matches_leniently
from pluto_duck_backend.agent.evaluation_match import matches_part

CELLS = st.one_of(
    st.none(),
    st.integers(-50, 50),
    st.floats(-1e6, 1e6),
    st.sampled_from(["", "north", "south", "2024-03-01", "x7"]),
)


@st.composite
def tables(draw):
    width = draw(st.integers(1, 6))
    return draw(st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=8))


def columns_moved(rows, order):
    return [[row[i] for i in order] for row in rows]


@given(tables(), st.randoms(use_true_random=False))
def test_rows_and_columns_may_be_shuffled(rows, chance):
    order = list(range(len(rows[0])))
    chance.shuffle(order)
    shuffled = columns_moved(rows, order)
    assert matches(rows, shuffled, ordered=True)
    chance.shuffle(shuffled)
    assert matches(rows, shuffled, ordered=False)
    assert matches_leniently(rows, shuffled)


@given(tables(), st.data())
def test_a_changed_cell_does_not_match(rows, data):
    i = data.draw(st.integers(0, len(rows) - 1))
    j = data.draw(st.integers(0, len(rows[0]) - 1))
    changed = [list(row) for row in rows]
    changed[i][j] = "a text no cell holds"
    assert not matches(rows, changed, ordered=False)
    assert not matches_leniently(rows, changed)


@given(tables(), st.randoms(use_true_random=False))
def test_more_columns_match_leniently_only(rows, chance):
    wide = [[*row, chance.random()] for row in rows]
    assert matches_leniently(rows, wide)
    assert not matches(rows, wide, ordered=False)
    assert not matches_leniently(wide, rows)


@given(tables(), st.integers(0, 7))
def test_a_missing_row_does_not_match(rows, which):
    assume(which < len(rows))
    assert not matches(rows, rows[:which] + rows[which + 1 :], ordered=False)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, "1"),
        (1, 1.0),
        (2.5, "2.50"),
        (True, 1),
        (False, "0"),
        (Decimal("12.30"), 12.3),
        (2328.600000000004, 2328.6),
        (1265793.0395, 1265793.04),
        (0.1 + 0.2, 0.3),
        (7.0000000000001, 7),
        (float("nan"), None),
        (float("-inf"), None),
        ("9007199254740993", 9007199254740993),
        ("-1.5e-3", -0.0015),
        (datetime.date(2024, 3, 1), "2024-03-01"),
        (datetime.datetime(2024, 3, 1), "2024-03-01"),
        ("2024-03-01 10:20:30.500000", "2024-03-01T10:20:30.5"),
        ([1, {"a": 2}], [1, {"a": 2}]),
    ],
)
def test_cells_that_are_the_same(one, other):
    assert matches([[one]], [[other]], ordered=False)
    assert matches([[other]], [[one]], ordered=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (None, 0),
        (None, ""),
        (None, "None"),
        ("a", "A"),
        (1.00001, 1.00002),
        (1234567, 1234568),
        ("9007199254740993", "9007199254740992"),
        ("2024-03-01", "2024-03-02"),
        ("2024-03-01T10:00:00", "2024-03-01"),
        ("1e999", None),
        ([1, 2], [2, 1]),
    ],
)
def test_cells_that_differ(one, other):
    assert not matches([[one]], [[other]], ordered=False)


def test_order_counts_only_where_asked():
    up, down = [[1, "a"], [2, "b"]], [[2, "b"], [1, "a"]]
    assert matches(up, down, ordered=False)
    assert not matches(up, down, ordered=True)


def test_cells_stay_in_their_rows():
    assert not matches([[1, "a"], [2, "b"]], [[1, "b"], [2, "a"]], ordered=False)


def test_how_often_a_row_comes_counts():
    assert not matches([["a"], ["a"], ["b"]], [["a"], ["b"], ["b"]], ordered=False)


def test_a_column_cannot_stand_for_two():
    assert not matches([[1, 1], [2, 2]], [[1, 5], [2, 6]], ordered=False)
    assert not matches_leniently([[1, 1], [2, 2]], [[1, 5], [2, 6]])


def test_a_column_with_fractions_is_rounded_as_a_whole():
    assert matches([[1234567], [0.5]], [[1234567.4], [0.5]], ordered=False)


def test_empty_results_match_each_other_only():
    assert matches([], [], ordered=True)
    assert not matches([], [[1]], ordered=False)
    assert not matches([[1]], [], ordered=False)


def test_a_part_needs_the_full_count_and_all_its_rows():
    full = [[i, i % 3] for i in range(5)]
    assert matches_part([[3, 0], [1, 1]], 5, columns_moved(full, [1, 0]))
    assert not matches_part([[3, 0]], 6, full)
    assert not matches_part([[3, 1]], 5, full)
    assert not matches_part([[1], [1]], 5, [[i] for i in range(5)])


@pytest.mark.parametrize("same", [True, False])
def test_ten_alike_columns_of_a_thousand_rows_need_not_every_order(same):
    chance = random.Random(7)
    column = [i % 4 for i in range(1000)]
    columns = [chance.sample(column, 1000) for _ in range(10)]
    rows = list(zip(*columns, strict=True))
    other = columns_moved(rows, chance.sample(range(10), 10))
    if not same:
        other[3], other[9] = [other[3][0], *other[9][1:]], [other[9][0], *other[3][1:]]
        assert sorted(map(tuple, other)) != sorted(map(tuple, rows))
    chance.shuffle(other)
    assert matches(rows, other, ordered=False) is same


def test_few_rows_and_many_columns_need_not_every_order():
    chance = random.Random(3)
    columns = [chance.sample([0, 1, 2], 3) for _ in range(12)]
    rows = list(zip(*columns, strict=True))
    assert not matches(rows, list(zip(*columns[:11], [0, 0, 1], strict=True)), ordered=False)
    assert matches(rows, columns_moved(rows, list(range(11, -1, -1))), ordered=False)
