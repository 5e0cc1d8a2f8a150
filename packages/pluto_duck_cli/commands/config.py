"""`pluto-duck config`: every setting, its value and where it comes from; secrets are masked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, SecretStr

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
        for name, value, holder in _leaves(group, getattr(settings, group)):
            found.append((name, _shown(value), _source(name, holder, written)))
    return found


def _leaves(name: str, value: Any, holder: Any = None) -> Iterator[tuple[str, Any, Any]]:
    """`(dotted name, value, the group it stands in)` of each setting below `name`."""
    if isinstance(value, BaseModel):
        inner = {key: getattr(value, key) for key in type(value).model_fields}
    elif isinstance(value, dict) and all(isinstance(each, BaseModel) for each in value.values()):
        inner = value
    else:
        yield name, value, holder
        return
    for key, each in inner.items():
        yield from _leaves(f"{name}.{key}", each, value)


def _shown(value: Any) -> str:
    return "********" if isinstance(value, SecretStr) else "" if value is None else str(value)


def _written(settings: Settings) -> dict[str, Any]:
    import tomllib

    path = settings.paths.config_file
    return tomllib.loads(path.read_text()) if path.is_file() else {}


def _source(name: str, holder: Any, written: dict[str, Any]) -> str:
    keys = name.split(".")
    if f"PLUTODUCK_{'__'.join(keys)}".upper() in {each.upper() for each in os.environ}:
        return "environment"
    for key in keys:
        written = written.get(key, {}) if isinstance(written, dict) else {}
    if written != {}:
        return "config.toml"
    given = holder.model_fields_set if isinstance(holder, BaseModel) else ()
    return ".env" if keys[-1] in given else "default"
