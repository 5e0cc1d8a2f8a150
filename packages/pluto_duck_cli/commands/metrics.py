"""`pluto-duck metrics list|query`: the metrics that dbt projects define, answered by their definitions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_cli import render
from pluto_duck_cli.client import connect
from pluto_duck_cli.commands.query import write_result
from pluto_duck_cli.options import ExistingRoot, Json, MaxRows, Timeout, command_line

app = command_line("List and query the metrics that dbt projects define.")


@app.command("list")
def every(root: ExistingRoot = None, json: Json = False) -> int:
    """Each metric: its type, what it is made of, what it can be cut by."""
    with connect(load_settings(root)) as client:
        found = client.metrics()
    if json:
        render.json_line({"metrics": found})
    elif not found:
        render.talk("No dbt project defines a metric here, or none was run yet. Try: pluto-duck dbt parse")
    else:
        names = ["name", "type", "description", "by"]
        short = [[*(each[name] for name in names[:3]), ", ".join(_short(each["dimensions"]))] for each in found]
        render.table(names, short)
    return 0


@app.command()
def query(
    metrics: Annotated[list[str], typer.Argument(help="One metric or more.")],
    by: Annotated[list[str] | None, typer.Option("--by", help="A dimension, or a grain.")] = None,
    grain: Annotated[str | None, typer.Option("--grain", help="day, week, month, quarter or year.")] = None,
    where: Annotated[list[str] | None, typer.Option("--where", help="A condition on dimensions, in SQL.")] = None,
    order: Annotated[list[str] | None, typer.Option("--order", help="A metric or dimension; -NAME falls.")] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="So many rows.")] = None,
    start: Annotated[str | None, typer.Option("--start", help="The first day.")] = None,
    end: Annotated[str | None, typer.Option("--end", help="The last day.")] = None,
    format: Annotated[str, typer.Option("--format", help="table, json, csv, parquet or arrow.")] = "",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write to this file.")] = None,
    show_sql: Annotated[bool, typer.Option("--sql", help="Show the SQL, too.")] = False,
    root: ExistingRoot = None,
    json: Json = False,
    max_rows: MaxRows = None,
    timeout: Timeout = None,
) -> int:
    """Metrics by dimensions; their definitions become SQL here."""
    asked: dict[str, Any] = {"metrics": metrics, "by": by or [], "grain": grain, "where": where or []}
    asked |= {"order": order or [], "limit": limit, "start": start, "end": end}
    with connect(load_settings(root)) as client:
        job = client.query_metrics({**asked, "max_rows": max_rows, "timeout_s": timeout})
        if show_sql:
            render.talk(job["sql"])
        write_result(client, job, format or ("json" if json else ""), output)
    return 0


def _short(dimensions: list[str]) -> list[str]:
    return list(dict.fromkeys(each.rsplit("__", 1)[-1] for each in dimensions))
