"""Requests that wait for long work: in threads of their own, and given up when the client goes away.

The threads that answer short requests are few; work that takes minutes must not hold them.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import TypeVar

import anyio
from fastapi import Request
from starlette.concurrency import run_in_threadpool

from pluto_duck_backend.app.core.errors import NotFound

_AT_ONCE = 64
T = TypeVar("T")


class Waiter:
    """At most 64 waiting requests; further ones queue without holding a thread."""

    def __init__(self) -> None:
        self._limiter: anyio.CapacityLimiter | None = None

    async def long(self, request: Request, work: Callable[[], T], *, abandoned: Callable[[], None]) -> T:
        """What `work` returns or raises; `abandoned` is called where the client hangs up before."""
        watch = asyncio.create_task(_when_gone(request, abandoned))
        try:
            return await self.run(work)
        finally:
            watch.cancel()

    async def run(self, work: Callable[[], T]) -> T:
        """What `work` returns or raises, whoever goes away."""
        self._limiter = self._limiter or anyio.CapacityLimiter(_AT_ONCE)
        return await anyio.to_thread.run_sync(work, limiter=self._limiter)


async def _when_gone(request: Request, abandoned: Callable[[], None]) -> None:
    """The body has been read, so the next message is the end of the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        continue
    with contextlib.suppress(NotFound):  # the work had not begun
        await run_in_threadpool(abandoned)
