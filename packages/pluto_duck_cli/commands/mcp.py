"""`pluto-duck mcp`: the Model Context Protocol over stdin and stdout, for coding agents."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated

import typer

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.errors import EnvironmentFault
from pluto_duck_cli.options import Agent, Model, Provider, Root, command_line

app = command_line("Serve the Model Context Protocol over stdin and stdout.")


@app.command()
def mcp(
    root: Root = None,
    provider: Provider = None,
    model: Model = None,
    agent: Agent = None,
    writes: Annotated[bool, typer.Option("--writes", help="Also offer to load data and to run dbt.")] = False,
) -> int:
    """Serve the Model Context Protocol over stdin and stdout, until stdin ends."""
    settings = load_settings(root)
    _check_library()
    from pluto_duck_cli.mcp_server import stdio

    stdio.serve(settings, provider, model, agent=agent, writes=writes)
    return 0


def _check_library() -> None:
    if find_spec("mcp") is None or find_spec("mcp.server.mcpserver") is None:
        raise EnvironmentFault(
            "The library mcp, version 2, is not installed.",
            code="missing_library",
            hint="pip install 'pluto-duck[mcp]'",
        )
