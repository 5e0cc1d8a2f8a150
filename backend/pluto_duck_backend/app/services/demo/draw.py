"""Random draws that come out the same on every platform.

Used by the builders and by dirt. Only whole weights and `random.Random`, never a logarithm or a power, whose
last bit differs between machines.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from random import Random
from typing import Generic, TypeVar

T = TypeVar("T")


class Wheel(Generic[T]):
    """A weighted choice that can be spun often; weights are whole numbers, at least one above zero."""

    def __init__(self, options: Sequence[T], weights: Sequence[int]) -> None:
        self._options = options
        self._sums = list(accumulate(weights))

    @classmethod
    def of(cls, weights: Mapping[T, int]) -> "Wheel[T]":
        """A wheel over the keys of `weights`."""
        return cls(list(weights), list(weights.values()))

    def spin(self, rng: Random, first: int | None = None) -> T:
        """One option, from the `first` options only when given (their weights must not all be zero)."""
        total = self._sums[(first or len(self._sums)) - 1]
        return self._options[bisect_right(self._sums, rng.randrange(total))]


def chance(rng: Random, percent: int) -> bool:
    """True in `percent` of 100 cases."""
    return rng.randrange(100) < percent


def stream(seed: int, part: str) -> Random:
    """A generator of its own for one part of the shop, so that changing one part leaves the others alone."""
    return Random(f"{seed}/{part}")  # noqa: S311 - demo data, nothing secret
