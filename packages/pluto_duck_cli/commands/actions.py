"""`pluto-duck actions list|call`: the registry that MCP and HTTP call, from the terminal."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import orjson
import typer

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.errors import Conflict, InvalidInput, RemoteError
from pluto_duck_cli import exit_codes, render
from pluto_duck_cli.client import Client, connect
from pluto_duck_cli.options import Agent, ExistingRoot, Json, Timeout, command_line

app = command_line("What can be done for programs: the tools of MCP and HTTP, listed and called.")


@app.command("list")
def every(agent: Agent = None, root: ExistingRoot = None, json: Json = False) -> int:
    """Each action, the least role that may call it, and what it takes."""
    with connect(load_settings(root)) as client:
        found = client.actions(agent)
    if json:
        render.json_line(found)
        return exit_codes.DONE
    rows = [[each["name"], each["role"], each["title"], ", ".join(_taken(each))] for each in found["actions"]]
    render.table(["action", "role", "what", "takes"], rows)
    for each in found["away"]:
        render.talk(f"{each['message']} {each['hint']}")
    return exit_codes.DONE


@app.command()
def call(
    name: Annotated[str, typer.Argument(help="The action, as `actions list` names it.")],
    given: Annotated[list[str] | None, typer.Argument(help="NAME=text or NAME:=JSON.", metavar="NAME=VALUE…")] = None,
    key: Annotated[str | None, typer.Option("--key", help="Under one key a thing is done once.")] = None,
    agent: Agent = None,
    yes: Annotated[bool, typer.Option("--yes", help="You approve this call, as some tools want.")] = False,
    root: ExistingRoot = None,
    timeout: Timeout = None,
    json: Json = False,
) -> int:
    """Have an action done; its text, or with --json {content, details, error}."""
    request = {"name": name, "arguments": dict(map(_argument, given or [])), "timeout_s": timeout}
    request |= {"idempotency_key": key, "agent": agent, "approved": yes}
    with connect(load_settings(root)) as client:
        done = _done(client, request)
    if json:
        render.json_line(done)
    elif not done["error"]:
        render.data(done["content"])
    else:
        render.error(done["error"]["message"], done["error"]["hint"])
    return _exit_code(done)


def _done(client: Client, request: dict[str, Any]) -> dict[str, Any]:
    """The result; where the call wants a person's word, and one sits at the terminal, they are asked."""
    try:
        return client.act(request, tell=render.talk)
    except Conflict as asked:
        if asked.code != "approval_needed" or not sys.stdin.isatty():
            raise
        render.talk(asked.message)
        typer.confirm("Do you?", err=True, abort=True)
        return client.act({**request, "approved": True}, tell=render.talk)


def _taken(action: dict[str, Any]) -> list[str]:
    """Its parameters; those that may be left out with a question mark."""
    schema = action["input_schema"]
    return [name if name in schema.get("required", ()) else f"{name}?" for name in schema.get("properties", ())]


def _argument(text: str) -> tuple[str, Any]:
    """`limit:=5` is JSON, `like=germany` is text. Raises InvalidInput for anything else."""
    name, sign, value = text.partition("=")
    if not sign or not name.rstrip(":"):
        raise _bad_argument(text)
    if not name.endswith(":"):
        return name, value
    try:
        return name[:-1], orjson.loads(value)
    except ValueError as error:
        raise _bad_argument(text) from error


def _bad_argument(text: str) -> InvalidInput:
    hint = "Write NAME=text, or NAME:=JSON for numbers, lists and the like: like=germany limit:=5."
    return InvalidInput(f"{text!r} is no argument of an action.", code="bad_argument", hint=hint)


def _exit_code(done: dict[str, Any]) -> int:
    status = done["details"].get("status")
    if done["error"] and status not in exit_codes.OF_STATUS:
        return RemoteError.from_job(done).exit_code
    return exit_codes.OF_STATUS.get(str(status), exit_codes.DONE)
