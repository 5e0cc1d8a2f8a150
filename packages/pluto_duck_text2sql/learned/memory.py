"""Memory that a large piece of work took and needs no more."""

from __future__ import annotations

import contextlib
import ctypes


def give_back() -> None:
    """Give the system back what was freed; without it glibc keeps much of what a large piece of work took."""
    with contextlib.suppress(OSError, AttributeError, TypeError):  # another system's library
        ctypes.CDLL(None).malloc_trim(0)
