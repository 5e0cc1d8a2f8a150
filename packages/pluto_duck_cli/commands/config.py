"""`pluto-duck config`: every setting, its value and where it comes from; `config add` sets a chat model up.

Secrets are masked, and a key is never an argument: it would stay in the shell's history.
"""

from __future__ import annotations

from typing import Annotated

import typer

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.settings_told import every
from pluto_duck_cli import render
from pluto_duck_cli.options import Json, Model, Root, command_line

app = command_line("Every setting, its value and where it comes from; `add` sets a chat model up.")


@app.callback(invoke_without_command=True)
def config(context: typer.Context, root: Root = None, json: Json = False) -> int:
    """Every setting, its value and where it comes from."""
    if context.invoked_subcommand:
        return 0
    found = every(load_settings(root))
    if json:
        render.json_line({each.name: each.value for each in found})
    else:
        render.table(["setting", "value", "from"], [(each.name, each.value, each.source) for each in found])
    return 0


@app.command()
def add(
    name: Annotated[str, typer.Argument(help="openai, anthropic, ollama …, or a name of your own.")],
    model: Model = None,
    base_url: Annotated[str | None, typer.Option("--base-url", help="Where it listens.")] = None,
    kind: Annotated[str | None, typer.Option("--kind", help="The known provider it behaves like.")] = None,
    key_stdin: Annotated[bool, typer.Option("--key-stdin", help="Read the key from stdin into the keyring.")] = False,
    local: Annotated[
        bool | None, typer.Option("--local/--hosted", help="Whether data that goes there stays in the house.")
    ] = None,
    use: Annotated[bool, typer.Option("--use/--no-use", help="Have it answer from now on.")] = True,
    root: Root = None,
    json: Json = False,
) -> int:
    """Set a chat model up: writes config.toml, keeps the key in the keyring, makes one small call."""
    from pluto_duck_cli.adding import Wanted, set_up

    tried = set_up(load_settings(root), Wanted(name, model, base_url, kind, use, local), key_stdin)
    if json:
        render.json_line({"provider": name, "model": tried.endpoint.model, "elapsed_s": round(tried.elapsed_s, 3)})
    else:
        render.data(f"{name} ({tried.endpoint.model}) answered in {tried.elapsed_s:.1f} s, {tried.tokens} tokens.")
        if not tried.endpoint.is_local:
            render.talk("It counts as hosted: agent.privacy says what it sees; --local where data there stays yours.")
        render.talk(f"Ask it: pluto-duck ask {'' if use else f'--provider {name} '}'your question'")
    return 0
