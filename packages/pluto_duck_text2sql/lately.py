"""What was made of late: questions and their parts that are met again are not read again.

Kept by whoever knows one catalog, so that it is gone when the data changes.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

_Made = TypeVar("_Made")


class Lately(Generic[_Made]):
    """What was made for the last places."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: OrderedDict[Hashable, _Made] = OrderedDict()

    def keep(self, place: Hashable, made: _Made) -> _Made:
        self._made[place] = made
        while len(self._made) > self._most:
            self._made.popitem(last=False)
        return made

    def of(self, place: Hashable, make: Callable[[], _Made]) -> _Made:
        """What was made for this place, made now where it is not known."""
        try:
            return self._made[place]
        except KeyError:
            return self.keep(place, make())
