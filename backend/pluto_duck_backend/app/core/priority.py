"""Who goes first where the processor is scarce: the one who waits for an answer."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

_LATER = 10
_QUIET_S, _AT_MOST_S = 0.3, 5.0


def go_later() -> None:
    """From now on this thread, and those it starts, let others go first; on Linux only, where a thread can."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # a sandbox may forbid it
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LATER)


class StepsAside(MetaPathFinder):
    """Within `with`, this thread's imports wait, each before it begins, until nobody was `served` for a moment.

    Importing for seconds holds up all other threads, and nothing can interrupt it; but between two modules there is
    room. It is a finder that finds nothing, so Python asks it before each. All pauses together take `_AT_MOST_S` at
    most, since somebody may wait for what is imported.
    """

    def __init__(self) -> None:
        self._quiet_from = 0.0
        self._left_s = _AT_MOST_S
        self._thread: int | None = None

    def served(self) -> None:
        """Somebody was just served, and may soon ask for more."""
        self._quiet_from = time.monotonic() + _QUIET_S

    def wait(self) -> None:
        """Return when nobody was served for a moment."""
        while (pause := min(self._quiet_from - time.monotonic(), self._left_s)) > 0:
            self._left_s -= pause
            time.sleep(pause)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Nothing; but the thread that steps aside waits first."""
        if threading.get_ident() == self._thread:
            self.wait()
        return None

    def __enter__(self) -> StepsAside:
        self._thread = threading.get_ident()
        sys.meta_path.insert(0, self)
        return self

    def __exit__(self, *raised: object) -> None:
        sys.meta_path.remove(self)
