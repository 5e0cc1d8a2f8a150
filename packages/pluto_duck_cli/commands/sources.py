"""`pluto-duck sources`: what came from where, when, how much, and what the same load would do next."""

from __future__ import annotations

from typing import Any

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_cli import render
from pluto_duck_cli.client import connect
from pluto_duck_cli.options import ExistingRoot, Json, command_line

_SHOWN = ("table", "source", "mode", "loaded_at", "loads", "rows", "next")
app = command_line("What came from where, when, how much, and what comes next.")


@app.command()
def sources(root: ExistingRoot = None, json: Json = False) -> int:
    """What came from where, when, how much, and what comes next."""
    with connect(load_settings(root)) as client:
        found = client.sources()
    if json:
        render.json_line({"sources": found})
    elif found:
        render.table(_SHOWN, [[_cell(each, name) for name in _SHOWN] for each in found])
    else:
        render.talk("Nothing has been loaded yet. Try: pluto-duck ingest FILE")
    return 0


def _cell(entry: dict[str, Any], name: str) -> Any:
    if name == "table":
        return entry["table"] if entry["schema"] == "main" else f"{entry['schema']}.{entry['table']}"
    if name == "next" and not entry["exists"]:
        return "the table was dropped"
    return entry.get(name)
