"""Who may call: loopback only without a token, a token elsewhere; never a page of another site.

A browser sends `Origin` with what other sites make it do, and `Host` with the name it was lured by; neither may be
foreign. Bodies are bounded.
"""

from __future__ import annotations

import hmac
from urllib.parse import urlsplit

from fastapi import Request, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pluto_duck_backend.app.api.problems import problem

MAX_BODY = 1_000_000
_LOOPBACK = {"127.0.0.1", "localhost", "::1", "[::1]"}
_OPEN = {"/health"}


class Safety:
    """ASGI middleware; `token` empty: none is asked for, but only loopback names are served."""

    def __init__(self, app: ASGIApp, token: str = "") -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(Request(scope))
        if refusal:
            await refusal(scope, receive, send)
            return
        await self._app(scope, _bounded(receive), send)

    def _refusal(self, request: Request) -> Response | None:
        if int(request.headers.get("content-length") or 0) > MAX_BODY:
            return problem(413, "body_too_large", f"The body has more than {MAX_BODY:,} bytes.")
        if not self._token and _host(request.headers.get("host", "")) not in _LOOPBACK:
            return problem(403, "foreign_host", f"Host {request.headers.get('host')!r} is not served without a token.")
        if request.method not in ("GET", "HEAD", "OPTIONS") and _foreign(request):
            return problem(403, "foreign_origin", f"Origin {request.headers['origin']!r} may not change anything here.")
        return self._unauthorized(request)

    def _unauthorized(self, request: Request) -> Response | None:
        if not self._token or request.url.path in _OPEN:
            return None
        said = request.headers.get("authorization", "").removeprefix("Bearer ").encode()
        if hmac.compare_digest(said, self._token.encode()):
            return None
        return problem(
            401,
            "unauthorized",
            "This server wants a token.",
            hint="Send `Authorization: Bearer <token>`.",
            headers={"WWW-Authenticate": "Bearer"},
        )


def _host(text: str) -> str:
    return text.rsplit(":", 1)[0] if text.count(":") == 1 or (text.startswith("[") and "]:" in text) else text


def _foreign(request: Request) -> bool:
    origin = request.headers.get("origin")
    return bool(origin) and urlsplit(origin or "").netloc != request.headers.get("host")


def _bounded(receive: Receive) -> Receive:
    """`receive`, cut off after MAX_BODY bytes whatever the client announced; cut JSON is then refused as such."""
    seen = 0

    async def bounded() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > MAX_BODY:
            return {"type": "http.request", "body": b"", "more_body": False}
        return message

    return bounded
