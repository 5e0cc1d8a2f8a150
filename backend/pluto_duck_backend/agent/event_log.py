"""The append-only, numbered log of one run or job: the truth that every surface replays.

An event is encoded once, given to the session service (events of one moment together, so what was delivered survives
the death of the process), and kept as a ready SSE frame. Readers follow by position, so a reader costs a number, not
a queue. Exactly one terminal event, and it is the last.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime
from typing import Any, Literal

import orjson

from pluto_duck_backend.agent.events import Event
from pluto_duck_backend.app.core.errors import Conflict, EnvironmentFault, InternalFault
from pluto_duck_backend.app.core.state import SessionService, SessionWriter, Shape

Owner = Literal["run_id", "job_id"]
TERMINAL = frozenset({("run", "end"), ("run", "error"), ("job", "end"), ("job", "error")})
_GATHER_S = 0.005
#   a reader in this process is woken once for all that is told within it
_DATA = b"\ndata: "
_BITS, _DEEPEST = 63, 100
#   of integers and of levels that every reader of JSON takes


class EventLog:
    """Events 1, 2, 3 … of one run (or job), in memory and with the session service. Thread-safe."""

    def __init__(self, sessions: SessionService, owner_id: str, owner: Owner = "run_id") -> None:
        self.owner_id = owner_id
        self._sessions = sessions
        self._owner = owner
        self._frames: list[bytes] = []
        self._held: list[Event] = []
        self._ended = False
        self._is_on_disk = True
        self._is_ours = False
        self._writer: SessionWriter | None = None
        lock = threading.RLock()
        self._grown, self._over = threading.Condition(lock), threading.Condition(lock)
        self._loops: dict[asyncio.AbstractEventLoop, _Wakeup] = {}

    @classmethod
    def create(cls, sessions: SessionService, owner_id: str, owner: Owner = "run_id") -> EventLog:
        """A new, empty log; it begins, and must not exist, when its first event is appended."""
        log = cls(sessions, owner_id, owner)
        log._is_ours = True
        return log

    @classmethod
    def load(cls, sessions: SessionService, owner_id: str, owner: Owner = "run_id") -> EventLog:
        """The log as it stands; empty where there is none."""
        log = cls(sessions, owner_id, owner)
        log.catch_up()
        return log

    @classmethod
    def reopen(cls, sessions: SessionService, owner_id: str, owner: Owner = "run_id") -> EventLog:
        """Like `load`, to be appended to. Raises NotFound."""
        writer = sessions.resume(owner_id)
        log = cls.load(sessions, owner_id, owner)
        log._writer, log._is_ours = writer, True
        if log._ended:
            log.close()
        return log

    def catch_up(self) -> None:
        """Take in what another process has written since, and wake who waits for it."""
        with self._grown:
            lines = self._sessions.read(self.owner_id, len(self._frames))
            for line in lines:
                event = orjson.loads(line)
                self._keep(event["seq"], line, (event["type"], event["subtype"]) in TERMINAL)
            wakeups = self._wake() if lines else []
        for wakeup in wakeups:
            wakeup.ring()

    @property
    def ended(self) -> bool:
        return self._ended

    @property
    def is_on_disk(self) -> bool:
        """False where the end is known in this process only, since it could not be written."""
        return self._is_on_disk

    @property
    def is_followed(self) -> bool:
        """Whether another process writes it, so that this one has to look for more."""
        return not self._is_ours and not self._ended

    @property
    def last_seq(self) -> int:
        return len(self._frames)

    def hold(self, *events: Event) -> None:
        """Events of a moment that is not over: they are written and delivered with those that come next."""
        with self._grown:
            self._held += events

    def append(self, *events: Event, written: Callable[[Event], object] = lambda event: None) -> int:
        """Number, write and deliver what is held and `events`, all at once; returns the last one's seq.

        Raises InternalFault after the terminal event, EnvironmentFault where they cannot be written: then none is
        there. A failure (run.error, job.error) is delivered all the same: readers must learn of an end, and it stays a
        failure after a restart. `written` is called with the last one when it is written and nobody has seen it yet.
        """
        with self._grown:
            if self._ended or not self._is_ours:
                raise InternalFault(f"The log of {self.owner_id} has ended and takes no more events.")
            told = [*self._held, *events]
            if not told:
                return len(self._frames)
            lines = self._encoded(told)
            self._write(lines, is_needed=told[-1].subtype != "error")
            self._held.clear()
            written(told[-1])
            for event, line in zip(told, lines, strict=True):
                self._keep(len(self._frames) + 1, line, (event.type, event.subtype) in TERMINAL)
            wakeups = self._wake()
        for wakeup in wakeups:
            wakeup.ring()
        return len(self._frames)

    def _wake(self) -> list[_Wakeup]:
        """The waiting threads at once; the loops are for the caller to ring when it has let go of the lock."""
        self._grown.notify_all()
        if self._ended:
            self._over.notify_all()
        return list(self._loops.values())

    def end(self, event: Event, failure: Callable[..., Event], written: Callable[[Event], object]) -> None:
        """Append the last event. A success that cannot be written is none: after a restart nobody would know of it.

        `written` is told the end that holds, before a reader sees it.
        """
        try:
            self.append(event, written=written)
        except (EnvironmentFault, Conflict) as error:
            self.append(failure(**error.to_dict()), written=written)

    def _write(self, lines: list[bytes], *, is_needed: bool) -> None:
        try:
            if self._writer is None:
                self._writer = self._sessions.begin(self.owner_id, lines)
            else:
                self._writer.append(lines)
        except (EnvironmentFault, Conflict):
            if is_needed:
                raise
            self._is_on_disk = False

    def _encoded(self, events: list[Event]) -> list[bytes]:
        """Each as its line; what is told at once has happened at one time."""
        now = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
        return [self._encode(seq, event, now) for seq, event in enumerate(events, len(self._frames) + 1)]

    def _encode(self, seq: int, event: Event, now: str) -> bytes:
        record = {
            self._owner: self.owner_id,
            "seq": seq,
            "type": event.type,
            "subtype": event.subtype,
            "content": event.content(),
            "timestamp": now,
        }
        try:
            return orjson.dumps(record, default=str, option=orjson.OPT_NON_STR_KEYS)
        except TypeError:  # a model may write whatever it likes, and no text of it keeps a run from its end
            return orjson.dumps(_writable(record), default=str, option=orjson.OPT_NON_STR_KEYS)

    def _keep(self, seq: int, line: bytes, terminal: bool) -> None:
        self._frames.append(b"id: %d" % seq + _DATA + line + b"\n\n")
        if terminal:
            self._ended = True
            self.close()

    def close(self) -> None:
        """Let what it is written to go; nothing more is appended."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def events(self, after: int = 0) -> list[dict[str, Any]]:
        """The events after number `after` that exist now; one that is being written is waited for."""
        with self._grown:
            frames = self._frames[after:]
        return [orjson.loads(_line_of(frame)) for frame in frames]

    def frames(self, after: int = 0) -> bytes:
        """The same, as SSE frames in one piece."""
        return b"".join(self._frames[after:])

    def follow(self, after: int = 0, stop: Callable[[], bool] = lambda: False) -> Iterator[dict[str, Any]]:
        """Every event after `after`, waiting for new ones, until the terminal one (or `stop()` is true).

        What follows an event within a moment comes with it: a reader woken for each would hold up who writes them.
        """
        position = after
        while not stop():
            fresh = self.events(position)
            yield from fresh
            position += len(fresh)
            with self._grown:
                if self._ended and position >= len(self._frames):
                    return
                if position >= len(self._frames) and self._grown.wait(timeout=0.5) and not self._ended:
                    self._over.wait(_GATHER_S)

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


def shape(thread_of: Callable[[dict[str, Any]], str] = lambda first: "") -> Shape:
    """What session services must know of logs; `thread_of` is given the first event."""
    return Shape(lambda line: thread_of(orjson.loads(line)), _is_end)


def _is_end(line: bytes) -> bool:
    event = orjson.loads(line)
    return (event["type"], event["subtype"]) in TERMINAL


def _writable(value: Any, depth: int = 0) -> Any:
    """The same without what JSON cannot hold: halves of characters are `?`, endless integers text, depths `…`."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict | list | tuple) and depth == _DEEPEST:
        return "…"
    if isinstance(value, dict):
        return {_writable(key): _writable(each, depth + 1) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_writable(each, depth + 1) for each in value]
    return str(value) if isinstance(value, int) and value.bit_length() > _BITS else value


def _line_of(frame: bytes) -> bytes:
    return frame[frame.index(_DATA) + len(_DATA) : -2]
