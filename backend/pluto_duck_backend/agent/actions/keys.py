"""Idempotency keys: what was done under a key is done once, and who calls again gets the same result.

Each key has a file in artifacts/actions, kept for a day, so that a server started again knows it, too. A file without
a result tells of work whose end nobody saw: it is not done again unasked.
"""

from __future__ import annotations

import contextlib
import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson

from pluto_duck_backend.agent.actions.contract import Result
from pluto_duck_backend.app.core.errors import Conflict, EnvironmentFault
from pluto_duck_backend.app.core.whole_files import write_whole

KEPT_S = 24 * 3600


class Once:
    """Thread-safe; the keys of one caller are nobody else's."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self._folder = folder
        self._clock = clock
        self._busy: set[str] = set()
        self._changed = threading.Condition()

    def do(self, key: str | None, who: str, request: dict[str, Any], work: Callable[[], Result]) -> Result:
        """What `work` gives, or gave before under this key. Raises Conflict for a key of another request."""
        if key is None:
            return work()
        path = self._folder / f"{_digest([who, key])}.json"
        with self._alone(path.stem):
            known = self._known(path)
            return _again(known, key, request) if known else self._first(path, request, work)

    def _first(self, path: Path, request: dict[str, Any], work: Callable[[], Result]) -> Result:
        self._forget_the_old()
        begun = {"request": _digest(request), "at": self._clock()}
        write_whole(path, [orjson.dumps(begun)], private=True)
        done = work()
        if done.error and done.error["retryable"]:
            path.unlink(missing_ok=True)
        else:
            write_whole(path, [orjson.dumps({**begun, "result": done.to_dict()}, default=str)], private=True)
        return done

    def _known(self, path: Path) -> dict[str, Any] | None:
        try:
            known: dict[str, Any] = orjson.loads(path.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise EnvironmentFault(f"{path} cannot be read: {error}", code="bad_key_file", hint="Remove it.") from error
        return known if self._clock() - known["at"] < KEPT_S else None

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
        for path in self._folder.glob("*.json"):
            with contextlib.suppress(FileNotFoundError):
                if self._clock() - path.stat().st_mtime > KEPT_S:
                    path.unlink()


def _again(known: dict[str, Any], key: str, request: dict[str, Any]) -> Result:
    if known["request"] != _digest(request):
        raise Conflict(
            f"The idempotency key {key!r} was used for another call.",
            code="key_reused",
            hint="Use a new key for each thing that is to be done.",
        )
    if "result" not in known:
        raise Conflict(
            f"What was begun under the key {key!r} was cut off, and its end was not seen.",
            code="key_cut_off",
            hint="Look whether it was done; to do it again use a new key.",
        )
    return Result(**known["result"])


def _digest(value: Any) -> str:
    return hashlib.sha256(orjson.dumps(value, default=str, option=orjson.OPT_SORT_KEYS)).hexdigest()
