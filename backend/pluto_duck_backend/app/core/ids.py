"""Ids that sort by time of creation, so that a folder's names are its order."""

from __future__ import annotations

import re
import secrets
import threading
import time

_SHAPE = re.compile(r"[a-z]+-[0-9a-f]{12}-[0-9a-f]{12}")


_rising = threading.Lock()
_latest = [0]


def new_id(prefix: str) -> str:
    """`<prefix>-<milliseconds since 1970 in hex>-<48 random bits>`, such as `run-019a9f0c2b11-5f0e…`."""
    return f"{prefix}-{_now_ms():012x}-{secrets.token_hex(6)}"


def _now_ms() -> int:
    """Never less than before, also where somebody sets the clock back."""
    with _rising:
        _latest[0] = max(_latest[0], time.time_ns() // 1_000_000)
        return _latest[0]


def is_id(text: str) -> bool:
    """Whether `text` has the shape of an id of ours; anything else never becomes part of a path."""
    return _SHAPE.fullmatch(text) is not None
