"""Boosted trees in numpy: all trees and all rows one level down at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pluto_duck_text2sql.learned.network import Floats

MISSING = -999.0
"""What stands for a number that is not known, in training too."""


class Forest:
    """Trees as arrays (trees, nodes): a leaf is its own child. Made by pluto_duck_training.ranker.

    Kept flat, one tree's nodes after another's: taking from one long array is several times quicker than from tables.
    """

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        trees, nodes = arrays["feature"].shape
        self._roots = np.arange(trees, dtype=np.int64) * nodes
        self._feature = arrays["feature"].astype(np.int64).ravel()
        self._threshold = arrays["threshold"].astype(np.float32).ravel()
        self._left, self._right = (
            (arrays[side].astype(np.int64) + self._roots[:, None]).ravel() for side in ("left", "right")
        )
        self._value = arrays["value"].astype(np.float32).ravel()
        self._depth = int(arrays["depth"])

    def score(self, rows: Floats) -> Floats:
        """The sum of the trees' leaves for each row: (rows, features) to (rows,)."""
        rows = np.nan_to_num(rows, nan=MISSING)
        firsts = np.arange(len(rows))[:, None] * rows.shape[1]
        node = np.tile(self._roots, (len(rows), 1))
        for _ in range(self._depth):
            values = rows.take(firsts + self._feature.take(node))
            goes_left = values <= self._threshold.take(node)
            node = np.where(goes_left, self._left.take(node), self._right.take(node))
        result: Floats = self._value.take(node).sum(1)
        return result
