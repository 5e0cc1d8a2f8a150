"""A server that is connected when it is first used, and again after it has gone; the border of the protocol's library.

After a crash it is started again at once; where that does not help, after pauses that double up to a minute, within
which calls fail without waiting. A call that changes something is not repeated: it may have been done.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from pluto_duck_backend.agent.cancel import CancelToken
from pluto_duck_backend.agent.outside.away import ServerAway
from pluto_duck_backend.agent.outside.loop import let_go, loop, wait
from pluto_duck_backend.agent.outside.server import Server
from pluto_duck_backend.agent.outside.session import Session, listed
from pluto_duck_backend.app.core.errors import PlutoDuckError, QueryFailed

if TYPE_CHECKING:
    from mcp.client import Client
    from mcp_types import CallToolResult, Tool

_CONNECT_S = 20.0
_CLOSE_S = 10.0
_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 60.0
_TOLD = 300
Found = TypeVar("Found")


class Connection:
    """Thread-safe. `name`: what errors call the server."""

    def __init__(self, name: str, server: Server) -> None:
        self._name = name
        self.server = server
        self._session: Session | None = None
        self._connecting = asyncio.Lock()
        self._is_closed = False
        self._failures = 0
        self._not_before = 0.0
        self._why = ""

    def tools(self, token: CancelToken) -> list[Tool]:
        """What it offers now. Raises EnvironmentFault where it is away."""
        return wait(self._asked(lambda client: asyncio.wait_for(listed(client), _CONNECT_S), again=True), token)

    def call(
        self,
        tool: str,
        arguments: dict[str, Any],
        token: CancelToken,
        tell: Callable[[str], None],
        *,
        again: bool,
    ) -> CallToolResult:
        """What a tool gives; `again`: a call that its server's end cut off is made once more.

        Raises EnvironmentFault where it is away, QueryFailed where it refuses the call.
        """

        async def progress(progress: float, total: float | None, message: str | None) -> None:
            if message:
                tell(_short(message))

        async def work(client: Client) -> CallToolResult:
            return await client.call_tool(tool, arguments, progress_callback=progress)

        return wait(self._asked(work, again=again), token)

    def close(self) -> None:
        """Let go of it for good; its program ends."""
        asyncio.run_coroutine_threadsafe(self._ended(), loop()).result()

    async def _ended(self) -> None:
        """On the loop, as all that changes the session: what it awaits finds one session or the other."""
        self._is_closed = True
        session, self._session = self._session, None
        if session:
            await session.ended(_CLOSE_S)

    async def _asked(self, work: Callable[[Client], Awaitable[Found]], *, again: bool) -> Found:
        while True:
            session, client = await self._connected()
            try:
                found = await work(client)
            except Exception as error:
                if not _is_gone(error):
                    raise self._refused(error) from error
                is_first = self._failures == 0
                self._failed(session, error)
                if not again:
                    raise self._cut_off() from error
                if not is_first:
                    raise self._away() from error
            else:
                self._failures = 0
                return found

    async def _connected(self) -> tuple[Session, Client]:
        async with self._connecting:
            session = self._session or await self._begun()
            return session, await session.start(_CONNECT_S)

    async def _begun(self) -> Session:
        if self._is_closed:
            raise let_go()
        if self._not_before > time.monotonic():
            raise self._away()
        session = self._session = Session(self.server)
        try:
            await session.start(_CONNECT_S)
        except Exception as error:
            self._failed(session, error)
            raise (let_go() if self._is_closed else self._away()) from error
        return session

    def _failed(self, session: Session, error: BaseException) -> None:
        """Give the session up; the first time it is begun anew at once, then after growing pauses."""
        if session is not self._session:
            return  # another call has seen it before
        session.end()
        self._session = None
        self._why = _short(f"{_reason(error)}{f'; it said: {session.said}' if session.said else ''}")
        self._failures += 1
        pause = _FIRST_PAUSE_S * 2 ** (self._failures - 2) if self._failures > 1 else 0.0
        self._not_before = time.monotonic() + min(pause, _LONGEST_PAUSE_S)

    def _away(self) -> PlutoDuckError:
        wait_s = max(0.0, self._not_before - time.monotonic())
        hint = "Look whether it runs: it is the agent's file that names it."
        return ServerAway(
            f"The MCP server {self._name} is away",
            self._why,
            code="server_down",
            hint=f"{hint} It is tried again after {wait_s:.1f} s." if wait_s else hint,
            retryable=True,
        )

    def _cut_off(self) -> PlutoDuckError:
        return ServerAway(
            f"The MCP server {self._name} went away in the middle of a call",
            self._why,
            code="call_cut_off",
            hint="What it was to do may have been done: look there before it is called again.",
        )

    def _refused(self, error: Exception) -> PlutoDuckError:
        return QueryFailed(
            f"The MCP server {self._name} refused the call: {_short(_reason(error))}.",
            code="tool_failed",
            hint="Compare the arguments with the tool's input_schema.",
        )


def _is_gone(error: Exception) -> bool:
    """Whether the session is over, rather than the call refused."""
    from mcp.shared.exceptions import MCPError
    from mcp_types import CONNECTION_CLOSED

    if not isinstance(error, MCPError):
        return isinstance(error, OSError)
    return error.error.code == CONNECTION_CLOSED or error.error.message == "Session terminated"


def _reason(error: BaseException) -> str:
    """In words, of the first error where there are several."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, TimeoutError):
        return "it did not answer in time"
    return str(error) or type(error).__name__


def _short(text: str) -> str:
    """Text of others: on one line, quoted, and not long."""
    line = " ".join(text.split())
    return json.dumps(line[:_TOLD] + ("…" if len(line) > _TOLD else ""), ensure_ascii=False)
