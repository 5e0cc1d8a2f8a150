"""What outlives a process, behind three small interfaces: sessions, memory, artifacts.

    session    lines that only grow: the event log of a run, by which a conversation goes on anywhere
    memory     short texts that a person wrote or confirmed, changed by whoever has seen what is there
    artifact   files that were made: written whole, read as a stream

The agent and the services take them as they come; `app/services/state` keeps them in files (as people read them below
the root), PostgreSQL, Redis or S3, and its contract suite says what every one of them has to do. A *scope* is the
folder below the root where the files service keeps them (`artifacts/runs`); scopes know nothing of each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pluto_duck_backend.app.core.errors import Conflict, EnvironmentFault, InvalidInput, NotFound

LONGEST_NAME = 180
"""Bytes of a name in UTF-8: what file systems take, with room for a part's ending."""
_NO_NAME = re.compile(r"[/\x00-\x1f\x7f\ud800-\udfff]|\A\.|\A\Z")


@dataclass(frozen=True)
class Shape:
    """What a service must know of a session's lines to find it again: what its first says, whether one is the last."""

    thread_of: Callable[[bytes], str]
    is_end: Callable[[bytes], bool]


@dataclass(frozen=True)
class Session:
    """A session by its ends: its first and its last line so far."""

    session_id: str
    first: bytes
    last: bytes


class SessionWriter(Protocol):
    """Adds to one session, from where it stood when this was made."""

    def append(self, lines: Sequence[bytes]) -> None:
        """Add lines (UTF-8, without their ends), all or none; they survive this process.

        Raises Conflict where somebody else has added some since, EnvironmentFault where they cannot be written.
        """

    def close(self) -> None: ...


class SessionService(Protocol):
    """The sessions of one scope. Thread-safe. Every call may raise EnvironmentFault."""

    place: str
    """Where it keeps them, in words, without secrets."""
    is_shared: bool
    """Whether other processes may write here at the same time."""

    def begin(self, session_id: str, lines: Sequence[bytes]) -> SessionWriter:
        """A new session with its first lines. Raises Conflict for one that exists, InvalidInput for a bad name."""

    def resume(self, session_id: str) -> SessionWriter:
        """To go on with one; a line that a dying process left torn is cut off. Raises NotFound."""

    def read(self, session_id: str, after: int = 0) -> list[bytes]:
        """The whole lines after the first `after`; none where there is no such session."""

    def latest(self, before: str | None = None) -> Iterator[Session]:
        """The sessions by falling name, those below `before` where it is given; ids of ours rise with time."""

    def of_thread(self, thread: str) -> list[str]:
        """The sessions of a thread, by rising name."""

    def left_open(self) -> list[str]:
        """The sessions without an end whose writer is gone, or is this process; by rising name."""

    def delete(self, session_id: str) -> bool:
        """Whether there was one."""

    def beat(self) -> None:
        """Tell the other processes that this one lives; who has not told so for SILENCE_S is gone."""


SILENCE_S = 30.0
BEAT_S = 10.0


@dataclass(frozen=True)
class Entry:
    """A text of the memory; `mark` is another one whenever the text is."""

    name: str
    mark: str


class MemoryService(Protocol):
    """Short texts by scope and name. Thread-safe. Every call may raise EnvironmentFault, or InvalidInput for a name."""

    place: str

    def entries(self, scope: str) -> list[Entry]:
        """What a scope holds, by name."""

    def read(self, scope: str, name: str) -> tuple[bytes, str]:
        """A text and its mark. Raises NotFound."""

    def write(self, scope: str, name: str, data: bytes, instead_of: str | None = None) -> str:
        """Put a text there, whole or not at all; returns its mark.

        `instead_of`: the mark of what it replaces, "" where there must be none; Conflict where that is not so.
        """

    def delete(self, scope: str, name: str) -> bool:
        """Whether there was one."""


class ArtifactService(Protocol):
    """Files by scope and name. Thread-safe. Every call may raise EnvironmentFault, or InvalidInput for a name."""

    place: str

    def write(self, scope: str, name: str, chunks: Iterable[bytes]) -> int:
        """Put a file there, whole or not at all, never all of it in memory; returns its bytes."""

    def read(self, scope: str, name: str) -> Iterator[bytes]:
        """A file piece by piece: the one that is there now, also where it is replaced meanwhile. Raises NotFound."""

    def names(self, scope: str) -> list[str]:
        """What a scope holds, by name."""

    def delete(self, scope: str, name: str) -> bool:
        """Whether there was one."""


def is_name(text: str) -> bool:
    """Whether every backend can keep something by that name."""
    return not _NO_NAME.search(text) and len(text.encode()) <= LONGEST_NAME


def checked(name: str) -> str:
    """`name`, where it is one. Raises InvalidInput."""
    if not is_name(name):
        raise InvalidInput(
            f"{name[:60]!r} is no name for what is kept.",
            code="bad_name",
            hint=f"1 to {LONGEST_NAME} bytes, no slash or control character, no point at its beginning.",
        )
    return name


def session_exists(session_id: str) -> Conflict:
    return Conflict(f"There is a session {session_id!r} already.", code="session_exists")


def session_moved_on(session_id: str) -> Conflict:
    return Conflict(
        f"Somebody else has written to {session_id!r} meanwhile.",
        code="session_moved_on",
        hint="Two processes answer the same run; see state.* in docs/state.md.",
    )


def no_session(session_id: str) -> NotFound:
    return NotFound(f"There is no session {session_id!r}.", code="session_not_found")


def no_text(scope: str, name: str) -> NotFound:
    return NotFound(f"There is no {scope}/{name}.", code="text_not_found")


def changed_meanwhile(scope: str, name: str) -> Conflict:
    return Conflict(
        f"{scope}/{name} is another than it was.", code="changed_meanwhile", hint="Look at it, then try again."
    )


def no_artifact(scope: str, name: str) -> NotFound:
    return NotFound(f"There is no {scope}/{name}.", code="artifact_not_found")


def place_of(kind: str, address: str) -> str:
    """Where a server keeps things, in words: its hosts and ports as they were given, without user and password."""
    host, slash, rest = address.partition("://")[2].rpartition("@")[2].partition("?")[0].partition("/")
    return f"{kind} at {host or 'the local socket'}{slash}{rest}"


def unreachable(place: str, reason: str) -> EnvironmentFault:
    return EnvironmentFault(
        f"{place} cannot be used: {reason}",
        code="state_unreachable",
        hint="Check the settings state.* and the server; `pluto-duck doctor` tries it.",
        retryable=True,
    )


class Backend(Protocol):
    """One place that can keep state. It is reached when one of its services is used, not before."""

    place: str

    def sessions(self, scope: str, shape: Shape) -> SessionService: ...

    def memory(self) -> MemoryService: ...

    def artifacts(self) -> ArtifactService: ...

    def check(self) -> str:
        """What is to be mended about it although it works; empty: nothing. Raises EnvironmentFault."""

    def close(self) -> None: ...


@dataclass(frozen=True)
class Address:
    """What a backend is opened with: the URL and the options of settings state.*, references resolved; the name that
    this process has among those that share the place, the same after a restart."""

    url: str
    options: Mapping[str, str]
    process: str
