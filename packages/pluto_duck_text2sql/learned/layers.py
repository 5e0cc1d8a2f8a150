"""Weights in memory, and the few functions that layers of a network are made of. Arrays are float32."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
_TABLES = ("lower.words", "lower.places", "relations", "grammar", "places")
_KEPT_CLOSED = ("lower.words.weight",)
_WIDE = 32
"""Columns of a block. BLAS copies a large matrix before it multiplies a few rows with it, and takes small ones as they
lie: in blocks the few rows of a question take half the time, those of a beam a quarter."""
_TOGETHER = 4
"""Rows. BLAS takes so many at once, and what is left over singly: 15 rows take a third longer than 16."""


class Weights:
    """Arrays by name; matrices are kept as bytes with a scale for each row, and opened when read.

    The largest table stays closed: of its rows a question needs few. Linear maps lie in blocks of columns.
    """

    def __init__(self, arrays: Mapping[str, NDArray[Any]], settings: Mapping[str, Any]) -> None:
        self._closed = {name: (arrays[name], arrays.get(name + "#scale")) for name in _KEPT_CLOSED if name in arrays}
        opened = (name for name in arrays if not name.endswith("#scale") and name not in self._closed)
        self._arrays = {name: _opened(name, arrays) for name in opened}
        self.settings = dict(settings)

    @classmethod
    def read(cls, path: Path) -> Weights:
        """From an .npz file with its settings in `settings`."""
        with np.load(path) as found:
            settings = json.loads(bytes(found["settings"]).decode())
            return cls({name: found[name] for name in found.files if name != "settings"}, settings)

    def __getitem__(self, name: str) -> Floats:
        return self._arrays[name]

    def rows(self, name: str, places: Sequence[int]) -> Floats:
        """Some rows of a table that stays closed."""
        table, scale = self._closed[name]
        chosen = list(places)
        rows: Floats = table[chosen].astype(np.float32)
        return rows if scale is None else np.multiply(rows, scale[chosen][:, None])

    def linear(self, name: str, x: Floats) -> Floats:
        """(…, in) to (…, out)."""
        blocks = self._arrays[name + ".weight"]
        rows = x.reshape(-1, x.shape[-1])
        count, short = len(rows), -len(rows) % _TOGETHER
        if short and count > 1:
            rows = np.concatenate((rows, rows[:short]))
        result = np.empty((len(rows), len(blocks), blocks.shape[-1]), np.float32)
        np.matmul(rows, blocks, out=result.swapaxes(0, 1))
        turned: Floats = result[:count].reshape(*x.shape[:-1], -1)
        turned += self._arrays[name + ".bias"]
        return turned

    def norm(self, name: str, x: Floats, epsilon: float = 1e-5) -> Floats:
        wide = np.float32(x.shape[-1])
        result: Floats = np.subtract(x, np.add.reduce(x, -1, keepdims=True) / wide)
        spread = np.einsum("...i,...i->...", result, result) / wide + np.float32(epsilon)
        result *= (1 / np.sqrt(spread))[..., None]
        result *= self._arrays[name + ".weight"]
        result += self._arrays[name + ".bias"]
        return result


def _opened(name: str, arrays: Mapping[str, NDArray[Any]]) -> Floats:
    """Linear maps are turned so that `x @ w` applies them, and put into blocks: (blocks, in, columns of a block)."""
    array = arrays[name]
    scale = arrays.get(name + "#scale")
    opened = array.astype(np.float32)
    if scale is not None:
        opened *= scale[:, None]
    turned = opened.ndim == 2 and name.endswith(".weight") and not name.startswith(_TABLES)
    return _blocks(opened.T) if turned else opened


def _blocks(matrix: Floats) -> Floats:
    """(in, out) as (blocks, in, columns of a block)."""
    wide = _WIDE if matrix.shape[1] % _WIDE == 0 else matrix.shape[1]
    return np.ascontiguousarray(np.swapaxes(matrix.reshape(len(matrix), -1, wide), 0, 1))


def gelu(x: Floats) -> Floats:
    """x / 2 (1 + tanh(√(2/π) (x + 0.044715 x³)))"""
    inner = x * x
    inner *= np.float32(0.7978845608 * 0.044715)
    inner += np.float32(0.7978845608)
    inner *= x
    np.tanh(inner, out=inner)
    inner += 1
    inner *= x
    inner *= np.float32(0.5)
    return inner


def softmax(x: Floats) -> Floats:
    """Along the last axis."""
    result: Floats = x - np.maximum.reduce(x, -1, keepdims=True)
    np.exp(result, out=result)
    result /= np.add.reduce(result, -1, keepdims=True)
    return result


def heads_of(x: Floats, heads: int) -> Floats:
    """(…, n, width) as (…, heads, n, width / heads)."""
    return x.reshape(*x.shape[:-1], heads, -1).swapaxes(-3, -2)


def joined(x: Floats) -> Floats:
    """(…, heads, n, width / heads) as (…, n, width)."""
    x = x.swapaxes(-3, -2)
    return x.reshape(*x.shape[:-2], -1)


def attend(q: Floats, k: Floats, v: Floats, bias: Floats | None = None) -> Floats:
    """Attention of each head: (…, heads, n, size) over (…, heads, m, size)."""
    scores: Floats = np.matmul(q * np.float32(1 / math.sqrt(q.shape[-1])), k.swapaxes(-1, -2))
    if bias is not None:
        scores += bias
    result: Floats = softmax(scores) @ v
    return result
