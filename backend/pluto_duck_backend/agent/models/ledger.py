"""Every call that was made, one line each in `artifacts/models/usage.jsonl`: what budgets and summaries count.

Written by the meters of runs, read for the day's budget, for the latency of a provider and by `runs usage`. Also a call
that failed, or whose run was cancelled, is here: it was paid for.
"""

from __future__ import annotations

import threading
from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import orjson

from pluto_duck_backend.agent.models.usage import Usage
from pluto_duck_backend.app.core.lines import Lines

_LATELY = 20


@dataclass(frozen=True)
class Entry:
    """One call."""

    timestamp: str
    run_id: str
    who: str
    provider: str
    model: str
    input_tokens: int
    output_tokens: int
    cost_usd: float
    elapsed_s: float

    @property
    def day(self) -> str:
        return self.timestamp[:10]

    @property
    def usage(self) -> Usage:
        return Usage(self.input_tokens, self.output_tokens, self.cost_usd, 1, self.elapsed_s)


class Ledger:
    """All calls of one data root. Thread-safe."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines = Lines(path)
        self._lock = threading.Lock()
        self._days: dict[str, Usage] | None = None
        self._under_way = Usage()
        self._lately: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=_LATELY))

    def reserve(self, expected: Usage, refusal: Callable[[Usage], str]) -> str:
        """Count a call that begins as what it is `expected` to use, unless `refusal` of all used today says why not.

        Calls that are under way count, so that any number at once stay within what one after the other may.
        """
        with self._lock:
            today = self._read().get(_day(), Usage()) + self._under_way
            refused = refusal(today)
            self._under_way += Usage() if refused else expected
        return refused

    def add(self, run_id: str, who: str, provider: str, model: str, usage: Usage, expected: Usage) -> None:
        """Remember a call in the place of what was expected. Raises EnvironmentFault where it cannot be written."""
        entry = Entry(
            datetime.now(UTC).isoformat(),
            *(run_id, who, provider, model),
            *(usage.input_tokens, usage.output_tokens, usage.cost_usd, round(usage.elapsed_s, 4)),
        )
        with self._lock:
            self._read()
            self._count(entry)
            self._under_way -= expected
        self._lines.append(orjson.dumps(entry))

    def today(self) -> Usage:
        """What all calls of this day (UTC) have used."""
        with self._lock:
            return self._read().get(_day(), Usage())

    def latency_s(self, provider: str) -> float | None:
        """The median of its last calls; None where there were none."""
        with self._lock:
            self._read()
            return median(self._lately[provider]) if self._lately[provider] else None

    def summary(self) -> list[dict[str, Any]]:
        """What was used by day, provider and model, the latest day first."""
        sums: dict[tuple[str, str, str], Usage] = defaultdict(Usage)
        for entry in _entries(self._path):
            sums[(entry.day, entry.provider, entry.model)] += entry.usage
        ordered = sorted(sums.items(), key=lambda pair: pair[0], reverse=True)
        return [
            {"day": day, "provider": name, "model": model, **used.to_dict()} for (day, name, model), used in ordered
        ]

    def _read(self) -> dict[str, Usage]:
        if self._days is None:
            self._days = {}
            for entry in _entries(self._path):
                self._count(entry)
        return self._days

    def _count(self, entry: Entry) -> None:
        assert self._days is not None
        self._days[entry.day] = self._days.get(entry.day, Usage()) + entry.usage
        self._lately[entry.provider].append(entry.elapsed_s)


def _day() -> str:
    return datetime.now(UTC).date().isoformat()


def _entries(path: Path) -> Iterable[Entry]:
    """The calls in the file; a line that a full disk cut short counts for nothing."""
    if not path.is_file():
        return
    with path.open("rb") as file:
        for line in file:
            try:
                yield Entry(**orjson.loads(line))
            except (orjson.JSONDecodeError, TypeError):
                continue
