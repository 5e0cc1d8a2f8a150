"""The process that dbt runs in: started with the first command, kept for the next, ended to cancel.

Its imports take seconds, so it stays; its death, however it comes, ends a command and undoes what was not committed.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection
from typing import Any

from pluto_duck_backend.app.core.errors import Cancelled, EnvironmentFault
from pluto_duck_backend.app.core.warehouse import Warehouse
from pluto_duck_backend.app.services.transformation.bridge import Bridge

_CHILD = "pluto_duck_backend.app.services.transformation.child"
_LOOK_S = 0.1
_GRACE_S = 2.0
Message = tuple[Any, ...]


class DbtProcess:
    """At most one process; one command at a time."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse
        self._process: subprocess.Popen[str] | None = None
        self._bridge: Bridge | None = None
        self._control: Connection | None = None

    def run(self, words: Sequence[str], cancelled: Callable[[], bool]) -> Iterator[Message]:
        """The messages of one command, as `child` describes them. Raises Cancelled, or EnvironmentFault if it dies."""
        try:
            yield from self._told(self._ready(), words, cancelled)
        except (EOFError, OSError) as error:
            self.close()
            raise EnvironmentFault(
                "dbt's process ended in the middle of the command.",
                code="dbt_died",
                hint="Run it again; artifacts/dbt/logs/dbt.log may say why.",
                retryable=True,
            ) from error
        except BaseException:  # cancelled, or nobody listens any more: there is no other way to stop dbt
            self.close()
            raise

    def _told(self, control: Connection, words: Sequence[str], cancelled: Callable[[], bool]) -> Iterator[Message]:
        control.send(list(words))
        while True:
            while not control.poll(_LOOK_S):
                if cancelled():
                    raise Cancelled("dbt was cancelled; models that were done stay.")
            message: Message = control.recv()
            yield message
            if message[0] in ("ended", "refused"):
                return

    def close(self) -> None:
        """End the process, if there is one; what it had not committed is undone when this returns."""
        if self._control:
            self._control.close()
        if self._process:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_GRACE_S)
            self._process.kill()
            self._process.wait()
        if self._bridge:
            self._bridge.close()
        self._process = self._bridge = self._control = None

    def _ready(self) -> Connection:
        if self._control is None or self._process is None or self._process.poll() is not None:
            self.close()
            self._start()
        assert self._control is not None
        return self._control

    def _start(self) -> None:
        """Raises EOFError or OSError where the process ends before it has told that it is there."""
        self._bridge = Bridge(self._warehouse)
        self._process = _begun(self._warehouse)
        threading.Thread(target=self._bridge.give_up_after, args=(self._process.wait,), daemon=True).start()
        assert self._process.stdin is not None
        with self._process.stdin as told:
            told.write(json.dumps(self._bridge.told()) + "\n")
        self._control = self._bridge.accept_control()


def _begun(warehouse: Warehouse) -> subprocess.Popen[str]:
    environment = {**os.environ, "PLUTODUCK_WAREHOUSE": str(warehouse.path)}
    environment.setdefault("DO_NOT_TRACK", "1")
    return subprocess.Popen(  # noqa: S603 - this Python, our own module
        [sys.executable, "-P", "-m", _CHILD],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        env=environment,
        text=True,
        start_new_session=True,
    )
