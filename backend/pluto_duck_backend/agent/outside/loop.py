"""The event loop on which MCP servers are spoken to, in a thread of its own; other threads wait for its work here."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import CancelledError
from functools import cache
from typing import Any, TypeVar

from pluto_duck_backend.agent.cancel import CancelToken
from pluto_duck_backend.app.core.errors import EnvironmentFault

Found = TypeVar("Found")
_first = threading.Lock()


def loop() -> asyncio.AbstractEventLoop:
    """The one loop; sessions live on it. Several threads may be the first to want it."""
    with _first:
        return _made()


@cache
def _made() -> asyncio.AbstractEventLoop:
    made = asyncio.new_event_loop()
    threading.Thread(target=made.run_forever, name="mcp servers", daemon=True).start()
    return made


def wait(work: Coroutine[Any, Any, Found], token: CancelToken) -> Found:
    """What `work` finds. Raises what it raises, or the token's reason as soon as that is given."""
    future = asyncio.run_coroutine_threadsafe(work, loop())
    with token.interrupting(future.cancel):
        try:
            return future.result()
        except CancelledError:
            token.check()
            raise let_go() from None


def let_go() -> EnvironmentFault:
    return EnvironmentFault("The server was let go of meanwhile.", code="server_away", retryable=True)
