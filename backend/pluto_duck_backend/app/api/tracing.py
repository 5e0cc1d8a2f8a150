"""ASGI middleware around all others: what a request's work logs has its trace id, which problems tell, too.

Where spans are sent each request is one, within its caller's by the header `traceparent`. What is handed on in calls to
ourselves stands in the request's state.
"""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pluto_duck_backend.app.api.counting import method_of, template_of
from pluto_duck_backend.app.core import logs, spans
from pluto_duck_backend.app.core.spans import Span


class Traced:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The id stays when this returns: what nobody caught is told outside of all middleware."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        logs.begin_trace(Headers(scope=scope).get("traceparent", ""))
        method = method_of(scope)
        with spans.span(method, {"http.request.method": method}, kind="server") as span:
            scope.setdefault("state", {})["traceparent"] = spans.traceparent() or logs.traceparent()
            await self._app(scope, receive, _telling(scope, send, span))


def _telling(scope: Scope, send: Send, span: Span) -> Send:
    """`send`, which tells the span how the request is answered; of its path only the route."""

    async def told(message: Message) -> None:
        if message["type"] == "http.response.start":
            route, status = template_of(scope), message["status"]
            span.rename(f"{method_of(scope)} {route}")
            span.tell({"http.route": route, "http.response.status_code": status})
            if status >= 500:
                span.fail(str(status))
        await send(message)

    return told
