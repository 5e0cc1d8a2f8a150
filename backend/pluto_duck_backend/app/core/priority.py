"""Who goes first where the processor is scarce: the one who waits for an answer."""

from __future__ import annotations

import contextlib
import os
import sys
import threading

_LATER = 10


def go_later() -> None:
    """From now on this thread, and those it starts, let others go first; on Linux only, where a thread can."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # a sandbox may forbid it
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LATER)
