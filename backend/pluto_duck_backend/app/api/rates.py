"""How often each may call: the generic cell rate algorithm, one number for each caller."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

_SWEEP = 10_000


class RateLimit:
    """`per_minute` calls, all at once or spread; 0: any number. Thread-safe. `clock` gives seconds that only rise."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._gap = 60 / per_minute if per_minute else 0.0
        self._clock = clock
        self._due: dict[str, float] = {}
        self._lock = threading.Lock()

    def wait_s(self, name: str) -> float:
        """0, and the call counts; else the seconds after which `name` may call again, and it does not."""
        if not self._gap:
            return 0.0
        now = self._clock()
        with self._lock:
            due = max(self._due.get(name, now), now) + self._gap
            if due - now > 60 + self._gap / 1000:
                return due - now - 60
            self._due[name] = due
            self._forget_the_idle(now)
            return 0.0

    def _forget_the_idle(self, now: float) -> None:
        if len(self._due) > _SWEEP:
            self._due = {name: due for name, due in self._due.items() if due > now}
