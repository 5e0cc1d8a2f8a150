"""Work that can wait: done when nothing has been asked for a moment, so that it does not slow an answer down.

The executor puts the keeping of small results here. What must stay true: everything submitted is done, at the latest
by `close`, in order; what somebody waits for is done at once; what waits is bounded.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from pluto_duck_backend.app.core.priority import go_later

_QUIET_S = 0.02
_MOST_ROWS = 100_000
Work = Callable[[], None]


class Later:
    """One thread with a queue. Thread-safe."""

    def __init__(self, name: str) -> None:
        self._changed = threading.Condition()
        self._waiting: deque[tuple[Work, int]] = deque()
        self._rows = 0
        self._quiet_from = 0.0
        self._is_hurried = self._is_closing = False
        self._thread = threading.Thread(target=self._loop, name=name, daemon=True)
        self._thread.start()

    def submit(self, work: Work, rows: int) -> None:
        """Do `work`, which holds `rows` rows in memory, later; it must not raise."""
        with self._changed:
            self._waiting.append((work, rows))
            self._rows += rows
            self._is_hurried |= self._rows > _MOST_ROWS
            if len(self._waiting) == 1 or self._is_hurried:  # else it looks by itself when it has been quiet
                self._changed.notify()

    def busy(self) -> None:
        """Something urgent has begun: wait a little longer."""
        self._quiet_from = time.monotonic() + _QUIET_S

    def hurry(self) -> None:
        """Somebody waits: do all there is at once."""
        with self._changed:
            self._is_hurried = True
            self._changed.notify()

    def close(self) -> None:
        """Do what there is, then end."""
        with self._changed:
            self._is_closing = True
            self._changed.notify()
        self._thread.join()

    def _loop(self) -> None:
        go_later()
        while work := self._next():
            work()

    def _next(self) -> Work | None:
        """The next work when its time has come; None: closed, and nothing is left."""
        with self._changed:
            while not self._waiting or self._may_wait():
                if self._is_closing and not self._waiting:
                    return None
                self._is_hurried = self._is_hurried and bool(self._waiting)
                self._changed.wait(self._quiet_from - time.monotonic() if self._waiting else None)
            work, rows = self._waiting.popleft()
            self._rows -= rows
            return work

    def _may_wait(self) -> bool:
        return not (self._is_hurried or self._is_closing) and time.monotonic() < self._quiet_from
