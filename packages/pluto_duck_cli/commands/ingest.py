"""`pluto-duck ingest SOURCE…`: files and databases become tables; `ingest run NAME` loads configs/sources/NAME.yaml."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pluto_duck_backend.app.core.config import Settings, load_settings
from pluto_duck_backend.app.core.errors import InvalidInput, NotFound, did_you_mean
from pluto_duck_cli import render
from pluto_duck_cli.client import Client, connect
from pluto_duck_cli.options import Json, Root, command_line
from pluto_duck_cli.working import work

app = command_line("Load files and databases into tables.")


@app.command()
def ingest(
    sources: Annotated[list[str], typer.Argument(help="Files, globs, folders; or: run RECIPE.")],
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
    if sources[0] == "run" and len(sources) == 2 and not Path("run").exists():
        requests = [_recipe(settings, sources[1])]
    else:
        from pluto_duck_backend.app.services.ingestion.sources import named

        options = {"mode": mode, "cursor": cursor, "key": key, "look_back": look_back, "max_rejects": max_rejects}
        flags = {"delete_missing": delete_missing, "columns": "contract" if contract else "evolve"}
        requests = [{"connector": connector, **each} for each in named(sources, table, {**options, **flags})]
    with connect(settings) as client:
        results = [_load(client, request, json) for request in requests]
    if json:
        render.json_line({"results": results})
    return 0


def _recipe(settings: Settings, name: str) -> dict[str, Any]:
    import yaml

    folder = settings.paths.sources
    path = folder / f"{name}.yaml"
    if not path.is_file():
        names = [each.stem for each in folder.glob("*.yaml")]
        raise NotFound(
            f"There is no recipe {name!r} in {folder}. {did_you_mean(name, names)}".rstrip(), code="recipe_not_found"
        )
    try:
        recipe = yaml.safe_load(path.read_text())
    except yaml.YAMLError as error:
        raise InvalidInput(f"{path} is not valid YAML: {error}", code="bad_recipe") from error
    if not isinstance(recipe, dict):
        hint = "It wants connector, config, target, mode."
        raise InvalidInput(f"{path} holds no recipe.", code="bad_recipe", hint=hint)
    return {"connector": "auto", "target": None, "mode": "replace", **recipe}


def _load(client: Client, request: dict[str, Any], as_json: bool) -> dict[str, Any]:
    job = work(client, "ingest", client.ingest(request), render.progress)
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
