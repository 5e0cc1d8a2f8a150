"""What has begun: a line for each job, so that a process that dies leaves the truth behind.

A job's end is its line in queries.jsonl; what began and has none there never ended, or had been answered and was still
to be kept. The file is emptied whenever nothing runs.
"""

from __future__ import annotations

import contextlib
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from pluto_duck_backend.app.core.lines import Lines
from pluto_duck_backend.app.services.execution.job import Request

_MOST_LINES = 1_000


@dataclass(frozen=True)
class Left:
    """A job that a process began and did not end; `answered` is its record where its answer had been given."""

    job_id: str
    request: Request
    answered: dict[str, Any] | None = None


class Journal:
    """The jobs begun, in `path`. Thread-safe; raises EnvironmentFault where it cannot be written."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        self._left = _read(path)
        self._running: dict[str, bytes] = {}
        self._lines = Lines(path)
        self._written = 0

    def left(self) -> list[Left]:
        """The jobs that an earlier process began, oldest first; some of them have ended."""
        return self._left

    def begin(self, job_id: str, request: Request) -> None:
        self._append(job_id, {"job_id": job_id, "request": request.to_dict()})

    def answer(self, request: Request, record: dict[str, Any]) -> None:
        """A job has been answered; what is still to do is to keep its result."""
        job_id = record["job_id"]
        self._append(job_id, {"job_id": job_id, "request": request.to_dict(), "answered": record})

    def end(self, job_id: str) -> None:
        with self._lock:
            self._running.pop(job_id, None)
            if not self._left and (not self._running or self._written > _MOST_LINES + 2 * len(self._running)):
                self._write_anew()

    def forget(self) -> None:
        """What was left is dealt with."""
        with self._lock:
            self._left = []
            self._write_anew()

    def _append(self, job_id: str, entry: dict[str, Any]) -> None:
        line = orjson.dumps(entry)
        with self._lock:
            self._lines.append(line)
            self._written += 1
            self._running[job_id] = line

    def _write_anew(self) -> None:
        """Only what runs: the last line of each job says all there is."""
        self._lines.replace(self._running.values())
        self._written = len(self._running)


def _read(path: Path) -> list[Left]:
    """A line that was cut short never was a job: nobody had its id yet."""
    found: dict[str, Left] = {}
    for line in path.read_bytes().splitlines() if path.is_file() else ():
        with contextlib.suppress(orjson.JSONDecodeError, KeyError, TypeError):
            entry = orjson.loads(line)
            left = Left(entry["job_id"], Request.from_dict(entry["request"]), entry.get("answered"))
            found[left.job_id] = left
    return list(found.values())
