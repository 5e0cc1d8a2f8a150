"""`pluto-duck doctor`: what works, what does not, and how to mend it."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Callable
from importlib.util import find_spec

from pluto_duck_backend.app.core.config import Settings, load_settings
from pluto_duck_backend.app.core.errors import EnvironmentFault, PlutoDuckError
from pluto_duck_cli import render
from pluto_duck_cli.options import Json, Root, command_line

app = command_line("Check the installation and the data root.")
_LEAST_FREE_GB = 1.0


@app.command()
def doctor(root: Root = None, json: Json = False) -> int:
    """Check the installation and the data root; exits 1 where something is broken."""
    settings = load_settings(root)
    rows = [(name, *_tried(check, settings)) for name, check in _CHECKS.items()]
    if json:
        render.json_line([dict(zip(("check", "ok", "found", "hint"), row, strict=True)) for row in rows])
    else:
        shown = [[name, "ok" if ok else "✗", found, hint] for name, ok, found, hint in rows]
        render.table(["check", "", "found", "next step"], shown)
    return 0 if all(ok for _, ok, _, _ in rows) else 1


def _tried(check: Callable[[Settings], str], settings: Settings) -> tuple[bool, str, str]:
    try:
        return True, check(settings), ""
    except PlutoDuckError as error:
        return False, error.message, error.hint


def _python(settings: Settings) -> str:
    return ".".join(map(str, sys.version_info[:3]))


def _duckdb(settings: Settings) -> str:
    from pluto_duck_backend.app.core.warehouse import DUCKDB_VERSION

    return DUCKDB_VERSION


def _root(settings: Settings) -> str:
    paths = settings.paths.create()
    mode = stat.S_IMODE(paths.root.stat().st_mode)
    if mode & 0o077:
        raise EnvironmentFault(f"{paths.root} is open to others ({mode:o})", hint=f"chmod 700 {paths.root}")
    if not os.access(paths.root, os.W_OK):
        raise EnvironmentFault(f"{paths.root} is not writable", hint="Mend its permissions, or choose another --root.")
    return str(paths.root)


def _disk(settings: Settings) -> str:
    free = shutil.disk_usage(settings.paths.create().root).free / 1e9
    if free < _LEAST_FREE_GB:
        raise EnvironmentFault(f"{free:.1f} GB free", hint="Free some space; ingestion and results need it.")
    return f"{free:.1f} GB free"


def _warehouse(settings: Settings) -> str:
    from pluto_duck_cli.client import HttpClient, connect

    with connect(settings) as client:
        tables = len(client.schema()["tables"])
        return f"{tables} tables" + (", through the server" if isinstance(client, HttpClient) else "")


def _dbt(settings: Settings) -> str:
    if find_spec("dbt") is None:
        raise EnvironmentFault("dbt is not installed", hint="pip install pluto-duck brings it.")
    project = settings.dbt.project_dir or settings.root / "dbt_project"
    return f"project at {project}" if (project / "dbt_project.yml").exists() else "no project yet (pluto-duck init)"


def _provider(settings: Settings) -> str:
    known = ("embedded", "scripted") if settings.agent.script else ("embedded",)
    if settings.agent.provider not in known:
        raise EnvironmentFault(
            f"agent.provider={settings.agent.provider!r} is unknown", hint=f"Available: {', '.join(known)}."
        )
    return settings.agent.provider


_CHECKS: dict[str, Callable[[Settings], str]] = {
    "python": _python,
    "duckdb": _duckdb,
    "data root": _root,
    "disk": _disk,
    "warehouse": _warehouse,
    "dbt": _dbt,
    "provider": _provider,
}
