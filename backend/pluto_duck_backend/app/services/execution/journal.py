"""What has begun: a line for each job, so that a process that dies leaves the truth behind.

A job's end is its line in queries.jsonl; what began and has none there never ended. The file is emptied whenever
nothing runs.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import orjson

from pluto_duck_backend.app.core.lines import Lines
from pluto_duck_backend.app.services.execution.job import Request


class Journal:
    """The jobs begun, in `path`. Thread-safe."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        self._left = list(_read(path))
        self._running: set[str] = set()
        self._lines = Lines(path)

    def left(self) -> list[tuple[str, Request]]:
        """The jobs that an earlier process began, oldest first; some of them have ended."""
        return self._left

    def begin(self, job_id: str, request: Request) -> None:
        """Raises EnvironmentFault where it cannot be written."""
        with self._lock:
            self._lines.append(orjson.dumps({"job_id": job_id, "request": request.to_dict()}))
            self._running.add(job_id)

    def end(self, job_id: str) -> None:
        with self._lock:
            self._running.discard(job_id)
            if not self._running and not self._left:
                self._lines.empty()

    def forget(self) -> None:
        """What was left is dealt with."""
        with self._lock:
            self._left = []
            if not self._running:
                self._lines.empty()


def _read(path: Path) -> Iterator[tuple[str, Request]]:
    """A line that was cut short never was a job: nobody had its id yet."""
    for line in path.read_bytes().splitlines() if path.is_file() else ():
        try:
            entry = orjson.loads(line)
            yield entry["job_id"], Request.from_dict(entry["request"])
        except (orjson.JSONDecodeError, KeyError, TypeError):
            continue
