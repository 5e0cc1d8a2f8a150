"""Where tools and resources get the client that does their work: one per session, or one per caller; calls of actions.

The work runs in threads of its own number: in a server it makes calls that need the server's, so it may not hold those.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread
from anyio.lowlevel import EventLoopToken, current_token
from mcp.server.mcpserver import Context

from pluto_duck_backend.app.core.errors import NotFound
from pluto_duck_cli.client import Client

_THREADS = 100
Found = TypeVar("Found")


class Clients(Protocol):
    """A source of clients."""

    def client(self) -> contextlib.AbstractContextManager[Client]: ...


class Threads:
    """Work with a client, away from the event loop."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients
        self._limiter = anyio.CapacityLimiter(_THREADS)

    async def work(self, do: Callable[[Client], Found]) -> Found:
        """What `do` finds. A call that is cancelled does not wait for it."""

        def called() -> Found:
            with self._clients.client() as client:
                return do(client)

        return await anyio.to_thread.run_sync(called, abandon_on_cancel=True, limiter=self._limiter)

    async def finish(self, do: Callable[[Client], object]) -> None:
        """Do it, also while the call is being cancelled."""
        with anyio.CancelScope(shield=True):
            await self.work(do)


class Calling:
    """One call of a tool: actions are done for it, with their progress told; where it is cancelled, they are."""

    def __init__(self, threads: Threads, context: Context[Any, Any]) -> None:
        self.context = context
        self._threads = threads
        self._told = 0
        self._call_id = ""
        self._is_over = False

    async def call(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """An action's `{content, details, error}`. Raises PlutoDuckError for what was never begun."""
        return await self.act({"name": name, "arguments": arguments})

    async def act(self, request: dict[str, Any]) -> dict[str, Any]:
        """The same of a request with more in it: `agent`, `approved`."""
        loop = current_token()
        try:
            return await self._threads.work(lambda client: self._done(client, request, loop))
        except anyio.get_cancelled_exc_class():
            self._is_over = True
            if self._call_id:
                await self._threads.finish(partial(_cancel, self._call_id))
            raise

    def _done(self, client: Client, request: dict[str, Any], loop: EventLoopToken) -> dict[str, Any]:
        return client.act(request, begun=partial(self._begun, client), tell=partial(self._tell, loop))

    def _begun(self, client: Client, call_id: str) -> None:
        self._call_id = call_id
        if self._is_over:  # cancelled before there was a call to cancel
            _cancel(call_id, client)

    def _tell(self, loop: EventLoopToken, message: str) -> None:
        """Called in whatever thread does the action."""
        if not self._is_over:
            self._told += 1
            report = partial(self.context.report_progress, self._told, message=message)
            anyio.from_thread.run(report, token=loop)


def _cancel(call_id: str, client: Client) -> None:
    with contextlib.suppress(NotFound):  # it has ended meanwhile
        client.cancel_call(call_id)
