"""Recipes: loads that are done again and again, in `<root>/configs/sources/NAME.yaml`.

The command line and the API read them here. A recipe holds the fields of an IngestRequest, or several such loads under
`loads`; what stands beside `loads` holds for each of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput, NotFound, did_you_mean
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.services.ingestion import registry


def names(paths: Paths) -> list[str]:
    """The recipes there are."""
    return sorted(each.stem for each in paths.sources.glob("*.yaml"))


def read(paths: Paths, name: str) -> list[dict[str, Any]]:
    """The requests of a recipe, checked. Raises NotFound, or InvalidInput naming the file and what is wrong in it."""
    if name not in names(paths):
        raise NotFound(
            f"There is no recipe {name!r} in {paths.sources}. {did_you_mean(name, names(paths))}".rstrip(),
            code="recipe_not_found",
            hint=f"Write one: {paths.sources / 'NAME.yaml'}, see docs/connectors.md.",
        )
    file = paths.sources / f"{name}.yaml"
    try:
        return [registry.requested(each).to_dict() for each in _loads(_parsed(_text(file)))]
    except InvalidInput as error:
        raise InvalidInput(f"{file}: {error.message}", code="bad_recipe", hint=error.hint) from error


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise EnvironmentFault(f"{file} cannot be read: {error.strerror or error}", code="cannot_read") from error
    except UnicodeDecodeError as error:
        raise InvalidInput("it is no UTF-8 text.", hint="Save it as UTF-8.") from error


def _parsed(text: str) -> dict[str, Any]:
    import yaml

    try:
        recipe = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise InvalidInput(f"no valid YAML: {error}") from error
    if not isinstance(recipe, dict):
        raise InvalidInput("no recipe in it.", hint="It wants connector, config, target, mode.")
    return recipe


def _loads(recipe: dict[str, Any]) -> list[dict[str, Any]]:
    loads = recipe.pop("loads", None)
    if loads is None:
        return [recipe]
    if not isinstance(loads, list) or not loads or not all(isinstance(each, dict) for each in loads):
        raise InvalidInput("`loads` must be a list of loads.", hint="Each has the fields of a recipe.")
    shared = recipe.pop("config", None)
    return [{**recipe, **each, "config": _config(shared) | _config(each.get("config"))} for each in loads]


def _config(given: Any) -> dict[str, Any]:
    if not isinstance(given, dict | None):
        raise InvalidInput("`config` must be an object.", hint="Such as config: {path: orders.csv}.")
    return given or {}
