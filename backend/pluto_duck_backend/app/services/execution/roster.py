"""The jobs of this process: the last thousand as they stand, and what can be done to those that run.

The executor and the runner put jobs in, the watchdog looks at those at hand. What must stay true: a job that runs is
never forgotten, however many there are.
"""

from __future__ import annotations

import contextlib
import threading
from collections import OrderedDict
from collections.abc import Iterator

from pluto_duck_backend.app.services.execution.job import QueryResult, Running

_REMEMBERED = 1_000


class Roster:
    """Thread-safe."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[str, QueryResult] = OrderedDict()
        self._running: dict[str, Running] = {}
        self._lock = threading.Lock()

    def begin(self, job: QueryResult, running: Running) -> None:
        """A job that waits for a worker, or runs, until it is `kept`."""
        with self._lock:
            self._running[job.job_id] = running
        self.put(job)

    def put(self, job: QueryResult) -> QueryResult:
        """A job as it stands now."""
        with self._lock:
            self._jobs[job.job_id] = job
            self._jobs.move_to_end(job.job_id)
            if len(self._jobs) > _REMEMBERED:
                ended = (key for key in self._jobs if key not in self._running)
                self._jobs.pop(next(ended, ""), None)
        return job

    def get(self, job_id: str) -> QueryResult | None:
        """The job as it was last put; None: forgotten, or never there."""
        with self._lock:
            return self._jobs.get(job_id)

    def running(self, job_id: str) -> Running | None:
        """What can be done to a job; None once its result is kept."""
        with self._lock:
            return self._running.get(job_id)

    def kept(self, job_id: str) -> None:
        """Nothing is left to do for a job; who waits for that goes on."""
        with self._lock:
            running = self._running.pop(job_id, None)
        if running:
            running.kept.set()

    @contextlib.contextmanager
    def guest(self, guest_id: str, running: Running) -> Iterator[None]:
        """Held to its limits like a job for as long as this lasts, and never one."""
        with self._lock:
            self._running[guest_id] = running
        try:
            yield
        finally:
            running.done.set()
            with self._lock:
                del self._running[guest_id]

    def at_hand(self) -> list[tuple[str, Running]]:
        """Those that have no answer yet, oldest first."""
        with self._lock:
            return [(job_id, each) for job_id, each in self._running.items() if not each.done.is_set()]

    def of_runs(self, day: str) -> set[str]:
        """The jobs of questions that began on a day (`2026-11-21`, UTC)."""
        with self._lock:
            return {each.job_id for each in self._jobs.values() if each.run_id and each.created_at.startswith(day)}
