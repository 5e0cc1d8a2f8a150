"""The server of one session, over stdin and stdout.

stdout carries the protocol and nothing else: the library moves the descriptor away while it serves, and what anything
prints goes to stderr.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from mcp.server.mcpserver import MCPServer

from pluto_duck_backend import __version__
from pluto_duck_backend.app.core.config import Settings
from pluto_duck_cli.client import connect
from pluto_duck_cli.mcp_server import resources, tools
from pluto_duck_cli.mcp_server.lease import Lease

_INSTRUCTIONS = (
    "Pluto-Duck answers questions about the user's own data, in a DuckDB warehouse. Prefer `ask`: each answer names "
    "the query that ran. For SQL of your own look at `schema` and `values` first, then use `query`, which only reads."
)


def serve(settings: Settings, provider: str | None = None, model: str | None = None) -> None:
    """Serve until stdin ends."""
    lease = Lease(partial(connect, settings))
    try:
        build(lease, provider, model).run("stdio")
    finally:
        lease.close()


def build(lease: Lease, provider: str | None = None, model: str | None = None) -> MCPServer[Any]:
    """The server with everything it offers."""
    server: MCPServer[Any] = MCPServer(
        "pluto-duck",
        title="Pluto-Duck",
        description="Ask your data in plain words, get an answer you can check.",
        instructions=_INSTRUCTIONS,
        version=__version__,
        log_level="WARNING",
    )
    tools.add(server, lease, provider, model)
    resources.add(server, lease)
    return server
