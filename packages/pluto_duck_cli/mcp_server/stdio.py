"""The server of one session, over stdin and stdout.

stdout carries the protocol and nothing else: the library moves the descriptor away while it serves, and what anything
prints goes to stderr.
"""

from __future__ import annotations

from functools import partial

from pluto_duck_backend.app.core.config import Settings
from pluto_duck_cli.client import connect
from pluto_duck_cli.mcp_server.lease import Lease
from pluto_duck_cli.mcp_server.offering import build


def serve(
    settings: Settings,
    provider: str | None = None,
    model: str | None = None,
    *,
    agent: str | None = None,
    writes: bool = False,
) -> None:
    """Serve until stdin ends."""
    lease = Lease(partial(connect, settings))
    try:
        build(lease, provider, model, agent=agent, writes=writes).run("stdio")
    finally:
        lease.close()
