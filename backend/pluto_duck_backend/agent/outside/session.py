"""One session with an MCP server, from its handshake to its end; it lives on the loop, in a task of its own.

The library's context must be left by the task that entered it, so the task holds it open and others only call. The
library takes time to import, so that is done when the first server is connected.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from typing import TYPE_CHECKING, Any

from pluto_duck_backend.agent.outside.server import Server

if TYPE_CHECKING:
    from mcp.client import Client
    from mcp_types import Tool

_MOST_PAGES = 10
_SAID = 500
#   characters kept of what a program wrote to stderr last


class Session:
    """Begun with `start`, over with `end` or with its server."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._begun: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._ending = asyncio.Event()
        self._said = ""
        self._task = asyncio.create_task(self._hold())

    async def start(self, within_s: float) -> Client:
        """The client when hands are shaken. Raises what that fails with, TimeoutError after `within_s`."""
        try:
            return await asyncio.wait_for(asyncio.shield(self._begun), within_s)
        except BaseException:
            self._task.cancel()
            raise

    @property
    def said(self) -> str:
        """The last of what the program wrote to stderr."""
        return " ".join(self._said.split())[-_SAID:]

    def end(self) -> None:
        """Over, also where hands are not shaken yet: who waits for that is told."""
        self._ending.set()
        if not self._begun.done():
            self._task.cancel()

    async def ended(self, within_s: float) -> None:
        """End, and wait until its program has gone, but no longer than `within_s`."""
        self.end()
        await asyncio.wait([self._task], timeout=within_s)

    async def _hold(self) -> None:
        try:
            async with contextlib.AsyncExitStack() as stack:
                self._begun.set_result(await self._entered(stack))
                await self._ending.wait()
        except BaseException as error:  # noqa: BLE001
            # told to who waits; once it has begun, what its end fails with matters to nobody
            if self._begun.done():
                return
            self._begun.set_exception(error if isinstance(error, Exception) else ConnectionError("given up"))
            self._begun.exception()  # who waited may be gone

    async def _entered(self, stack: contextlib.AsyncExitStack) -> Client:
        from mcp.client import Client

        transport = await self._program(stack) if self._server.command else await self._address(stack)
        return await stack.enter_async_context(Client(transport))

    async def _program(self, stack: contextlib.AsyncExitStack) -> Any:
        from mcp.client.stdio import StdioServerParameters, stdio_client

        command, *words = self._server.command
        asked = StdioServerParameters(
            command=command, args=words, env=self._server.handed(), encoding_error_handler="replace"
        )
        return stdio_client(asked, errlog=stack.enter_context(self._hearing()))

    @contextlib.contextmanager
    def _hearing(self) -> Any:
        """A file for the program's stderr, of which the last is kept."""
        ours, its = os.pipe()
        os.set_blocking(ours, False)
        asyncio.get_running_loop().add_reader(ours, self._hear, ours)
        try:
            with os.fdopen(its, "w") as file:
                yield file
        finally:
            self._hear(ours)
            asyncio.get_running_loop().remove_reader(ours)
            os.close(ours)

    def _hear(self, ours: int) -> None:
        with contextlib.suppress(BlockingIOError):
            heard = os.read(ours, 65_536)
            self._said = (self._said + heard.decode(errors="replace"))[-4 * _SAID :]
            if not heard:
                asyncio.get_running_loop().remove_reader(ours)

    async def _address(self, stack: contextlib.AsyncExitStack) -> Any:
        import httpx2
        from mcp.client.streamable_http import streamable_http_client

        patience = httpx2.Timeout(self._server.timeout_s)
        http = httpx2.AsyncClient(headers=self._server.handed(), timeout=patience)
        return streamable_http_client(self._server.url, http_client=await stack.enter_async_context(http))


async def listed(client: Client) -> list[Tool]:
    """Its tools, page by page; no more than so many pages."""
    found, cursor = list["Tool"](), None
    for _ in range(_MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        found += page.tools
        cursor = page.next_cursor
        if cursor is None:
            break
    return found
