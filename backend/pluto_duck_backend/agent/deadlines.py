"""What is to happen at a time unless it is forgotten before: one thread for all of it, since a thread each costs a run.

`RunManager` cancels runs by it that take too long. What must stay true: what is called must be quick and not raise.
"""

from __future__ import annotations

import heapq
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

Call = Callable[[], object]


@dataclass(order=True)
class Deadline:
    """One of them; `at` in seconds of `time.monotonic`."""

    at: float
    call: Call | None = field(compare=False)

    def forget(self) -> None:
        """It shall not happen."""
        self.call = None


class Deadlines:
    """A heap and the thread that sleeps until its first. Thread-safe."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._changed = threading.Condition()
        self._waiting: list[Deadline] = []
        self._thread: threading.Thread | None = None
        self._is_closed = False
        self._looks_at = math.inf
        #   when the thread looks the next time by itself

    def after(self, seconds: float, call: Call) -> Deadline:
        """Have `call` happen after so many seconds."""
        deadline = Deadline(time.monotonic() + seconds, call)
        with self._changed:
            self._drop_forgotten()
            heapq.heappush(self._waiting, deadline)
            if self._thread is None:
                self._thread = threading.Thread(target=self._loop, name=self._name, daemon=True)
                self._thread.start()
            elif deadline.at < self._looks_at:
                self._changed.notify()
        return deadline

    def close(self) -> None:
        """Nothing happens any more."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()
        if self._thread:
            self._thread.join()

    def _loop(self) -> None:
        while due := self._next():
            due()

    def _next(self) -> Call | None:
        """The next call when its time has come; None: closed."""
        with self._changed:
            while not self._is_closed:
                self._drop_forgotten()
                self._looks_at = self._waiting[0].at if self._waiting else math.inf
                left = self._looks_at - time.monotonic()
                if left <= 0:
                    return heapq.heappop(self._waiting).call or _nothing
                self._changed.wait(None if left == math.inf else left)
        return None

    def _drop_forgotten(self) -> None:
        """The first ones; those behind one that still counts are dropped when it is gone."""
        while self._waiting and self._waiting[0].call is None:
            heapq.heappop(self._waiting)


def _nothing() -> None:
    """Of one that was forgotten at the last moment."""
