"""How much memory there is, and how much of it this process holds. Bytes; 0 where the system does not tell."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_CONTAINER = Path("/sys/fs/cgroup/memory.max")


def machine_memory() -> float:
    """The memory of this machine, or of the container around this process where that has less."""
    found = []
    with contextlib.suppress(AttributeError, ValueError, OSError):
        found.append(float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")))
    with contextlib.suppress(ValueError, OSError):  # "max" where the container has no limit
        found.append(float(_CONTAINER.read_text()))
    return min(found, default=0.0)


def memory_used() -> float:
    """What this process holds."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return 0.0
    return float(pages * os.sysconf("SC_PAGE_SIZE"))
