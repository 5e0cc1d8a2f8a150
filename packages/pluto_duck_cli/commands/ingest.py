"""`pluto-duck ingest SOURCE…`: files, addresses and databases become tables; `ingest run NAME…` loads recipes."""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from pluto_duck_backend.app.core.config import Settings, load_settings
from pluto_duck_backend.app.core.errors import PlutoDuckError
from pluto_duck_cli import render
from pluto_duck_cli.client import Client, connect
from pluto_duck_cli.options import Json, Root, command_line
from pluto_duck_cli.working import work

app = command_line("Load files and databases into tables.")


@app.command()
def ingest(
    sources: Annotated[list[str], typer.Argument(help="Files, globs, folders, URLs, -; or: run RECIPE…")],
    connector: Annotated[str, typer.Option("--connector", help="The connector, where the name does not say.")] = "auto",
    table: Annotated[str | None, typer.Option("--table", help="The table, `name` or `schema.name`.")] = None,
    mode: Annotated[str, typer.Option("--mode", help="replace, append, incremental or merge.")] = "replace",
    cursor: Annotated[str | None, typer.Option("--cursor", help="The column that rises with each new row.")] = None,
    key: Annotated[str | None, typer.Option("--key", help="The columns that name a row: id, or a,b.")] = None,
    look_back: Annotated[str | None, typer.Option("--look-back", help="Late rows: 100, or '2 days'.")] = None,
    delete_missing: Annotated[bool, typer.Option("--delete-missing", help="Merge: delete what is gone.")] = False,
    contract: Annotated[bool, typer.Option("--contract", help="Refuse a source with other columns.")] = False,
    max_rejects: Annotated[int | None, typer.Option("--max-rejects", min=0, help="Unreadable rows allowed.")] = None,
    root: Root = None,
    json: Json = False,
) -> int:
    """Load files and databases into tables; a failed load changes nothing."""
    settings = load_settings(root)
    options = {"mode": mode, "cursor": cursor, "key": key, "look_back": look_back, "max_rejects": max_rejects}
    options |= {"delete_missing": delete_missing, "columns": "contract" if contract else "evolve"}
    with contextlib.ExitStack() as stack:
        if sources[0] == "run" and len(sources) > 1 and not Path("run").exists():
            requests = [each for name in sources[1:] for each in _recipe(settings, name)]
        else:
            here = [stack.enter_context(_piped(settings, connector)) if each == "-" else each for each in sources]
            requests = _requests(here, connector, table, options)
        results = _loaded(settings, requests, json)
    if json:
        render.json_line({"results": results})
    return 0


def _loaded(settings: Settings, requests: list[dict[str, Any]], json: bool) -> list[dict[str, Any]]:
    """The results of all loads, which begin together."""
    with connect(settings) as client:
        jobs = [client.ingest(request) for request in requests]
        return [_followed(client, job_id, json) for job_id in jobs]


def _requests(sources: list[str], connector: str, table: str | None, options: dict[str, Any]) -> list[dict[str, Any]]:
    from pluto_duck_backend.app.services.ingestion.sources import named

    return [{"connector": connector, **each} for each in named(sources, table, options)]


def _recipe(settings: Settings, name: str) -> list[dict[str, Any]]:
    from pluto_duck_backend.app.services.ingestion.recipes import read

    return read(settings.paths, name)


@contextlib.contextmanager
def _piped(settings: Settings, connector: str) -> Iterator[str]:
    """What comes through standard input, as a file of the data root for as long as it is loaded."""
    from pluto_duck_backend.app.services.ingestion.content import PIPED, file_kind
    from pluto_duck_backend.app.services.ingestion.registry import get

    folder = Path(tempfile.mkdtemp(prefix=PIPED, dir=settings.paths.create().temp))
    try:
        path = folder / "stdin"
        with path.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        ending = file_kind(path) if connector == "auto" else get(connector).suffixes[0]
        path = path.rename(path.with_suffix(ending))
        yield str(path)
    except PlutoDuckError as error:
        error.message = error.message.replace(str(path), "stdin")
        raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _followed(client: Client, job_id: str, as_json: bool) -> dict[str, Any]:
    job = work(client, "ingest", job_id, render.progress)
    result: dict[str, Any] = job["result"]
    if not as_json:
        for table in result["tables"]:
            render.data(_told(table))
    for warning in result.get("warnings", ()):
        render.talk(f"warning: {warning}")
    return result


def _told(table: dict[str, Any]) -> str:
    """`orders: 5 rows`, and what happened to them where that says more."""
    more = [f"{table[name]:,} {name}" for name in ("updated", "deleted", "rejected") if table.get(name)]
    if table.get("updated") and table["inserted"]:
        more.insert(0, f"{table['inserted']:,} new")
    return f"{table['table']}: {table['rows']:,} rows" + (f" ({', '.join(more)})" if more else "")
