"""What the scope of every agent says, kept beside the stamp of its file: a question that names no agent asks them all.

Kept in artifacts/agents.json as well, so that only what has changed since is read again, also by the next process. The
file may be deleted. What must stay true: a definition that is broken or gone bids for nothing.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import orjson

from pluto_duck_backend import __version__
from pluto_duck_backend.app.core.config import RightsSettings
from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput, NotFound
from pluto_duck_backend.app.core.whole_files import write_whole
from pluto_duck_backend.app.services.execution.guard.rights import full_pattern

Mark = tuple[int, int, int]
Patterns = tuple[str, ...]
ScopeOf = Callable[[str], RightsSettings | None]
_UNSETTLED_NS = 50_000_000
#   a file that was written so shortly before it was read may be written once more under the same stamp
_logger = logging.getLogger(__name__)


class Kept(NamedTuple):
    """`patterns` of `schema.table` in small letters; none without a scope."""

    mark: Mark
    patterns: Patterns


class ScopeIndex:
    """Thread-safe. `place`: its file; `scope_of` reads one agent's scope from its definition."""

    def __init__(self, place: Path, scope_of: ScopeOf) -> None:
        self._place = place
        self._scope_of = scope_of
        self._kept: dict[str, Kept] | None = None
        self._lock = threading.Lock()

    def patterns(self, marks: Callable[[], Iterable[tuple[str, Mark]]]) -> dict[str, Patterns]:
        """The tables of each agent's scope; `marks` tells which agents there are, and how their files stand now."""
        with self._lock:
            before = self._read() if self._kept is None else self._kept
            now, settled = self._now(before, marks())
            if settled != before:
                self._write(settled)
            self._kept = settled
        return {name: each.patterns for name, each in now.items()}

    def _now(
        self, before: Mapping[str, Kept], marks: Iterable[tuple[str, Mark]]
    ) -> tuple[dict[str, Kept], dict[str, Kept]]:
        """What holds now, and what of it may be kept."""
        now, unsettled = dict[str, Kept](), set[str]()
        for name, mark in marks:
            kept = before.get(name)
            if kept is None or kept.mark != mark:
                if time.time_ns() - mark[1] < _UNSETTLED_NS:
                    unsettled.add(name)
                kept = Kept(mark, _patterns(self._scope_of, name))
            now[name] = kept
        return now, {name: each for name, each in now.items() if name not in unsettled} if unsettled else now

    def _read(self) -> dict[str, Kept]:
        try:
            said = orjson.loads(self._place.read_bytes())
            if said["version"] == __version__:
                return {name: Kept(_mark(mark), tuple(patterns)) for name, (mark, patterns) in said["agents"].items()}
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError) as error:
            _logger.warning("%s cannot be used and is written anew: %s", self._place, error)
        return {}

    def _write(self, kept: Mapping[str, Kept]) -> None:
        try:
            said = {"version": __version__, "agents": kept}
            write_whole(self._place, [orjson.dumps(said, default=tuple)], private=True)
        except EnvironmentFault as fault:
            _logger.warning("the next process reads all agents again: %s", fault)


def mark_of(path: str) -> Mark | None:
    """What tells one state of a file from another; None where there is none. Raises EnvironmentFault."""
    try:
        stat = os.stat(path)  # noqa: PTH116 - of thousands; a Path takes three times as long
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise EnvironmentFault(f"{path} cannot be read: {error.strerror or error}", code="cannot_read") from error
    return stat.st_ino, stat.st_mtime_ns, stat.st_size


def _mark(said: list[int]) -> Mark:
    inode, written, size = said
    return inode, written, size


def _patterns(scope_of: ScopeOf, name: str) -> Patterns:
    try:
        scope = scope_of(name)
    except (InvalidInput, EnvironmentFault, NotFound):
        return ()  # told where it is named or listed
    return tuple(map(full_pattern, scope.tables)) if scope else ()
