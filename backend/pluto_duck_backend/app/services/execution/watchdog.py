"""Holds running queries to their limits: time, size of the result, memory of the process; and the last resort.

A query is stopped by `interrupt()`, which DuckDB obeys within milliseconds almost always. One that does not end within
`stuck_s` after that can only be ended with its process: `last_resort` does that, and does not return.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from pluto_duck_backend.app.core.config import QuerySettings
from pluto_duck_backend.app.core.errors import PlutoDuckError, QueryFailed, QueryTimeout
from pluto_duck_backend.app.core.memory import machine_memory, memory_used
from pluto_duck_backend.app.services.execution.job import Running

_EVERY_S = 0.05
_AWAKE_S = 2.0
#   after the last job: waking a thread for each of several would cost each of them
_AGAIN_S = 0.5
#   after a query was stopped for memory, the time the next one is given
AtHand = Callable[[], list[tuple[str, Running]]]
LastResort = Callable[[str], NoReturn]


class Watchdog:
    """One thread that looks at the jobs at hand, while there are any."""

    def __init__(
        self,
        at_hand: AtHand,
        part_of: Callable[[str], Path],
        settings: QuerySettings,
        on_stuck: Callable[[str, Running], None],
        last_resort: LastResort,
    ) -> None:
        self._at_hand = at_hand
        self._part_of = part_of
        self._settings = settings
        self._on_stuck = on_stuck
        self._last_resort = last_resort
        self._most_memory = process_limit(settings)
        self._memory_stop = 0.0
        self._wake = threading.Event()
        self._closed = False
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """A job has begun."""
        self._wake.set()

    def close(self) -> None:
        self._closed = True
        self._wake.set()
        self._thread.join()

    def _watch(self) -> None:
        busy_at = time.monotonic()
        while not self._closed:
            if time.monotonic() > busy_at + _AWAKE_S and not self._at_hand():
                self._wake.wait()
                self._wake.clear()
            time.sleep(_EVERY_S)  # first, since most jobs are over by then
            if running := self._at_hand():
                busy_at = time.monotonic()
                self._look(running, busy_at)

    def _look(self, running: list[tuple[str, Running]], now: float) -> None:
        for job_id, job in running:
            if reason := self._broken_limit(job_id, job, now):
                job.stop(reason, now)
        if self._most_memory and memory_used() > self._most_memory:
            self._stop_for_memory([job for _, job in running], now)
        self._end_stuck(running, now)

    def _broken_limit(self, job_id: str, job: Running, now: float) -> PlutoDuckError | None:
        if job.reason:
            return None
        if now > job.deadline:
            return too_slow(job.request.timeout_s or self._settings.timeout_s)
        most = self._settings.result_mb * 1_000_000
        if most and _size(self._part_of(job_id)) > most:
            return QueryFailed(
                f"The result is larger than {self._settings.result_mb:,} MB.",
                code="result_too_large",
                hint="Ask for less, or raise the setting query.result_mb.",
            )
        return None

    def _stop_for_memory(self, running: list[Running], now: float) -> None:
        """The youngest first: what has run for long has shown that it can."""
        going = [job for job in running if job.reason is None]
        if going and now - self._memory_stop > _AGAIN_S:
            self._memory_stop = now
            going[-1].stop(_too_much_memory(self._most_memory), now)

    def _end_stuck(self, running: list[tuple[str, Running]], now: float) -> None:
        stuck = [(job_id, job) for job_id, job in running if job.stopped_at and self._is_stuck(job, now)]
        for _, job in stuck:
            job.interrupt()  # again: DuckDB forgets one that came between two steps of a query
        if stuck and any(now - (job.stopped_at or now) > self._patience() for _, job in stuck):
            for job_id, job in stuck:
                self._on_stuck(job_id, job)
            self._last_resort(", ".join(job_id for job_id, _ in stuck))

    def _is_stuck(self, job: Running, now: float) -> bool:
        return not job.done.is_set() and now - (job.stopped_at or now) > 4 * _EVERY_S

    def _patience(self) -> float:
        """Far above the memory limit there is no time to wait."""
        over = self._most_memory and memory_used() > 1.15 * self._most_memory
        return min(1.0, self._settings.stuck_s) if over else self._settings.stuck_s


def too_slow(seconds: float) -> QueryTimeout:
    """The error of a query that reached its time limit."""
    return QueryTimeout(
        f"The query took longer than {seconds:g} s and was stopped.",
        hint="Ask for less, or give a longer timeout_s (setting query.timeout_s).",
    )


def _too_much_memory(most: float) -> QueryFailed:
    return QueryFailed(
        f"The query was stopped: the process holds more than {most / 1e9:.1f} GB.",
        code="out_of_memory",
        hint="Ask for less at once, or raise the setting query.process_memory_mb.",
    )


def process_limit(settings: QuerySettings) -> float:
    """Bytes this process may hold: as set, else three quarters of the machine's memory."""
    if settings.process_memory_mb:
        return settings.process_memory_mb * 1e6
    return 0.75 * machine_memory()


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
