"""Files of lines that only grow (history, audit, journal): a line is there whole, or not at all.

What must stay true: a write that fails, as on a full disk, leaves the file as it was, so that the next one is not
spoilt by half a line; a folder that somebody deleted meanwhile is made again.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from pathlib import Path

from pluto_duck_backend.app.core.errors import EnvironmentFault


class Lines:
    """Appends to `path`, readable by its user only. Thread-safe."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()

    def append(self, line: bytes) -> None:
        """Add a line (without its end). Raises EnvironmentFault where it cannot be written."""
        with self._lock:
            try:
                self._append(line + b"\n")
            except OSError as error:
                raise cannot_write(self._path, error) from error

    def replace(self, lines: Iterable[bytes]) -> None:
        """Put these lines in the place of all there are. Raises EnvironmentFault where they cannot be written."""
        data = b"".join(line + b"\n" for line in lines)
        with self._lock:
            try:
                self._replace(data)
            except OSError as error:
                raise cannot_write(self._path, error) from error

    def _replace(self, data: bytes) -> None:
        if not data and self._path.exists():
            os.truncate(self._path, 0)
        elif data:
            part = self._path.with_suffix(".part")
            part.unlink(missing_ok=True)
            file = open_to_append(part)
            try:
                write_whole(file, data)
            finally:
                os.close(file)
            part.replace(self._path)

    def _append(self, data: bytes) -> None:
        file = open_to_append(self._path)
        try:
            write_whole(file, data)
        finally:
            os.close(file)


def open_to_append(path: Path, flags: int = 0) -> int:
    """A descriptor that appends to `path`, made (0600) with its folder where it is not there."""
    flags |= os.O_WRONLY | os.O_CREAT | os.O_APPEND
    try:
        return os.open(path, flags, 0o600)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, flags, 0o600)


def write_whole(file: int, data: bytes) -> None:
    """Append all of `data`, or nothing of it, to a file that nobody else writes meanwhile. Raises OSError."""
    written = 0
    try:
        while written < len(data):
            written += os.write(file, data[written:])
    except OSError:
        os.ftruncate(file, os.fstat(file).st_size - written)  # asked only now: it would cost each event a system call
        raise


def cannot_write(path: Path, error: OSError) -> EnvironmentFault:
    """The error for a file of ours that the system does not take."""
    return EnvironmentFault(
        f"{path} cannot be written: {error.strerror or error}.",
        code="cannot_write",
        hint="Free some space, or mend the permissions of the data root.",
        retryable=True,
    )
