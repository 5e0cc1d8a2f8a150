"""queries.jsonl: one line a query, appended when it ends. The executor writes and reads it; people may, too."""

from __future__ import annotations

import contextlib
import os
import threading
from collections import deque
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from pluto_duck_backend.app.core.lines import Lines


def _ends_line(file: BinaryIO, place: int) -> bool:
    file.seek(place - 1)
    return file.read(1) == b"\n"


class History:
    """The records in `path`, found by job id. Thread-safe."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines = Lines(path)
        self._lock = threading.Lock()
        self._places: dict[str, int] = {}
        self._read_to = self._inode = 0
        self._cut_torn_line()

    def _cut_torn_line(self) -> None:
        """A line that a dying process left unfinished is no record, and must not become the start of the next."""
        if self._path.is_file():
            with self._path.open("rb+") as file:
                whole = file.seek(0, os.SEEK_END)
                while whole and not _ends_line(file, whole):
                    whole -= 1
                file.truncate(whole)

    def append(self, record: dict[str, Any]) -> None:
        """Add a line. Raises EnvironmentFault where it cannot be written."""
        self._lines.append(orjson.dumps(record, default=str))

    def find(self, job_id: str) -> dict[str, Any] | None:
        """The record of a job, or None."""
        with self._lock:
            self._catch_up()
            place = self._places.get(job_id)
        if place is None:
            return None
        with self._path.open("rb") as file:
            file.seek(place)
            record: dict[str, Any] = orjson.loads(file.readline())
            return record

    def last(self, limit: int) -> list[dict[str, Any]]:
        """The last `limit` records, newest first."""
        if not self._path.is_file():
            return []
        with self._path.open("rb") as file:
            lines = deque((line for line in file if line.endswith(b"\n")), maxlen=limit)
        return [orjson.loads(line) for line in reversed(lines)]

    def of_runs(self, day: str) -> set[str]:
        """The jobs of questions that began on a day (`2026-11-21`, UTC)."""
        if not self._path.is_file():
            return set()
        with self._path.open("rb") as file:
            records = [orjson.loads(line) for line in file if line.endswith(b"\n") and day.encode() in line]
        return {each["job_id"] for each in records if each["run_id"] and each["created_at"].startswith(day)}

    def _catch_up(self) -> None:
        """Note where each line begins that was added since; a torn last line is none, nor is one that is no record."""
        self._look_for_another_file()
        if not self._path.is_file():
            return
        with self._path.open("rb") as file:
            file.seek(self._read_to)
            for line in file:
                if line.endswith(b"\n"):
                    with contextlib.suppress(orjson.JSONDecodeError, KeyError, TypeError):
                        self._places[orjson.loads(line)["job_id"]] = self._read_to
                    self._read_to += len(line)

    def _look_for_another_file(self) -> None:
        """Somebody may have deleted the history, or put another in its place."""
        found = self._path.stat() if self._path.is_file() else None
        inode, size = (found.st_ino, found.st_size) if found else (0, 0)
        if inode != self._inode or size < self._read_to:
            self._places.clear()
            self._read_to, self._inode = 0, inode
