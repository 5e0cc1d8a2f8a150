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
    """Trees as arrays (trees, nodes): a leaf is its own child. Made by pluto_duck_training.ranker."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self._feature = arrays["feature"].astype(np.int64)
        self._threshold = arrays["threshold"].astype(np.float32)
        self._left, self._right = arrays["left"].astype(np.int64), arrays["right"].astype(np.int64)
        self._value = arrays["value"].astype(np.float32)
        self._depth = int(arrays["depth"])

    def score(self, rows: Floats) -> Floats:
        """The sum of the trees' leaves for each row: (rows, features) to (rows,)."""
        rows = np.nan_to_num(rows, nan=MISSING)
        trees = np.arange(len(self._feature))[None, :]
        node = np.zeros((len(rows), len(self._feature)), np.int64)
        for _ in range(self._depth):
            values = np.take_along_axis(rows, self._feature[trees, node], 1)
            goes_left = values <= self._threshold[trees, node]
            node = np.where(goes_left, self._left[trees, node], self._right[trees, node])
        result: Floats = self._value[trees, node].sum(1)
        return result
