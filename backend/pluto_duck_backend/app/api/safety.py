"""Who may call: loopback only without a token, a token elsewhere; never a page of another site.

A browser sends `Origin` with what other sites make it do, and `Host` with the name it was lured by; neither may be
foreign. The page, its assets and the OpenAPI document hold nothing secret, so that a browser can load them and ask
its user for the token. Each token may call so often. Bodies are bounded, and read whole before a route sees them.
"""

from __future__ import annotations

import math
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pluto_duck_backend.app.api.callers import Callers
from pluto_duck_backend.app.api.problems import of_error, problem
from pluto_duck_backend.app.api.rates import RateLimit
from pluto_duck_backend.app.api.uploads import UPLOAD_PATH
from pluto_duck_backend.app.core.errors import EnvironmentFault
from pluto_duck_backend.app.core.principal import OWNER, Principal

MAX_BODY = 1_000_000
_LOOPBACK = {"127.0.0.1", "localhost", "::1", "[::1]"}
CARD_PATH = "/.well-known/agent-card.json"
_OPEN = {"/", "/health", "/docs", "/openapi.json", CARD_PATH}
_OPEN_FOLDER = "/web/"
MCP_PATH = "/mcp"
_READS = ("GET", "HEAD", "OPTIONS")


class Safety:
    """ASGI middleware. Where no token is asked for, only loopback names are served; the owner may call at any rate.

    A route finds who asks in `who_asks(request)`.
    """

    def __init__(self, app: ASGIApp, callers: Callers, rates: RateLimit) -> None:
        self._app = app
        self._callers = callers
        self._rates = rates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        refusal = self._refusal(request)
        if refusal:
            await refusal(scope, receive, send)
            return
        if scope["path"] == UPLOAD_PATH:  # a file is written as it arrives, under a bound of its own
            await self._app(scope, receive, send)
            return
        body = await _body(receive)
        if body is None:
            await _too_large(scope["path"])(scope, receive, send)
            return
        await self._app(scope, _replay(body, receive), send)

    def _refusal(self, request: Request) -> Response | None:
        """The answer to who may not call; else the request's state says who calls."""
        path = request.url.path
        try:
            who = self._callers.who(request.headers.get("authorization", ""))
            foreign = self._foreign(request)
        except EnvironmentFault as error:
            return of_error(error, path)
        request.state.who, request.state.asks_for_token = who, self._callers.need_token
        if foreign or path in _OPEN or path.startswith(_OPEN_FOLDER):
            return foreign
        return self._too_often(who, path) if who else _unauthorized(path)

    def _foreign(self, request: Request) -> Response | None:
        path, host = request.url.path, request.headers.get("host", "")
        if not self._callers.need_token and _host(host) not in _LOOPBACK:
            return problem(
                403,
                "foreign_host",
                f"Host {host!r} is not served without a token.",
                hint="Call http://127.0.0.1 or http://localhost, or start the server with a token.",
                instance=path,
            )
        if (request.method not in _READS or path == MCP_PATH) and _foreign(request):
            detail = f"Origin {request.headers['origin']!r} may not change anything here."
            return problem(403, "foreign_origin", detail, hint="Call from the server's own page.", instance=path)
        return None

    def _too_often(self, who: Principal, path: str) -> Response | None:
        wait = 0.0 if who is OWNER else self._rates.wait_s(who.name)
        return _too_many_calls(who, math.ceil(wait), path) if wait else None


def who_asks(request: Request) -> Principal:
    """Who a request that passed `Safety` comes from."""
    who: Principal = request.state.who
    return who


Who = Annotated[Principal, Depends(who_asks)]


def _unauthorized(path: str) -> Response:
    return problem(
        401,
        "unauthorized",
        "This server wants a token.",
        hint="Send `Authorization: Bearer <token>`.",
        headers={"WWW-Authenticate": "Bearer"},
        instance=path,
    )


def _too_many_calls(who: Principal, wait_s: int, path: str) -> Response:
    return problem(
        429,
        "too_many_calls",
        f"{who.name!r} calls more often than server.calls_per_minute allows.",
        hint=f"Call again in {wait_s} s.",
        headers={"Retry-After": str(wait_s)},
        retryable=True,
        instance=path,
    )


def _host(text: str) -> str:
    return text.rsplit(":", 1)[0] if text.count(":") == 1 or (text.startswith("[") and "]:" in text) else text


def _foreign(request: Request) -> bool:
    origin = request.headers.get("origin")
    try:
        return bool(origin) and urlsplit(origin or "").netloc != request.headers.get("host")
    except ValueError:  # http://[ is nobody's
        return True


def _too_large(path: str) -> Response:
    detail = f"The body has more than {MAX_BODY:,} bytes."
    return problem(413, "body_too_large", detail, hint="Large data goes in as files, by /ingest.", instance=path)


async def _body(receive: Receive) -> list[Message] | None:
    """The messages of the whole request body; None where it exceeds MAX_BODY, whatever length was announced."""
    messages: list[Message] = []
    seen = 0
    while True:
        message = await receive()
        messages.append(message)
        seen += len(message.get("body", b""))
        if seen > MAX_BODY:
            return None
        if not message.get("more_body", False):
            return messages


def _replay(messages: list[Message], receive: Receive) -> Receive:
    """`messages` again, then what comes after them (the client's going away)."""
    left = iter(messages)

    async def replayed() -> Message:
        return next(left, None) or await receive()

    return replayed
