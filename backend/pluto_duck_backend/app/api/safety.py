"""Who may call: loopback only without a token, a token elsewhere; never a page of another site.

A browser sends `Origin` with what other sites make it do, and `Host` with the name it was lured by; neither may be
foreign. The page, its assets and the OpenAPI document hold nothing secret, so that a browser can load them and ask
its user for the token. Bodies are bounded, and read whole before a route sees them.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pluto_duck_backend.app.api.problems import problem
from pluto_duck_backend.app.api.uploads import UPLOAD_PATH
from pluto_duck_backend.app.core.principal import OWNER, Principal

MAX_BODY = 1_000_000
_LOOPBACK = {"127.0.0.1", "localhost", "::1", "[::1]"}
_OPEN = {"/", "/health", "/docs", "/openapi.json"}
_OPEN_FOLDER = "/web/"


class Safety:
    """ASGI middleware; `tokens` empty: none is asked for, but only loopback names are served.

    A route finds who asks in `who_asks(request)`.
    """

    def __init__(self, app: ASGIApp, tokens: Mapping[str, Principal]) -> None:
        self._app = app
        self._tokens = tokens

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        who = self._who(request)
        refusal = self._refusal(request, who)
        scope.setdefault("state", {})["who"] = who
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

    def _refusal(self, request: Request, who: Principal | None) -> Response | None:
        path, host = request.url.path, request.headers.get("host", "")
        if not self._tokens and _host(host) not in _LOOPBACK:
            return problem(
                403,
                "foreign_host",
                f"Host {host!r} is not served without a token.",
                hint="Call http://127.0.0.1 or http://localhost, or start the server with a token.",
                instance=path,
            )
        if request.method not in ("GET", "HEAD", "OPTIONS") and _foreign(request):
            detail = f"Origin {request.headers['origin']!r} may not change anything here."
            return problem(403, "foreign_origin", detail, hint="Call from the server's own page.", instance=path)
        return None if who or path in _OPEN or path.startswith(_OPEN_FOLDER) else _unauthorized(path)

    def _who(self, request: Request) -> Principal | None:
        """Who the token stands for; None: nobody. Every token is compared, so that time tells nothing."""
        if not self._tokens:
            return OWNER
        scheme, _, said = request.headers.get("authorization", "").partition(" ")
        given = said.strip().encode() if scheme.lower() == "bearer" else b""
        matching = [who for token, who in self._tokens.items() if hmac.compare_digest(given, token.encode())]
        return matching[0] if matching and given else None


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


def _host(text: str) -> str:
    return text.rsplit(":", 1)[0] if text.count(":") == 1 or (text.startswith("[") and "]:" in text) else text


def _foreign(request: Request) -> bool:
    origin = request.headers.get("origin")
    return bool(origin) and urlsplit(origin or "").netloc != request.headers.get("host")


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
