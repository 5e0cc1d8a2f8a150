"""`pluto-duck config`: every setting, its value and where it comes from; secrets are masked."""

from __future__ import annotations

import os
from typing import Any

from pydantic import SecretStr

from pluto_duck_backend.app.core.config import Settings, load_settings
from pluto_duck_cli import render
from pluto_duck_cli.options import Json, Root, command_line

app = command_line("Every setting, its value and where it comes from.")


@app.command()
def config(root: Root = None, json: Json = False) -> int:
    """Every setting, its value and where it comes from."""
    settings = load_settings(root)
    rows = _rows(settings)
    if json:
        render.json_line({name: value for name, value, _ in rows})
    else:
        render.table(["setting", "value", "from"], rows)
    return 0


def _rows(settings: Settings) -> list[tuple[str, str, str]]:
    found = [("root", str(settings.root), "environment" if "PLUTODUCK_ROOT" in os.environ else "flag or default")]
    written = _written(settings)
    for group in (name for name in Settings.model_fields if name != "root"):
        values = getattr(settings, group)
        for key in type(values).model_fields:
            found.append((f"{group}.{key}", _shown(getattr(values, key)), _source(group, key, values, written)))
    return found


def _shown(value: Any) -> str:
    return "********" if isinstance(value, SecretStr) else "" if value is None else str(value)


def _written(settings: Settings) -> dict[str, Any]:
    import tomllib

    path = settings.paths.config_file
    return tomllib.loads(path.read_text()) if path.is_file() else {}


def _source(group: str, key: str, values: Any, written: dict[str, Any]) -> str:
    if f"PLUTODUCK_{group}__{key}".upper() in {name.upper() for name in os.environ}:
        return "environment"
    if key in written.get(group, {}):
        return "config.toml"
    return ".env" if key in values.model_fields_set else "default"
