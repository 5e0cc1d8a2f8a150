"""What works, what does not, and how to mend it: the checks behind `pluto-duck doctor` and the page's settings."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from typing import Any

from pluto_duck_backend.agent.providers.router import AUTO, EMBEDDED
from pluto_duck_backend.app.core import telemetry
from pluto_duck_backend.app.core.config import Settings
from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput, PlutoDuckError
from pluto_duck_backend.app.core.owner import find_server

_LEAST_FREE_GB = 1.0
_CLOCK_S = 120.0
_SHOWN = ("duckdb", "polars", "dbt-core", "dbt-duckdb", "langgraph", "fastapi")
_NEEDED_EXTENSIONS = ("json", "parquet", "icu")
Schema = Callable[[], dict[str, Any]]
#   the catalog as `GET /schema` tells it


@dataclass(frozen=True)
class Check:
    """What one check found; not `ok`: something is broken; a `hint` all the same: something is to be mended."""

    check: str
    ok: bool
    found: str
    hint: str


def examine(settings: Settings, schema: Schema) -> list[Check]:
    """All checks. One of them makes a small call to the model that answers, where one does."""
    looking = {
        **_CHECKS,
        "warehouse": lambda settings: _warehouse(settings, schema),
        "glossary": lambda _: _glossary(schema),
    }
    return [Check(name, *_tried(looking[name], settings)) for name in _ORDER]


class _Warning(PlutoDuckError):
    """Something to mend that breaks nothing."""


def _tried(check: Callable[[Settings], str], settings: Settings) -> tuple[bool, str, str]:
    try:
        return True, check(settings), ""
    except _Warning as warning:
        return True, warning.message, warning.hint
    except PlutoDuckError as error:
        return False, error.message, error.hint


def _python(settings: Settings) -> str:
    return ".".join(map(str, sys.version_info[:3]))


def _installation(settings: Settings) -> str:
    """What answers depend on, each at a version that pyproject.toml allows."""
    from packaging.requirements import Requirement

    wrong = []
    for line in requires("pluto-duck") or []:
        wanted = Requirement(line)
        if wanted.marker and not wanted.marker.evaluate({"extra": ""}):
            continue
        found = _installed(wanted.name)
        if not found or not wanted.specifier.contains(found, prereleases=True):
            wrong.append(f"{wanted} (found: {found or 'nothing'})")
    if wrong:
        raise EnvironmentFault(f"not as pluto-duck needs: {', '.join(wrong)}", hint="pip install --upgrade pluto-duck")
    return ", ".join(f"{name} {_installed(name)}" for name in ("pluto-duck", *_SHOWN))


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _extensions(settings: Settings) -> str:
    from pluto_duck_backend.app.core.warehouse import extensions

    found = extensions()
    installed = [name for name, is_built_in in found.items() if not is_built_in]
    missing = [name for name in _NEEDED_EXTENSIONS if name not in found]
    if missing:
        raise EnvironmentFault(
            f"DuckDB lacks {', '.join(missing)}",
            hint=f"Reinstall duckdb from its wheel, or, with a connection: INSTALL {missing[0]} in DuckDB.",
        )
    return f"{', '.join(_NEEDED_EXTENSIONS)} built in; installed besides: {', '.join(installed) or 'none'}"


def _root(settings: Settings) -> str:
    paths = settings.paths.create()
    mode = stat.S_IMODE(paths.root.stat().st_mode)
    if mode & 0o077:
        raise EnvironmentFault(f"{paths.root} is open to others ({mode:o})", hint=f"chmod 700 {paths.root}")
    if not os.access(paths.root, os.W_OK):
        raise EnvironmentFault(f"{paths.root} is not writable", hint="Mend its permissions, or choose another --root.")
    return str(paths.root)


def _private(settings: Settings) -> str:
    """Files that hold secrets, or what somebody asked."""
    paths = settings.paths
    private = [paths.owner_file, paths.config_file, paths.audit, settings.server.token_file]
    there = [path for path in private if path and path.is_file()]
    open_ones = [path for path in there if stat.S_IMODE(path.stat().st_mode) & 0o077]
    if open_ones:
        names = " ".join(map(str, open_ones))
        raise EnvironmentFault(f"others may read {names}", hint=f"chmod 600 {names}")
    return f"{len(there)} files that hold secrets or history are yours alone"


def _disk(settings: Settings) -> str:
    free = shutil.disk_usage(settings.paths.create().root).free / 1e9
    if free < _LEAST_FREE_GB:
        raise EnvironmentFault(
            f"{free:.1f} GB free", hint="Free some space, or lower query.keep_mb; ingestion and results need it."
        )
    kept = sum(path.stat().st_size for path in settings.paths.queries.glob("*.parquet")) / 1e6
    return f"{free:.1f} GB free; kept results take {kept:,.1f} MB"


def _clock(settings: Settings) -> str:
    newest = max((path.stat().st_mtime for path in settings.paths.runs.glob("*.jsonl")), default=0.0)
    ahead = newest - time.time()
    if ahead > _CLOCK_S:
        raise EnvironmentFault(
            f"the last run is {ahead / 60:.0f} minutes in the future: the clock was set back",
            hint="Set the clock right (NTP); results are pruned by their age.",
        )
    return datetime.now(UTC).isoformat(timespec="seconds")


def _owner(settings: Settings) -> str:
    server = find_server(settings.paths)
    if server:
        return f"a server at {server.address} (process {server.pid})"
    if settings.paths.owner_file.exists():
        return "no server; the file of one that was killed is left, and harmless"
    return "no server: commands open the warehouse themselves, one after the other"


def _warehouse(settings: Settings, schema: Schema) -> str:
    tables = len(schema()["tables"])
    way = ", through the server" if find_server(settings.paths) else ""
    return f"{tables} tables, {settings.paths.warehouse.stat().st_size / 1e6:.1f} MB{way}"


def _glossary(schema: Schema) -> str:
    """What the user's words mean; a line that means nothing disturbs no other."""
    try:
        glossary = schema()["glossary"]
    except PlutoDuckError:
        return "not looked at, since the warehouse cannot be"
    found = f"{len(glossary['terms'])} terms in configs/knowledge"
    if glossary["warnings"]:
        raise _Warning("; ".join([found, *glossary["warnings"]]), hint="Mend these lines (docs/knowledge.md).")
    return found


