"""`pluto-duck doctor`: what works, what does not, and how to mend it."""

from __future__ import annotations

from typing import Any

from pluto_duck_backend.agent.doctor import examine
from pluto_duck_backend.app.core.config import Settings, load_settings
from pluto_duck_cli import render
from pluto_duck_cli.client import connect
from pluto_duck_cli.options import Json, Root, command_line

app = command_line("Check the installation and the data root.")


@app.command()
def doctor(root: Root = None, json: Json = False) -> int:
    """Check the installation and the data root; exits 1 where something is broken."""
    settings = load_settings(root)
    found = examine(settings, lambda: _schema(settings))
    if json:
        render.json_line([vars(each) for each in found])
    else:
        shown = [[each.check, _mark(each.ok, each.hint), each.found, each.hint] for each in found]
        render.table(["check", "", "found", "next step"], shown)
    return 0 if all(each.ok for each in found) else 1


def _schema(settings: Settings) -> dict[str, Any]:
    with connect(settings) as client:
        return client.schema()


def _mark(ok: bool, hint: str) -> str:
    return "✗" if not ok else "!" if hint else "ok"
