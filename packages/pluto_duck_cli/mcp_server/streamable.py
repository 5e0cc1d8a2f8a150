"""The protocol over streamable HTTP, at `/mcp` of a server.

Each tool and resource calls the server's own HTTP API with the caller's token: what a role, rights and rates allow
there is what they allow here. The server has checked token, Host and Origin before a request comes this far.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Iterator
from contextvars import ContextVar
from typing import Any

import anyio
import anyio.abc
import anyio.to_thread
from starlette.types import ASGIApp, Receive, Scope, Send

from pluto_duck_backend.app.core.owner import Owner
from pluto_duck_cli.client import Client
from pluto_duck_cli.http_client import HttpClient

_caller: ContextVar[tuple[Owner, str]] = ContextVar("the server as this message's caller reaches it, and its trace")


class PerCaller:
    """A client with the token of whoever the message at hand came from."""

    @contextlib.contextmanager
    def client(self) -> Iterator[Client]:
        client = HttpClient(*_caller.get())
        try:
            yield client
        finally:
            client.close()


class Streamable:
    """ASGI application. The protocol's library is loaded by the first request; `running` must hold meanwhile."""

    def __init__(self) -> None:
        self._tasks: anyio.abc.TaskGroup | None = None
        self._app: ASGIApp | None = None
        self._starting = anyio.Lock()

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Sessions live within this, and end with it."""
        async with anyio.create_task_group() as self._tasks:
            yield
            self.stop()

    def stop(self) -> None:
        """End all sessions and their streams."""
        if self._tasks:
            self._tasks.cancel_scope.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._starting:
            if self._app is None and self._tasks:
                self._app = await self._tasks.start(self._run)
        if self._app:
            await self._app(scope, receive, send)

    async def _run(self, *, task_status: anyio.abc.TaskStatus[ASGIApp]) -> None:
        sessions, app = await anyio.to_thread.run_sync(_build)
        async with sessions.run():
            task_status.started(app)
            await anyio.sleep_forever()


def _build() -> tuple[Any, ASGIApp]:
    from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from pluto_duck_cli.mcp_server.offering import build

    server = build(PerCaller(), asks_each=True, writes=True)  # each call is held to its role by the API
    server.middleware.append(_know_caller)
    sessions = StreamableHTTPSessionManager(server._lowlevel_server)
    return sessions, _Named(AuthContextMiddleware(sessions.handle_request))


async def _know_caller(ctx: Any, call_next: Any) -> Any:
    """The library's middleware: each message of a session carries token and trace that it was sent with."""
    request = ctx.request
    host, port = request.scope["server"][:2]
    token = request.headers.get("authorization", "").partition(" ")[2].strip()
    server = Owner(0, "mcp", f"http://{f'[{host}]' if ':' in host else host}:{port}", token)
    kept = _caller.set((server, request.scope["state"]["traceparent"]))
    try:
        return await call_next(ctx)
    finally:
        _caller.reset(kept)


class _Named:
    """Tells the library who calls, so that nobody goes on with another's session or state."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
        from mcp.server.auth.provider import AccessToken

        name = scope["state"]["who"].name
        user = AuthenticatedUser(AccessToken(token="", client_id=name, scopes=[]))
        await self._app({**scope, "user": user}, receive, send)
