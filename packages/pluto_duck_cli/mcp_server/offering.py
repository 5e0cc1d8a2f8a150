"""What the protocol's server offers, whatever carries it."""

from __future__ import annotations

from typing import Any

from mcp.server.mcpserver import MCPServer

from pluto_duck_backend import __version__
from pluto_duck_cli.mcp_server import prompts, resources, tools
from pluto_duck_cli.mcp_server.calling import Clients, Threads
from pluto_duck_cli.mcp_server.outside import WithOutsideTools

_INSTRUCTIONS = (
    "Pluto-Duck answers questions about the user's own data, in a DuckDB warehouse. Prefer `ask`: each answer names "
    "the query that ran. For SQL of your own look at `schema` and `values` first, then use `query`, which only reads."
)


def build(
    clients: Clients,
    provider: str | None = None,
    model: str | None = None,
    *,
    agent: str | None = None,
    asks_each: bool = False,
    writes: bool = False,
) -> MCPServer[Any]:
    """The server with everything it offers; with `writes` also the tools that load data, run dbt or change what is
    outside. The tools from outside are those of `agent`, or where it `asks_each` those of the caller's.
    """
    server = WithOutsideTools(
        "pluto-duck",
        title="Pluto-Duck",
        description="Ask your data in plain words, get an answer you can check.",
        instructions=_INSTRUCTIONS,
        version=__version__,
        log_level="WARNING",
    )
    threads = Threads(clients)
    server.threads, server.agent, server.asks_each, server.writes = threads, agent, asks_each, writes
    said = {"provider": provider, "model": model, **({"agent": agent} if agent else {})}
    tools.add(server, threads, said, writes=writes)
    resources.add(server, threads)
    prompts.add(server)
    return server
