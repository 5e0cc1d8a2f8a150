"""Sessions in S3: a session that has ended is one object of lines, as the files are; one that goes on is pieces.

    <scope>/<session>.jsonl               what has ended
    <scope>/.open/<session>/000003        the fourth append of one that goes on, put on condition that there is none yet
    <scope>/.writers/<session>            the process that writes it;  .processes/<name>: when a process was heard of
    <scope>/.threads/<digest>/<session>   empty; to find a thread's sessions

What must stay true: pieces are removed only after the whole is there, and whoever has put a piece looks for a whole, so
a writer that was given up for dead learns of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import lru_cache
from itertools import islice

from pluto_duck_backend.app.core.state import (
    SILENCE_S,
    Session,
    SessionWriter,
    Shape,
    checked,
    no_session,
    session_exists,
    session_moved_on,
)
from pluto_duck_backend.app.services.state.in_s3.bucket import Bucket

_ENDING = ".jsonl"
_TRIES = 3
_AT_ONCE = 8


class S3Sessions:
    """The sessions of a scope; `process` is this one's name among those that share them."""

    is_shared = True

    def __init__(self, bucket: Bucket, scope: str, shape: Shape, process: str) -> None:
        self._bucket = bucket
        self._scope = scope
        self._shape = shape
        self._process = process
        self.place = bucket.place
        self._piece = lru_cache(maxsize=2000)(self._piece_of)

    def begin(self, session_id: str, lines: Sequence[bytes]) -> SessionWriter:
        if self._bucket.has(self._scope, f"{checked(session_id)}{_ENDING}"):
            raise session_exists(session_id)
        if not self._bucket.put_new(self._open(session_id), _number(0), _joined(lines)):
            raise session_exists(session_id)
        self._bucket.put(self._threads(self._shape.thread_of(lines[0])), session_id, b"")
        self._take(session_id)
        writer = _Writer(self, session_id, 1)
        self._end(session_id, lines)
        return writer

    def resume(self, session_id: str) -> SessionWriter:
        if not self.read(session_id):
            raise no_session(session_id)
        self._take(session_id)
        return _Writer(self, session_id, len(self._bucket.names(self._open(session_id))))

    def append(self, session_id: str, lines: Sequence[bytes], number: int) -> None:
        """Add lines as the piece `number`."""
        is_new = self._bucket.put_new(self._open(session_id), _number(number), _joined(lines))
        if is_new and self._bucket.has(self._scope, f"{session_id}{_ENDING}"):
            self._bucket.delete(self._open(session_id), _number(number))
            is_new = False
        if not is_new:
            raise session_moved_on(session_id)
        self._end(session_id, lines)

    def read(self, session_id: str, after: int = 0) -> list[bytes]:
        for _ in range(_TRIES):
            whole = self._bucket.get(self._scope, f"{session_id}{_ENDING}")
            lines = self._in_pieces(session_id) if whole is None else _lines(whole)
            if lines is not None:
                return lines[after:]
        return []

    def latest(self, before: str | None = None) -> Iterator[Session]:
        names = [name for name in self._every() if before is None or name < before]
        names.sort(reverse=True)
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            while page := list(islice(names, _AT_ONCE)):
                del names[:_AT_ONCE]
                for name, lines in zip(page, pool.map(self.read, page), strict=True):
                    if lines:
                        yield Session(name, lines[0], lines[-1])

    def of_thread(self, thread: str) -> list[str]:
        return [name for name, _ in self._bucket.names(self._threads(thread))]

    def left_open(self) -> list[str]:
        living = self._living()
        return [name for name in sorted(self._going_on()) if self._writer_of(name) not in living]

    def delete(self, session_id: str) -> bool:
        lines = self.read(session_id)
        if lines:
            self._bucket.delete(self._threads(self._shape.thread_of(lines[0])), session_id)
            self._bucket.delete(self._scope, f"{session_id}{_ENDING}")
            self._forget_pieces(session_id)
        return bool(lines)

    def beat(self) -> None:
        self._bucket.put(f"{self._scope}/.processes", self._process, b"")

    def _in_pieces(self, session_id: str) -> list[bytes] | None:
        """None where they were put together meanwhile; empty where there are none."""
        found = self._bucket.names(self._open(session_id))
        pieces = [self._piece(session_id, name, str(about["e_tag"])) for name, about in found]
        if None in pieces:
            return None
        if not pieces and self._bucket.has(self._scope, f"{session_id}{_ENDING}"):
            return None
        return [line for piece in pieces if piece for line in _lines(piece)]

    def _piece_of(self, session_id: str, name: str, e_tag: str) -> bytes | None:
        return self._bucket.get(self._open(session_id), name)

    def _end(self, session_id: str, lines: Sequence[bytes]) -> None:
        """Put a session that has ended together."""
        if self._shape.is_end(lines[-1]):
            whole = self._in_pieces(session_id) or []
            self._bucket.put(self._scope, f"{session_id}{_ENDING}", _joined(whole))
            self._forget_pieces(session_id)

    def _forget_pieces(self, session_id: str) -> None:
        self._bucket.delete_all(self._open(session_id))
        self._bucket.delete(f"{self._scope}/.writers", session_id)

    def _every(self) -> set[str]:
        ended = {name.removesuffix(_ENDING) for name, _ in self._bucket.names(self._scope)}
        return ended | set(self._bucket.folders(f"{self._scope}/.open"))

    def _going_on(self) -> list[str]:
        """Those in pieces; of one that was cut off while it was put together only the pieces are removed."""
        ended = {name for name, _ in self._bucket.names(self._scope)}
        found = self._bucket.folders(f"{self._scope}/.open")
        for name in found:
            if f"{name}{_ENDING}" in ended:
                self._forget_pieces(name)
        return [name for name in found if f"{name}{_ENDING}" not in ended]

    def _living(self) -> set[str]:
        """The other processes that were heard of lately, by the server's clock."""
        self.beat()
        beats = {name: about["last_modified"] for name, about in self._bucket.names(f"{self._scope}/.processes")}
        silent = beats[self._process] - timedelta(seconds=SILENCE_S)
        return {name for name, at in beats.items() if at >= silent and name != self._process}

    def _take(self, session_id: str) -> None:
        self._bucket.put(f"{self._scope}/.writers", session_id, self._process.encode())

    def _writer_of(self, session_id: str) -> str:
        return (self._bucket.get(f"{self._scope}/.writers", session_id) or b"").decode()

    def _open(self, session_id: str) -> str:
        return f"{self._scope}/.open/{session_id}"

    def _threads(self, thread: str) -> str:
        return f"{self._scope}/.threads/{hashlib.sha256(thread.encode()).hexdigest()[:32]}"


class _Writer:
    def __init__(self, sessions: S3Sessions, session_id: str, number: int) -> None:
        self._sessions = sessions
        self._session_id = session_id
        self._number = number

    def append(self, lines: Sequence[bytes]) -> None:
        self._sessions.append(self._session_id, lines, self._number)
        self._number += 1

    def close(self) -> None:
        """Nothing is held."""


def _number(number: int) -> str:
    return f"{number:06d}"


def _joined(lines: Sequence[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def _lines(data: bytes) -> list[bytes]:
    return data.split(b"\n")[:-1]
