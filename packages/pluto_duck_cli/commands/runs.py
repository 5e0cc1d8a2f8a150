"""`pluto-duck runs list|show|events|export|cancel|confirm|confirmed|forget|save|usage`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.whole_files import write_whole
from pluto_duck_cli import render
from pluto_duck_cli.client import connect
from pluto_duck_cli.files import form_of
from pluto_duck_cli.options import ExistingRoot, Json, command_line

app = command_line("List, show, replay, cancel, confirm, save and export runs.")


class Kind(StrEnum):
    """What an answer becomes."""

    model = "model"
    test = "test"
    metric = "metric"
    analysis = "analysis"


RunId = Annotated[str, typer.Argument(help="The run's id.")]


@app.command("list")
def every(
    limit: Annotated[int, typer.Option("--limit", min=1, max=1000, help="How many.")] = 20,
    root: ExistingRoot = None,
    json: Json = False,
) -> int:
    """The runs, newest first."""
    with connect(load_settings(root)) as client:
        runs = client.runs(limit)
    if json:
        render.json_line({"runs": runs})
    else:
        names = ["run_id", "status", "created_at", "tokens", "usd", "question"]
        render.table(names, [[{**run, **_used(run["usage"])}[name] for name in names] for run in runs])
    return 0


def _used(usage: dict[str, Any] | None) -> dict[str, Any]:
    """What models used for a run; NULL where none was called."""
    if usage is None:
        return {"tokens": None, "usd": None}
    return {"tokens": usage["input_tokens"] + usage["output_tokens"], "usd": usage["cost_usd"]}


@app.command()
def usage(root: ExistingRoot = None, json: Json = False) -> int:
    """What chat models have used and cost, by day, provider and model."""
    with connect(load_settings(root)) as client:
        rows = client.usage()
    if json:
        render.json_line({"usage": rows})
    else:
        names = ["day", "provider", "model", "calls", "input_tokens", "output_tokens", "cost_usd", "elapsed_s"]
        render.table(names, [[row[name] for name in names] for row in rows])
    return 0


@app.command()
def show(run_id: RunId, root: ExistingRoot = None, json: Json = False) -> int:
    """A run's question and answer, or its error."""
    with connect(load_settings(root)) as client:
        run = client.run(run_id)
    if json:
        render.json_line(run)
        return 0
    render.data(f"{run['question']}  ({run['status']})")
    if run["final"]:
        render.answer(run["final"])
    elif run["error"]:
        render.error(run["error"]["message"], run["error"]["hint"])
    return 0


@app.command()
def events(
    run_id: RunId,
    after: Annotated[int, typer.Option("--after", min=0, help="Begin after this event.")] = 0,
    root: ExistingRoot = None,
    json: Json = False,
) -> int:
    """A run's events, one JSON object a line; follows a run that goes on."""
    with connect(load_settings(root)) as client:
        for event in client.events(run_id, after):
            render.json_line(event)
    return 0


@app.command()
def export(
    run_id: RunId,
    to: Annotated[Path, typer.Option("--to", help="The file; its ending says what: html, md, xlsx, csv or parquet.")],
    root: ExistingRoot = None,
    json: Json = False,
) -> int:
    """Write a run as a file: a report with question, SQL, table and chart, or its result alone."""
    from pluto_duck_backend.agent.reporting import EXPORT_FORMS

    form: Any = form_of(to, EXPORT_FORMS)
    with connect(load_settings(root)) as client:
        write_whole(to, client.export(run_id, form))
    if json:
        render.json_line({"run_id": run_id, "file": str(to)})
    else:
        render.talk(f"{run_id} is in {to}")
    return 0


@app.command()
def cancel(run_id: RunId, root: ExistingRoot = None, json: Json = False) -> int:
    """Stop a run."""
    with connect(load_settings(root)) as client:
        client.cancel_run(run_id)
    render.talk(f"{run_id}: asked to stop")
    return 0


@app.command()
def confirm(
    run_id: RunId,
    replace: Annotated[
        bool, typer.Option("--replace", help="In place of other SQL confirmed for the same question.")
    ] = False,
    sql: Annotated[str | None, typer.Option("--sql", help="The right SQL, where the answer's is not.")] = None,
    root: ExistingRoot = None,
    json: Json = False,
) -> int:
    """Say that a run's answer is right, or which SQL is: its question and SQL become an example."""
    with connect(load_settings(root)) as client:
        kept = client.confirm_run(run_id, replace, sql)
    if json:
        render.json_line(kept)
    else:
        render.talk(f"{kept['question']!r} is confirmed: {kept['file']}")
    return 0


@app.command()
def confirmed(root: ExistingRoot = None, json: Json = False) -> int:
    """The confirmed questions; of those that are not used any more, why."""
    with connect(load_settings(root)) as client:
        kept = client.confirmed()
    if json:
        render.json_line({"confirmed": kept})
    else:
        names = ["question", "confirmed_at", "confirmed_by", "file", "stale"]
        render.table(names, [[each[name] or "" for name in names] for each in kept])
    return 0


@app.command()
def forget(
    file: Annotated[str, typer.Argument(help="Its file, as `runs confirmed` shows it.")],
    root: ExistingRoot = None,
    json: Json = False,
) -> int:
    """Forget a confirmed question: its file is deleted."""
    with connect(load_settings(root)) as client:
        kept = client.forget(Path(file).name)
    if json:
        render.json_line(kept)
    else:
        render.talk(f"{kept['question']!r} is forgotten: {kept['file']}")
    return 0


@app.command()
def save(
    run_id: RunId,
    name: Annotated[str, typer.Argument(help="Its name in the project.")],
    kind: Annotated[Kind, typer.Option("--as", help="What the answer becomes.")] = Kind.model,
    project_dir: Annotated[Path | None, typer.Option("--project-dir", help="Another dbt project.")] = None,
    root: ExistingRoot = None,
    json: Json = False,
) -> int:
    """Write a run's answer into a dbt project: SQL with refs, a description, tests that hold."""
    request = {"kind": kind.value, "name": name}
    if project_dir:
        request["project_dir"] = str(project_dir.expanduser().absolute())
    with connect(load_settings(root)) as client:
        saved = client.save_run(run_id, request)
    if json:
        render.json_line(saved)
        return 0
    for file in saved["files"]:
        render.data(f"{saved['project']}/{file}")
    command = "compile" if kind is Kind.analysis else "build"
    render.talk(f"Next: pluto-duck dbt {command} --select {name}{'_rows' if kind is Kind.metric else ''}")
    return 0
