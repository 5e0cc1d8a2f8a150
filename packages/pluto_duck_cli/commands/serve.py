"""`pluto-duck serve`: the API and the page."""

from __future__ import annotations

import contextlib
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Any
from urllib.request import ProxyHandler, build_opener

import typer

from pluto_duck_backend.app import supervisor
from pluto_duck_backend.app.core.config import Settings, load_settings
from pluto_duck_backend.app.core.errors import WarehouseBusy
from pluto_duck_backend.app.core.owner import find_server
from pluto_duck_backend.app.listening import listen
from pluto_duck_cli import render
from pluto_duck_cli.options import Json, Provider, Root, command_line

if TYPE_CHECKING:
    from pluto_duck_backend.app.main import Mcp

_ANSWERS_WITHIN_S = 2.0
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
    settings = load_settings(root)
    given: dict[str, Any] = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    settings.server = settings.server.model_copy(update=given)
    if provider:
        settings.agent = settings.agent.model_copy(update={"provider": provider})
    handed = supervisor.handed()
    if handed or not supervisor.is_possible():
        return _serve(settings, handed)
    _check_nobody_serves(settings)
    with listen(settings.server.host, settings.server.port) as listener:
        command = [sys.executable, "-P", "-m", "pluto_duck_cli", *sys.argv[1:]]
        return supervisor.supervise(listener, command, render.talk)


def _check_nobody_serves(settings: Settings) -> None:
    """Raise WarehouseBusy where a server of this root answers; one that is on its way out is waited for later."""
    server = find_server(settings.paths)
    if server is None:
        return
    directly = build_opener(ProxyHandler({}))
    with contextlib.suppress(OSError), directly.open(f"{server.address}/health", timeout=_ANSWERS_WITHIN_S):
        raise WarehouseBusy(
            f"Process {server.pid} serves {settings.root} at {server.address} already.",
            hint="Use that server, stop it, or name another --root.",
        )


def _serve(settings: Settings, handed: supervisor.Handed | None) -> int:
    from pluto_duck_backend.app import main

    main.serve(settings, tell=render.talk, handed=handed, mcp=_mcp())
    return 0


def _mcp() -> Mcp | None:
    """The Model Context Protocol at /mcp, where version 2 of its library is installed."""
    if find_spec("mcp_types") is None:
        return None
    from pluto_duck_cli.mcp_server.streamable import Streamable

    return Streamable()
