"""Idempotency keys: what was done under a key is done once, and who calls again gets the same result.

Each key is a text beside the sessions (by default a file in artifacts/actions), kept for a day, so that a process
started again knows it, and every process that shares the sessions. One without a result tells of work whose end nobody
has seen yet: until it must be over it is at work, then it was cut off; it is not done again unasked.
"""

from __future__ import annotations

import contextlib
import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from pluto_duck_backend.agent.actions.contract import Result
from pluto_duck_backend.app.core.errors import Conflict, EnvironmentFault, NotFound
from pluto_duck_backend.app.core.state import MemoryService

KEPT_S = 24 * 3600
_SWEPT_EVERY_S = 3600
_SCOPE = "artifacts/actions"
_ENDING = ".json"


@dataclass(frozen=True)
class Begun:
    """What a key stands for: the request, which process does it, and when it is over at the latest (s since 1970)."""

    request: str
    at: float
    process: str = ""
    until: float = 0.0
    result: dict[str, Any] | None = None


class Once:
    """Thread-safe; the keys of one caller are nobody else's. `process` is this one's name, the same after a restart."""

    def __init__(
        self, texts: MemoryService, process: Callable[[], str], clock: Callable[[], float] = time.time
    ) -> None:
        self._texts = texts
        self._process = process
        self._clock = clock
        self._busy: set[str] = set()
        self._changed = threading.Condition()
        self._ages: dict[str, float] = {}
        self._sweep_at = clock()

    def do(
        self, key: str | None, who: str, request: dict[str, Any], work: Callable[[], Result], limit_s: float = KEPT_S
    ) -> Result:
        """What `work` gives within `limit_s`, or gave before under this key. Raises Conflict for another request's."""
        if key is None:
            return work()
        name = f"{_digest([who, key])}{_ENDING}"
        with self._alone(name):
            self._forget_the_old()
            known, mark = self._known(name)
            if known:
                return self._again(known, key, request)
            return self._first(name, mark, key, request, work, limit_s)

    def _first(
        self, name: str, mark: str, key: str, request: dict[str, Any], work: Callable[[], Result], limit_s: float
    ) -> Result:
        """Whoever writes it down first does it, of all processes."""
        now = self._clock()
        begun = Begun(_digest(request), now, self._process(), now + limit_s)
        try:
            self._write(name, begun, mark)
        except Conflict:
            known, _ = self._known(name)
            if known is None:  # begun by another, which has let go of it already
                raise _at_work(key) from None
            return self._again(known, key, request)
        done = work()
        if done.error and done.error["retryable"]:
            self._texts.delete(_SCOPE, name)
        else:
            self._write(name, Begun(begun.request, now, result=done.to_dict()))
        return done

    def _again(self, known: Begun, key: str, request: dict[str, Any]) -> Result:
        if known.request != _digest(request):
            raise _used_otherwise(key)
        if known.result:
            return Result(**known.result)
        is_over = known.process == self._process() or known.until < self._clock()
        raise _cut_off(key) if is_over else _at_work(key)

    def _known(self, name: str) -> tuple[Begun | None, str]:
        """What is known of a key, and the mark of its text; one that is too old is as good as none."""
        try:
            data, mark = self._texts.read(_SCOPE, name)
        except NotFound:
            return None, ""
        known = _read(data, f"{_SCOPE}/{name}")
        return (known if self._clock() - known.at < KEPT_S else None), mark

    def _write(self, name: str, begun: Begun, instead_of: str | None = None) -> None:
        self._texts.write(_SCOPE, name, orjson.dumps(begun, default=str), instead_of)
        self._ages[name] = begun.at

    @contextlib.contextmanager
    def _alone(self, name: str) -> Iterator[None]:
        """One call of a key at a time; who calls meanwhile waits for its end."""
        with self._changed:
            self._changed.wait_for(lambda: name not in self._busy)
            self._busy.add(name)
        try:
            yield
        finally:
            with self._changed:
                self._busy.remove(name)
                self._changed.notify_all()

    def _forget_the_old(self) -> None:
        """Now and then; of each text its age is read once."""
        if self._clock() < self._sweep_at:
            return
        self._sweep_at = self._clock() + _SWEPT_EVERY_S
        names = {each.name for each in self._texts.entries(_SCOPE)}
        self._ages = {name: self._ages.get(name) or self._age(name) for name in names}
        for name, at in list(self._ages.items()):  # others write theirs meanwhile
            if self._clock() - at > KEPT_S:
                self._texts.delete(_SCOPE, name)

    def _age(self, name: str) -> float:
        try:
            return _read(self._texts.read(_SCOPE, name)[0], name).at
        except (NotFound, EnvironmentFault):  # gone meanwhile, or told to whoever uses the key
            return self._clock()


def _read(data: bytes, place: str) -> Begun:
    try:
        return Begun(**orjson.loads(data))
    except (ValueError, TypeError) as error:
        raise EnvironmentFault(f"{place} cannot be read: {error}", code="bad_key_file", hint="Remove it.") from error


def _used_otherwise(key: str) -> Conflict:
    return Conflict(
        f"The idempotency key {key!r} was used for another call.",
        code="key_reused",
        hint="Use a new key for each thing that is to be done.",
    )


def _at_work(key: str) -> Conflict:
    return Conflict(
        f"Another process is at work under the key {key!r}.",
        code="key_at_work",
        hint="Call again with the same key in a moment.",
        retryable=True,
    )


def _cut_off(key: str) -> Conflict:
    return Conflict(
        f"What was begun under the key {key!r} was cut off, and its end was not seen.",
        code="key_cut_off",
        hint="Look whether it was done; to do it again use a new key.",
    )


def _digest(value: Any) -> str:
    return hashlib.sha256(orjson.dumps(value, default=str, option=orjson.OPT_SORT_KEYS)).hexdigest()
