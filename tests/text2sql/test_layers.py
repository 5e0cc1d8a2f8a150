"""Layers of the network: the same numbers whatever the machine's way of multiplying likes best."""

import numpy as np
import pytest

from pluto_duck_text2sql.learned.layers import Weights

WIDE, NARROW = 48, 96


@pytest.mark.parametrize("rows", [(1,), (2,), (3,), (4,), (15,), (16,), (2, 5), (3, 1)])
def test_a_linear_map_takes_any_number_of_rows(rows):
    made = np.random.default_rng(7)
    weight, bias = made.standard_normal((NARROW, WIDE)), made.standard_normal(NARROW)
    weights = Weights({"map.weight": weight.astype(np.float32), "map.bias": bias.astype(np.float32)}, {})
    x = made.standard_normal((*rows, WIDE)).astype(np.float32)
    found = weights.linear("map", x)
    assert found.shape == (*rows, NARROW)
    np.testing.assert_allclose(found, x @ weight.T + bias, rtol=1e-3, atol=1e-3)
