"""Small pieces of prompts: the day, and rows as lines."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any


def today(now: dt.date | None = None) -> str:
    return f"{now or dt.date.today():%A, %d %B %Y}"


def rows_shown(names: Sequence[str], rows: Sequence[Sequence[Any]], room: int) -> str:
    """Rows as lines of a table, as many as fit."""
    lines = [" | ".join(names), *(" | ".join(str(cell) for cell in row) for row in rows)]
    kept: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return "\n".join(kept)
