"""`pluto-duck sources`: what came from where, and when."""

from __future__ import annotations

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_cli import render
from pluto_duck_cli.client import connect
from pluto_duck_cli.options import Json, Root, command_line

app = command_line("What came from where, and when.")


@app.command()
def sources(root: Root = None, json: Json = False) -> int:
    """What came from where, and when."""
    with connect(load_settings(root)) as client:
        found = client.sources()
    if json:
        render.json_line({"sources": found})
    elif found:
        names = list(found[0])
        render.table(names, [[each.get(name) for name in names] for each in found])
    else:
        render.talk("Nothing has been loaded yet. Try: pluto-duck ingest FILE")
    return 0