def _state(settings: Settings) -> str:
    """Where sessions, memory and artifacts are kept, and that it can be reached."""
    from pluto_duck_backend.app.services.state.places import Places

    with contextlib.closing(Places(settings)) as places:
        found, fault = places.check()
    if fault:
        raise _Warning(found, hint=fault)
    return found


def _telemetry(settings: Settings) -> str:
    """Where a server's traces and metrics go."""
    endpoint = telemetry.where()
    if not endpoint:
        return f"nothing is sent: {telemetry.ENDPOINT} is not set"
    if why := telemetry.missing():
        raise _Warning(why, hint=telemetry.HINT)
    return f"a server's traces and metrics go to {endpoint}"


def _dbt(settings: Settings) -> str:
    if find_spec("dbt") is None:
        raise EnvironmentFault("dbt is not installed", hint="pip install pluto-duck brings it.")
    project = settings.dbt.project_dir or settings.root / "dbt_project"
    return f"project at {project}" if (project / "dbt_project.yml").exists() else "no project yet (pluto-duck init)"


def _provider(settings: Settings) -> str:
    """Who answers, that prices can be read, and that one small call to each model that may be asked comes back."""
    name, asked = settings.agent.provider, _asked(settings)
    if name == EMBEDDED or (name == "scripted" and settings.agent.script):
        return name
    from pluto_duck_backend.agent.models.prices import Prices

    Prices(settings.paths.prices)
    if not asked:
        raise InvalidInput(f"{name} has no model to choose", hint="`pluto-duck config add NAME` sets one up.")
    tried = [_tried(partial(_answers, each), settings) for each in asked]
    told = "; ".join(found for _, found, _ in tried)
    if hint := next((hint for is_fine, _, hint in tried if not is_fine), ""):
        raise EnvironmentFault(told, hint=hint)
    return told


def _asked(settings: Settings) -> list[str]:
    """The models that a question may reach: the one named, or whom `auto` chooses among, then the chain."""
    agent = settings.agent
    first = list(agent.chain or settings.providers) if agent.provider == AUTO else [agent.provider]
    return [name for name in dict.fromkeys([*first, *agent.chain]) if name != EMBEDDED]


def _answers(name: str, settings: Settings) -> str:
    from pluto_duck_backend.agent.models.endpoints import resolve
    from pluto_duck_backend.agent.models.trying import try_out

    tried = try_out(resolve(name, settings), settings.paths.prices)
    where = "local" if tried.endpoint.is_local else "hosted"
    price = "" if tried.is_priced else f" (what it costs counts as nothing until {settings.paths.prices} says it)"
    return f"{name}, {tried.endpoint.model} ({where}) answered in {tried.elapsed_s:.1f} s, {tried.tokens} tokens{price}"


def _prompts(settings: Settings) -> str:
    """The user's own prompts: each replaces one of ours, and leaves out nothing that is filled in."""
    from pluto_duck_backend.agent.providers.prompting import flaws
    from pluto_duck_backend.app.core.folders import files_in

    if wrong := flaws(settings.paths.prompts):
        raise _Warning("; ".join(wrong), hint=f"Mend the files in {settings.paths.prompts} (docs/models.md).")
    own = [path.name for path in files_in(settings.paths.prompts, ".md")]
    return f"yours: {', '.join(own)}" if own else "as shipped"


_CHECKS: dict[str, Callable[[Settings], str]] = {
    "python": _python,
    "installation": _installation,
    "extensions": _extensions,
    "data root": _root,
    "private files": _private,
    "disk": _disk,
    "clock": _clock,
    "server": _owner,
    "state": _state,
    "telemetry": _telemetry,
    "dbt": _dbt,
    "provider": _provider,
    "prompts": _prompts,
}
_ORDER = (
    *("python", "installation", "extensions", "data root", "private files", "disk", "clock"),
    *("server", "state", "warehouse", "glossary", "dbt", "provider", "prompts", "telemetry"),
)
