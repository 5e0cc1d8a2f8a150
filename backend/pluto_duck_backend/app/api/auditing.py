"""Writes into the audit log what callers of the server change, and what they are refused.

Calls of actions are written by their names, where they are done; tools of /mcp are such calls, and messages of the
protocol are not written.
"""

from __future__ import annotations

import logging

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pluto_duck_backend.app.api.safety import MCP_PATH
from pluto_duck_backend.app.core.errors import EnvironmentFault
from pluto_duck_backend.app.core.principal import Principal
from pluto_duck_backend.app.services.execution.audit import Audit

_READS = ("GET", "HEAD", "OPTIONS")
_WRITTEN_ELSEWHERE = (MCP_PATH, "/api/v1/actions")
_logger = logging.getLogger(__name__)


class Audited:
    """ASGI middleware inside `Safety`, which says who calls."""

    def __init__(self, app: ASGIApp, audit: Audit) -> None:
        self._app = app
        self._audit = audit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        who: Principal | None = scope.get("state", {}).get("who")
        if scope["type"] != "http" or who is None or scope["path"] in _WRITTEN_ELSEWHERE:
            await self._app(scope, receive, send)
            return

        async def audited(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._write(who, scope, message["status"])
            await send(message)

        await self._app(scope, receive, audited)

    def _write(self, who: Principal, scope: Scope, status: int) -> None:
        """What has been done is not undone where the log cannot be written; the server's own log says so."""
        if scope["method"] in _READS and status != 403:
            return
        try:
            self._audit.call(who, f"{scope['method']} {scope['path']}", status)
        except EnvironmentFault as error:
            _logger.error("%s %s by %s is not in the audit log: %s", scope["method"], scope["path"], who.name, error)
