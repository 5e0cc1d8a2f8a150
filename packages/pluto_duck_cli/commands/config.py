"""`pluto-duck config`: every setting, its value and where it comes from; `config add` sets a chat model up.

Secrets are masked, and a key is never an argument: it would stay in the shell's history.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Annotated, Any

import typer
from pydantic import BaseModel, SecretStr

from pluto_duck_backend.app.core.config import Settings, load_settings
from pluto_duck_cli import render
from pluto_duck_cli.options import Json, Model, Root, command_line

app = command_line("Every setting, its value and where it comes from; `add` sets a chat model up.")


@app.callback(invoke_without_command=True)
def config(context: typer.Context, root: Root = None, json: Json = False) -> int:
    """Every setting, its value and where it comes from."""
    if context.invoked_subcommand:
        return 0
    settings = load_settings(root)
    rows = _rows(settings)
    if json:
        render.json_line({name: value for name, value, _ in rows})
    else:
        render.table(["setting", "value", "from"], rows)
    return 0


@app.command()
def add(
    name: Annotated[str, typer.Argument(help="openai, anthropic, ollama …, or a name of your own.")],
    model: Model = None,
    base_url: Annotated[str | None, typer.Option("--base-url", help="Where it listens.")] = None,
    kind: Annotated[str | None, typer.Option("--kind", help="The known provider it behaves like.")] = None,
    key_stdin: Annotated[bool, typer.Option("--key-stdin", help="Read the key from stdin into the keyring.")] = False,
    use: Annotated[bool, typer.Option("--use/--no-use", help="Have it answer from now on.")] = True,
    root: Root = None,
    json: Json = False,
) -> int:
    """Set a chat model up: writes config.toml, keeps the key in the keyring, makes one small call."""
    from pluto_duck_cli.adding import Wanted, set_up

    tried = set_up(load_settings(root), Wanted(name, model, base_url, kind, use), key_stdin)
    if json:
        render.json_line({"provider": name, "model": tried.endpoint.model, "elapsed_s": round(tried.elapsed_s, 3)})
    else:
        render.data(f"{name} ({tried.endpoint.model}) answered in {tried.elapsed_s:.1f} s, {tried.tokens} tokens.")
        render.talk(f"Ask it: pluto-duck ask {'' if use else f'--provider {name} '}'your question'")
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
