"""The append-only, numbered log of one run or job: the truth that every surface replays.

An event is encoded once, written to its file (events of one moment with one system call, so what was delivered survives
the death of the process), and kept as a ready SSE frame. Readers follow by position, so a reader costs a number, not a
queue. Exactly one terminal event, and it is the last.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import orjson

from pluto_duck_backend.agent.events import Event
from pluto_duck_backend.app.core.errors import EnvironmentFault, InternalFault
from pluto_duck_backend.app.core.lines import cannot_write, open_to_append, write_whole

Owner = Literal["run_id", "job_id"]
TERMINAL = frozenset({("run", "end"), ("run", "error"), ("job", "end"), ("job", "error")})
_DATA = b"\ndata: "


class EventLog:
    """Events 1, 2, 3 … of one run (or job), in memory and in `path`. Thread-safe."""

    def __init__(self, path: Path, owner_id: str, owner: Owner = "run_id") -> None:
        self.path = path
        self.owner_id = owner_id
        self._owner = owner
        self._frames: list[bytes] = []
        self._ended = False
        self._is_on_disk = True
        self._file: int | None = None
        self._grown = threading.Condition()
        self._loops: dict[asyncio.AbstractEventLoop, _Wakeup] = {}

    @classmethod
    def create(cls, path: Path, owner_id: str, owner: Owner = "run_id") -> EventLog:
        """A new, empty log; its file must not exist."""
        log = cls(path, owner_id, owner)
        try:
            log._file = open_to_append(path, os.O_EXCL)
        except OSError as error:
            raise cannot_write(path, error) from error
        return log

    @classmethod
    def load(cls, path: Path, owner_id: str, owner: Owner = "run_id") -> EventLog:
        """The log in `path` as it stands. A last line that a dying process left torn is no event."""
        log = cls(path, owner_id, owner)
        for line in _whole_lines(path.read_bytes()):
            event = orjson.loads(line)
            log._keep(event["seq"], line, (event["type"], event["subtype"]) in TERMINAL)
        return log

    @classmethod
    def reopen(cls, path: Path, owner_id: str, owner: Owner = "run_id") -> EventLog:
        """Like `load`, to be appended to: what a dying process left torn is cut off."""
        log = cls.load(path, owner_id, owner)
        log._file = os.open(path, os.O_WRONLY | os.O_APPEND)
        os.ftruncate(log._file, sum(len(_line_of(frame)) + 1 for frame in log._frames))
        return log

    @property
    def ended(self) -> bool:
        return self._ended

    @property
    def is_on_disk(self) -> bool:
        """False where the end is known in this process only, since it could not be written."""
        return self._is_on_disk

    @property
    def last_seq(self) -> int:
        return len(self._frames)

    def append(self, *events: Event) -> int:
        """Number, write and deliver `events`, all at once; returns the last one's seq.

        Raises InternalFault after the terminal event, EnvironmentFault where they cannot be written: then none is
        there. A failure (run.error, job.error) is delivered all the same: readers must learn of an end, and it stays a
        failure after a restart.
        """
        with self._grown:
            if self._ended or self._file is None:
                raise InternalFault(f"The log of {self.owner_id} has ended and takes no more events.")
            lines = [self._encode(seq, event) for seq, event in enumerate(events, len(self._frames) + 1)]
            self._write(b"".join(line + b"\n" for line in lines), is_needed=events[-1].subtype != "error")
            for event, line in zip(events, lines, strict=True):
                self._keep(len(self._frames) + 1, line, (event.type, event.subtype) in TERMINAL)
            self._grown.notify_all()
            wakeups = list(self._loops.values())
        for wakeup in wakeups:
            wakeup.ring()
        return len(self._frames)

    def end(self, event: Event, failure: Callable[..., Event]) -> None:
        """Append the last event. A success that cannot be written is none: after a restart nobody would know of it."""
        try:
            self.append(event)
        except EnvironmentFault as error:
            self.append(failure(**error.to_dict()))

    def _write(self, data: bytes, *, is_needed: bool) -> None:
        assert self._file is not None
        try:
            write_whole(self._file, data)
        except OSError as error:
            if is_needed:
                raise cannot_write(self.path, error) from error
            self._is_on_disk = False

    def _encode(self, seq: int, event: Event) -> bytes:
        record = {
            self._owner: self.owner_id,
            "seq": seq,
            "type": event.type,
            "subtype": event.subtype,
            "content": event.content(),
            "timestamp": datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z"),
        }
        return orjson.dumps(record, default=str, option=orjson.OPT_NON_STR_KEYS)

    def _keep(self, seq: int, line: bytes, terminal: bool) -> None:
        self._frames.append(b"id: %d" % seq + _DATA + line + b"\n\n")
        if terminal:
            self._ended = True
            self._close_file()

    def _close_file(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def events(self, after: int = 0) -> list[dict[str, Any]]:
        """The events after number `after` that exist now."""
        return [orjson.loads(_line_of(frame)) for frame in self._frames[after:]]

    def frames(self, after: int = 0) -> bytes:
        """The same, as SSE frames in one piece."""
        return b"".join(self._frames[after:])

    def follow(self, after: int = 0, stop: Callable[[], bool] = lambda: False) -> Iterator[dict[str, Any]]:
        """Every event after `after`, waiting for new ones, until the terminal one (or `stop()` is true)."""
        position = after
        while not stop():
            fresh = self.events(position)
            yield from fresh
            position += len(fresh)
            with self._grown:
                if self._ended and position >= len(self._frames):
                    return
                if position >= len(self._frames):
                    self._grown.wait(timeout=0.5)

    async def afollow(self, after: int = 0) -> AsyncIterator[bytes]:
        """SSE frames after `after`, as many in one piece as there are, until the terminal event."""
        position = after
        wakeup = self._wakeup(asyncio.get_running_loop())
        while True:
            rung = wakeup.rung
            ended, count = self._ended, len(self._frames)
            if position < count:
                yield b"".join(self._frames[position:count])
                position = count
            elif ended:
                return
            else:
                await rung.wait()

    def _wakeup(self, loop: asyncio.AbstractEventLoop) -> _Wakeup:
        with self._grown:
            return self._loops.setdefault(loop, _Wakeup(loop))


class _Wakeup:
    """Tells all readers of one event loop, with one call into the loop for many events."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._coming = False
        self.rung = asyncio.Event()

    def ring(self) -> None:
        """From any thread."""
        if self._coming:
            return
        self._coming = True
        with contextlib.suppress(RuntimeError):  # the loop is closed, and its readers are gone with it
            self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        self._coming = False
        rung, self.rung = self.rung, asyncio.Event()
        rung.set()


def first_and_last(path: Path) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """The first and last whole events in a log's file, without reading what lies between."""
    with path.open("rb") as file:
        first = file.readline()
        if not first.endswith(b"\n"):
            return None, None
        return orjson.loads(first), orjson.loads(_last_whole_line(file.fileno()) or first)


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


def _line_of(frame: bytes) -> bytes:
    return frame[frame.index(_DATA) + len(_DATA) : -2]
