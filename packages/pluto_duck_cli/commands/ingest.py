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
    table: Annotated[str | None, typer.Option("--table", help="The table, `name` or `schema.name`.")] = None,
    mode: Annotated[str, typer.Option("--mode", help="replace, append, incremental or merge.")] = "replace",
    cursor: Annotated[str | None, typer.Option("--cursor", help="The cursor column of incremental.")] = None,
    key: Annotated[str | None, typer.Option("--key", help="The key columns of merge.")] = None,
    root: Root = None,
    json: Json = False,
) -> int:
    """Load files and databases into tables; a failed load changes nothing."""
    settings = load_settings(root)
    if sources[0] == "run" and len(sources) == 2 and not Path("run").exists():
        requests = [_recipe(settings, sources[1])]
    else:
        requests = _requests(sources, table, mode, cursor, key)
    with connect(settings) as client:
        results = [_load(client, request, json) for request in requests]
    if json:
        render.json_line({"results": results})
    return 0


def _requests(
    sources: list[str], table: str | None, mode: str, cursor: str | None, key: str | None
) -> list[dict[str, Any]]:
    """One request a source, or one for all where the table is given. Paths become absolute, for the server's sake."""
    if (cursor or key) and mode not in ("incremental", "merge"):
        flag = "--cursor" if cursor else "--key"
        raise InvalidInput(f"{flag} belongs to the modes incremental and merge, not to {mode!r}.", code="bad_mode")
    paths = [str(Path(source).expanduser().absolute()) for source in sources]
    if table:
        config: dict[str, Any] = {"path": paths[0]} if len(paths) == 1 else {"paths": paths}
        return [{"connector": "auto", "config": config, "target": table, "mode": mode}]
    return [{"connector": "auto", "config": {"path": path}, "target": None, "mode": mode} for path in paths]


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
            render.data(f"{table['table']}: {table['rows']:,} rows")
    for warning in result.get("warnings", ()):
        render.talk(f"warning: {warning}")
    return result
