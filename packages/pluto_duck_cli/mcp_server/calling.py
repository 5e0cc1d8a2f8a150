"""Where tools and resources get the client that does their work: one per session, or one per caller.

The work runs in threads of its own number: in a server it makes calls that need the server's, so it may not hold those.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Protocol, TypeVar

import anyio
import anyio.to_thread

from pluto_duck_cli.client import Client

_THREADS = 100
Found = TypeVar("Found")


class Calling(Protocol):
    """A source of clients."""

    def client(self) -> contextlib.AbstractContextManager[Client]: ...


class Threads:
    """Work with a client, away from the event loop."""

    def __init__(self, calling: Calling) -> None:
        self._calling = calling
        self._limiter = anyio.CapacityLimiter(_THREADS)

    async def work(self, do: Callable[[Client], Found]) -> Found:
        """What `do` finds. A call that is cancelled does not wait for it."""

        def called() -> Found:
            with self._calling.client() as client:
                return do(client)

        return await anyio.to_thread.run_sync(called, abandon_on_cancel=True, limiter=self._limiter)

    async def finish(self, do: Callable[[Client], object]) -> None:
        """Do it, also while the call is being cancelled."""
        with anyio.CancelScope(shield=True):
            await self.work(do)
