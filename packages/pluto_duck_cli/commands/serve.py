"""`pluto-duck serve`: the API and the page."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_cli import render
from pluto_duck_cli.options import Json, Provider, Root, command_line

app = command_line("Serve the API and the page.")


@app.command()
def serve(
    host: Annotated[str | None, typer.Option("--host", help="Address; any but loopback needs a token.")] = None,
    port: Annotated[int | None, typer.Option("--port", min=0, max=65535, help="Port; 0: a free one.")] = None,
    root: Root = None,
    provider: Provider = None,
    json: Json = False,
) -> int:
    """Serve the API and the page; other commands then go through it."""
    from pluto_duck_backend.app import main

    settings = load_settings(root)
    given: dict[str, Any] = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    settings.server = settings.server.model_copy(update=given)
    if provider:
        settings.agent = settings.agent.model_copy(update={"provider": provider})
    main.serve(settings, tell=render.talk)
    return 0
