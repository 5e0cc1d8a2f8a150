"""Parts of the network as they are written: what ONNX Runtime makes of them is what their formulas say."""

import math

import numpy as np
import onnx
import pytest

from pluto_duck_text2sql.learned.model import WEIGHTS
from pluto_duck_text2sql.learned.parts import Part, settings
from pluto_duck_training import parts

WIDE, NARROW, HEADS, HEAD = 48, 24, 3, 8


@pytest.fixture
def made():
    return np.random.default_rng(7)


@pytest.fixture
def learned(made):
    """Linear maps and a norm, one table that is kept as bytes."""
    up, down = made.standard_normal((WIDE, NARROW)), made.standard_normal((NARROW, WIDE))
    found = {"f.up.weight": up, "f.up.bias": up[:, 0], "f.down.weight": down, "f.down.bias": down[:, 0]}
    found |= {"norm.weight": up[0], "norm.bias": up[1]}
    plain = {name: array.astype(np.float32) for name, array in found.items()}
    table = made.integers(-127, 128, (50, NARROW)).astype(np.int8)
    return {**plain, "table": table, "table#scale": made.random(50).astype(np.float32)}


@pytest.fixture
def check(tmp_path, learned):
    """What a part makes of its inputs is as expected: `build` gets the builder and the inputs' names."""

    def checked(expected, build, **inputs):
        builder = parts.Builder("part", learned)
        kinds = {name: onnx.helper.np_dtype_to_tensor_dtype(x.dtype) for name, x in inputs.items()}
        names = [builder.given(name, x.shape, kinds[name]) for name, x in inputs.items()]
        builder.told("made", build(builder, *names), expected.shape)
        onnx.save(builder.model(), tmp_path / "part.onnx")
        made = Part(tmp_path / "part.onnx")(inputs)["made"]
        np.testing.assert_allclose(made, expected, rtol=1e-4, atol=1e-4)

    return checked


def gelu(x):
    return x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


@pytest.mark.parametrize("rows", [(1,), (3,), (16,), (2, 5)])
def test_a_feed_forward_part_takes_any_number_of_rows(check, learned, made, rows):
    x = made.standard_normal((*rows, NARROW)).astype(np.float32)
    inner = gelu(x @ learned["f.up.weight"].T + learned["f.up.bias"])
    expected = inner @ learned["f.down.weight"].T + learned["f.down.bias"]
    check(expected, lambda b, x: b.feed("f", x), x=x)


def test_a_norm_has_mean_and_spread_of_the_last_axis(check, learned, made):
    x = 5 + 3 * made.standard_normal((4, NARROW)).astype(np.float32)
    unit = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5)
    expected = unit * learned["norm.weight"] + learned["norm.bias"]
    check(expected, lambda b, x: b.norm("norm", x), x=x)


def test_rows_of_a_table_of_bytes_are_opened_by_their_scales(check, learned):
    numbers = np.array([3, 3, 49, 0])
    expected = learned["table"][numbers] * learned["table#scale"][numbers, None]
    check(expected, lambda b, n: b.rows("table", n), n=numbers)
    check(expected, lambda b, n: b.add("Gather", b.opened("table"), n, axis=0), n=numbers)


def test_each_head_attends_to_its_own_keys_and_what_is_added_counts(check, made):
    x, bias = (made.standard_normal(shape).astype(np.float32) for shape in ((1, 6, 3 * HEADS * HEAD), (HEADS, 6, 6)))

    def attended(b, x, bias):
        q, k, v = b.heads(x, HEADS, 3)
        return b.joined(b.attend(q, b.turned(k), v, HEAD, bias))

    q, k, v = x[0].reshape(6, 3, HEADS, HEAD).transpose(1, 2, 0, 3)
    likely = np.exp(q @ k.swapaxes(1, 2) / math.sqrt(HEAD) + bias)
    expected = (likely / likely.sum(-1, keepdims=True) @ v).swapaxes(0, 1).reshape(1, 6, -1)
    check(expected, attended, x=x, bias=bias)


def test_what_ships_is_what_these_parts_are_written_as_from_its_arrays(tmp_path):
    shipped = parts.arrays(WEIGHTS)
    parts.write(shipped, settings(WEIGHTS), tmp_path)
    again = parts.arrays(tmp_path)
    assert again.keys() == shipped.keys()
    assert all((again[name] == array).all() for name, array in shipped.items())
    assert settings(tmp_path) == settings(WEIGHTS)
    for path in tmp_path.glob("*.onnx"):
        assert onnx.load(path) == onnx.load(WEIGHTS / path.name)
