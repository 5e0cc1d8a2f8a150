"""What can be read by address: the schema, the runs, a run with its events."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError

from pluto_duck_backend.app.core.errors import NotFound, PlutoDuckError
from pluto_duck_cli.client import Client
from pluto_duck_cli.mcp_server.calling import Threads

_RUNS = 50
_JSON = "application/json"


def add(server: MCPServer[Any], threads: Threads) -> None:
    """Every resource, on `server`."""

    @server.resource("pluto-duck://schema", title="Tables and columns", mime_type=_JSON)
    async def schema() -> str:
        """Tables with columns, types, keys, comments and row counts."""
        return await _read(threads, lambda client: client.schema())

    @server.resource("pluto-duck://schema/{table}", title="One table", mime_type=_JSON)
    async def table(table: str) -> str:
        """One table (`name` or `schema.name`) with statistics."""
        return await _read(threads, lambda client: client.schema(table))

    @server.resource("pluto-duck://runs", title="The last runs", mime_type=_JSON)
    async def runs() -> str:
        """The last questions, newest first, and how each ended."""
        return await _read(threads, lambda client: {"runs": client.runs(_RUNS)})

    @server.resource("pluto-duck://runs/{run_id}", title="One run", mime_type=_JSON)
    async def run(run_id: str) -> str:
        """A question, its final object or its error."""
        return await _read(threads, lambda client: client.run(run_id))

    @server.resource("pluto-duck://runs/{run_id}/events", title="A run's events", mime_type=_JSON)
    async def events(run_id: str) -> str:
        """Every step of a run, in order; of one that still runs, when it has ended."""
        return await _read(threads, lambda client: {"events": list(client.events(run_id))})


async def _read(threads: Threads, work: Callable[[Client], dict[str, Any]]) -> str:
    """What `work` finds, as JSON. Raises ResourceNotFoundError, ResourceError."""

    try:
        found = await threads.work(work)
    except NotFound as fault:
        raise ResourceNotFoundError(f"{fault.message} {fault.hint}".rstrip()) from fault
    except PlutoDuckError as fault:
        raise ResourceError(f"{fault.message} {fault.hint}".rstrip()) from fault
    return json.dumps(found, ensure_ascii=False, default=str)
