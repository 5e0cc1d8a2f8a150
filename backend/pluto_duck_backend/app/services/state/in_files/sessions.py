"""Sessions as files of lines, `<folder>/<session_id>.jsonl`: what people read, and what every other backend is like.

One process at a time owns a data root, so whatever has no end here was left by a process that is gone. What must stay
true: a line is there whole or not at all; who adds to a file that has grown by another hand is told so.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import attrgetter
from pathlib import Path

from pluto_duck_backend.app.core.lines import cannot_write, open_to_append, write_whole
from pluto_duck_backend.app.core.state import (
    Session,
    SessionWriter,
    Shape,
    checked,
    is_name,
    no_session,
    session_exists,
    session_moved_on,
)

_ENDING = ".jsonl"


class SessionFiles:
    """The sessions in one folder."""

    is_shared = False

    def __init__(self, folder: Path, shape: Shape) -> None:
        self._folder = folder
        self._shape = shape
        self.place = f"files in {folder}"
        self._thread_of = lru_cache(maxsize=100_000)(self._thread_in)

    def begin(self, session_id: str, lines: Sequence[bytes]) -> SessionWriter:
        path = self._path(session_id)
        try:
            writer = _Writer(path, open_to_append(path, os.O_EXCL), 0)
        except FileExistsError as error:
            raise session_exists(session_id) from error
        except OSError as error:
            raise cannot_write(path, error) from error
        try:
            writer.begin(lines)
        except BaseException:
            writer.close()
            path.unlink(missing_ok=True)
            raise
        return writer

    def resume(self, session_id: str) -> SessionWriter:
        path = self._path(session_id)
        try:
            file = os.open(path, os.O_WRONLY | os.O_APPEND)
        except FileNotFoundError as error:
            raise no_session(session_id) from error
        except OSError as error:
            raise cannot_write(path, error) from error
        whole = sum(len(line) + 1 for line in _whole_lines(path.read_bytes()))
        os.ftruncate(file, whole)
        return _Writer(path, file, whole)

    def read(self, session_id: str, after: int = 0) -> list[bytes]:
        try:
            return _whole_lines(self._path(session_id).read_bytes())[after:]
        except FileNotFoundError:
            return []

    def latest(self, before: str | None = None) -> Iterator[Session]:
        for path in self._paths():
            if before is None or path.name[: -len(_ENDING)] < before:
                with contextlib.suppress(FileNotFoundError):  # deleted since
                    first, last = first_and_last(path)
                    if first:
                        yield Session(path.stem, first, last)

    def of_thread(self, thread: str) -> list[str]:
        return [path.stem for path in reversed(self._paths()) if self._thread_of(path) == thread]

    def left_open(self) -> list[str]:
        return [path.stem for path in reversed(self._paths()) if not self._has_ended(path)]

    def delete(self, session_id: str) -> bool:
        path = self._path(session_id)
        is_there = path.is_file()
        path.unlink(missing_ok=True)
        return is_there

    def beat(self) -> None:
        """Nobody else works on this root."""

    def _has_ended(self, path: Path) -> bool:
        _, last = first_and_last(path)
        return bool(last) and self._shape.is_end(last)

    def _thread_in(self, path: Path) -> str | None:
        first, _ = first_and_last(path)
        return self._shape.thread_of(first) if first else None

    def _paths(self) -> list[Path]:
        """Newest first; by name, since paths compare slowly and there is one for each question ever asked."""
        found = (path for path in self._folder.glob(f"*{_ENDING}") if is_name(path.stem))
        return sorted(found, key=attrgetter("name"), reverse=True)

    def _path(self, session_id: str) -> Path:
        return self._folder / f"{checked(session_id)}{_ENDING}"


class _Writer:
    """Appends where the file is as long as this has left it."""

    def __init__(self, path: Path, file: int, size: int) -> None:
        self._path = path
        self._file: int | None = file
        self._size = size

    def begin(self, lines: Sequence[bytes]) -> None:
        """The first lines of a file just made, of which nobody else knows yet."""
        assert self._file is not None
        with self._told():
            self._write(self._file, lines)

    def append(self, lines: Sequence[bytes]) -> None:
        assert self._file is not None
        with self._told():
            fcntl.flock(self._file, fcntl.LOCK_EX)
            try:
                self._add(self._file, lines)
            finally:
                fcntl.flock(self._file, fcntl.LOCK_UN)

    def _add(self, file: int, lines: Sequence[bytes]) -> None:
        if os.fstat(file).st_size != self._size:
            raise session_moved_on(self._path.stem)
        self._write(file, lines)

    def _write(self, file: int, lines: Sequence[bytes]) -> None:
        data = b"".join(line + b"\n" for line in lines)
        write_whole(file, data)
        self._size += len(data)

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """What the system does not take is told as an error of ours."""
        try:
            yield
        except OSError as error:
            raise cannot_write(self._path, error) from error

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def first_and_last(path: Path) -> tuple[bytes, bytes]:
    """The first and last whole lines of a file, without reading what lies between; empty where there is none."""
    with path.open("rb") as file:
        first = file.readline()
        if not first.endswith(b"\n"):
            return b"", b""
        first = first[:-1]
        return first, _last_whole_line(file.fileno()) or first


def _last_whole_line(file: int, block: int = 65_536) -> bytes:
    """Reads back from the end, twice as far each time, until a whole line is in sight."""
    size = os.fstat(file).st_size
    while True:
        tail = os.pread(file, min(block, size), max(0, size - block))
        lines = _whole_lines(tail)
        if len(lines) > 1 or block >= size:
            return lines[-1] if lines else b""
        block *= 2


def _whole_lines(data: bytes) -> list[bytes]:
    return [line for line in data[: data.rfind(b"\n") + 1].split(b"\n") if line]
