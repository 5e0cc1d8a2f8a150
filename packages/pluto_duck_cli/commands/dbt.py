"""`pluto-duck dbt COMMAND …`: dbt's own commands and flags, on the warehouse, while others read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_cli import render
from pluto_duck_cli.client import connect
from pluto_duck_cli.options import Json, Root, command_line
from pluto_duck_cli.working import work

app = command_line("Run dbt on the warehouse, while others read.")
_PASS_ON = {"ignore_unknown_options": True, "allow_extra_args": True, "allow_interspersed_args": True}


@app.command(context_settings=_PASS_ON)
def dbt(
    context: typer.Context,
    command: Annotated[str, typer.Argument(help="run, test, build, seed, docs, ls, show, …; scaffold [TABLE…]")],
    project_dir: Annotated[Path | None, typer.Option("--project-dir", help="Another dbt project.")] = None,
    root: Root = None,
    json: Json = False,
) -> int:
    """Run a dbt command with dbt's own flags (--select, --exclude, --vars, --full-refresh, …)."""
    chosen = {"project_dir": str(project_dir.expanduser().absolute())} if project_dir else {}
    if command == "scaffold":
        return _scaffold(root, {"tables": list(context.args), **chosen}, json)
    options: dict[str, Any] = {"args": list(context.args), **chosen}
    with connect(load_settings(root)) as client:
        job = work(client, "dbt", client.dbt(command, options), render.json_line if json else render.node)
    if not json:
        _tell(job["result"])
    return int(job["result"]["exit_code"])


def _scaffold(root: Path | None, request: dict[str, Any], json: bool) -> int:
    """`dbt scaffold [TABLE…]`, which is ours: sources and staging models for what was loaded."""
    with connect(load_settings(root)) as client:
        made = client.scaffold(request)
    if json:
        render.json_line(made)
        return 0
    for file in made["files"]:
        render.data(f"{made['project']}/{file}")
    render.talk("Next: look at them, then pluto-duck dbt build --select staging")
    return 0


def _tell(result: dict[str, Any]) -> None:
    """What dbt printed for people, what failed, how it ended."""
    for line in result["output"]:
        render.data(line)
    for node in result["nodes"]:
        _tell_of_failure(node)
    _tell_of_end(result)


def _tell_of_failure(node: dict[str, Any]) -> None:
    """A failed node: its file, dbt's message, and the query of the rows that fail a test."""
    if node["status"] in ("error", "fail", "warn", "runtime error"):
        render.talk(f"\n{node['node']} ({node['path']}): {node['message']}")
        if node["failing_rows"]:
            render.talk(f"rows that fail:\n{node['failing_rows']}\n")


def _tell_of_end(result: dict[str, Any]) -> None:
    """How it ended, what of the selection fitted nothing, the next step."""
    render.talk(_summary(result))
    if result["message"] and (result["unmatched"] or not result["nodes"]):
        render.talk(result["message"])
    if result["hint"]:
        render.talk(f"hint: {result['hint']}")


def _summary(result: dict[str, Any]) -> str:
    counts = ", ".join(f"{count} {status}" for status, count in sorted(result["counts"].items()))
    done = "succeeded" if result["nodes"] or not result["message"] else "nothing was selected"
    ended = done if result["success"] else "failed"
    return f"dbt {result['command']}: {ended}" + (f" ({counts})" if counts else "")
