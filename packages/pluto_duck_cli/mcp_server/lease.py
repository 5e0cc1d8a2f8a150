"""The client, held while it is used and given up soon after, so that an idle session never keeps others waiting.

A session of a coding agent lasts for days; in this process the client owns the warehouse. Whoever calls next finds a
server that was started meanwhile. Thread-safe: tools run in worker threads.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

from pluto_duck_backend.app.core.errors import EnvironmentFault
from pluto_duck_cli.client import Client

_IDLE_S = 10.0
Connect = Callable[[], contextlib.AbstractContextManager[Client]]


class Lease:
    """`with lease.client() as client`; the last to leave starts the clock, `close` does not wait for it."""

    def __init__(self, connect: Connect, idle_s: float = _IDLE_S) -> None:
        self._connect = connect
        self._idle_s = idle_s
        self._lock = threading.Lock()
        self._held = contextlib.ExitStack()
        self._client: Client | None = None
        self._users = 0
        self._clock: threading.Timer | None = None

    @contextlib.contextmanager
    def client(self) -> Iterator[Client]:
        """The client, opened where nobody holds it. Raises what opening it raises."""
        client = self._take()
        try:
            yield client
        except EnvironmentFault as error:
            if error.code == "server_away":
                self._forget(client)
            raise
        finally:
            self._give_back()

    def close(self) -> None:
        """Give the warehouse up now."""
        with self._lock:
            self._close()

    def _take(self) -> Client:
        with self._lock:
            self._stop_clock()
            if self._client is None:
                self._client = self._held.enter_context(self._connect())
            self._users += 1
            return self._client

    def _forget(self, client: Client) -> None:
        """The server behind it is gone: the next call looks for another."""
        with self._lock:
            if self._client is client:
                self._client = None

    def _give_back(self) -> None:
        with self._lock:
            self._users -= 1
            if not self._users:
                self._clock = threading.Timer(self._idle_s, self._close_idle)
                self._clock.daemon = True
                self._clock.start()

    def _close_idle(self) -> None:
        with self._lock:
            if not self._users:
                self._close()

    def _close(self) -> None:
        self._stop_clock()
        self._client = None
        self._held.close()

    def _stop_clock(self) -> None:
        if self._clock:
            self._clock.cancel()
            self._clock = None
