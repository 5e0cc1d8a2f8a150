"""Counts the requests that a server answers, by the route's template and the status."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pluto_duck_backend.app.core import counts

_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_API = "/api/v1"
_NO_ROUTE = "none"


class Counted:
    """ASGI middleware around all others, so that what they refuse is counted too."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                counts.REQUESTS.add(method_of(scope), template_of(scope), str(message["status"]))
            await send(message)

        await self._app(scope, receive, counted if scope["type"] == "http" else send)


def method_of(scope: Scope) -> str:
    """One of a small set."""
    return scope["method"] if scope["method"] in _METHODS else "other"


def template_of(scope: Scope) -> str:
    """The route as the document spells it; a path that no route was found for is what somebody typed."""
    path = getattr(scope.get("route"), "path_format", None)
    if path is None:
        return _NO_ROUTE
    below = scope["path"].startswith(f"{_API}/") and not path.startswith(f"{_API}/")
    return f"{_API}{path}" if below else str(path)
