"""Event logs as server-sent events: a reader is a position, and a reconnect goes on where it stopped.

Frames are encoded once, when the event is appended, and written as many at a time as there are.
"""

from __future__ import annotations

from fastapi import Request, Response
from sse_starlette import EventSourceResponse

from pluto_duck_backend.agent.event_log import EventLog
from pluto_duck_backend.app.api.openapi import Documented, bytes_of, documented
from pluto_duck_backend.app.core.errors import InvalidInput

PING_S = 15
GOODBYE_S = 9
"""Seconds that readers of a server asked to stop wait for the last event of what it ends."""


def documented_stream() -> Documented:
    """The `responses` of an event stream."""
    return documented(404) | {200: bytes_of("text/event-stream"), 204: {"description": "The end has been seen."}}


def follow(request: Request, log: EventLog, after: int | None) -> Response:
    """The events after `Last-Event-ID` (or `after`); 204 where the reader has already seen the end."""
    position = _position(request.headers.get("last-event-id"), after)
    if log.ended and position >= log.last_seq:
        return Response(status_code=204)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return EventSourceResponse(log.afollow(position), ping=PING_S, headers=headers, shutdown_grace_period=GOODBYE_S)


def _position(header: str | None, after: int | None) -> int:
    text = header if header is not None else str(after or 0)
    if not (text.isascii() and text.isdecimal() and len(text) <= 16):
        raise InvalidInput(
            f"Last-Event-ID {text[:40]!r} is no event number.",
            code="bad_event_id",
            hint="Send the `id:` of the last event you saw, or nothing to begin at the first.",
        )
    return int(text)
