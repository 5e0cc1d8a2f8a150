"""Trees in numpy give what walking each tree by hand gives."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pluto_duck_text2sql.learned.forest import MISSING, Forest

DEPTH = 3
NODES = 2 ** (DEPTH + 1) - 1


@st.composite
def forests(draw):
    """Complete trees of one depth: `feature`, `threshold` and `value` are free."""
    trees = draw(st.integers(1, 5))
    numbers = st.floats(-3, 3, width=32)
    feature = draw(st.lists(st.integers(0, 3), min_size=trees * NODES, max_size=trees * NODES))
    threshold = draw(st.lists(numbers, min_size=trees * NODES, max_size=trees * NODES))
    value = draw(st.lists(numbers, min_size=trees * NODES, max_size=trees * NODES))
    places = np.arange(NODES)
    inner = places < NODES // 2
    left, right = np.where(inner, 2 * places + 1, places), np.where(inner, 2 * places + 2, places)
    return {
        "feature": np.array(feature).reshape(trees, NODES),
        "threshold": np.array(threshold, np.float32).reshape(trees, NODES),
        "value": np.array(value, np.float32).reshape(trees, NODES),
        "left": np.tile(left, (trees, 1)),
        "right": np.tile(right, (trees, 1)),
        "depth": np.array(DEPTH),
    }


def walked(arrays, row):
    total = 0.0
    for tree in range(len(arrays["feature"])):
        node = 0
        while arrays["left"][tree, node] != node:
            goes_left = row[arrays["feature"][tree, node]] <= arrays["threshold"][tree, node]
            node = arrays["left" if goes_left else "right"][tree, node]
        total += float(arrays["value"][tree, node])
    return total


@settings(deadline=None)
@given(forests(), st.lists(st.lists(st.floats(-4, 4, width=32), min_size=4, max_size=4), min_size=1, max_size=6))
def test_all_trees_at_once_score_as_one_by_one(arrays, rows):
    scores = Forest(arrays).score(np.array(rows, np.float32))
    assert np.allclose(scores, [walked(arrays, np.array(row, np.float32)) for row in rows], atol=1e-4)


@settings(deadline=None)
@given(forests())
def test_a_number_not_known_is_told_apart(arrays):
    known = np.full((1, 4), MISSING, np.float32)
    unknown = np.full((1, 4), np.nan, np.float32)
    assert np.array_equal(Forest(arrays).score(known), Forest(arrays).score(unknown))
