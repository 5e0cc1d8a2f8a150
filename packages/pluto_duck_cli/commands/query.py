"""`pluto-duck query SQL`: SQL, guarded and read-only; `-` reads it from stdin."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.errors import InvalidInput, did_you_mean
from pluto_duck_backend.app.core.whole_files import write_whole
from pluto_duck_cli import render
from pluto_duck_cli.client import Client, connect
from pluto_duck_cli.files import said
from pluto_duck_cli.options import ExistingRoot, Json, MaxRows, Timeout, command_line

FORMATS = ("table", "json", "csv", "parquet", "arrow")
app = command_line("Run SQL, read-only.")


@app.command()
def query(
    sql: Annotated[str, typer.Argument(help="A SELECT; - reads it from stdin.")],
    format: Annotated[str, typer.Option("--format", help=f"One of {', '.join(FORMATS)}.")] = "",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write to this file.")] = None,
    root: ExistingRoot = None,
    json: Json = False,
    max_rows: MaxRows = None,
    timeout: Timeout = None,
) -> int:
    """Run SQL, read-only. A table shows the first rows; the other formats hold all of them."""
    chosen = format or ("json" if json else "")
    form_of(chosen, output)
    text = said() if sql == "-" else sql
    with connect(load_settings(root)) as client:
        job = client.query(sql=text, max_rows=max_rows, timeout_s=timeout)
        write_result(client, job, chosen, output)
    return 0


def write_result(client: Client, job: dict[str, Any], form: str, output: Path | None) -> None:
    """A job's rows, as a table or in the format chosen."""
    if form_of(form, output) == "table":
        _table(job)
    else:
        _write(client, job, form_of(form, output), output)


def form_of(form: str, output: Path | None) -> str:
    """The format: what was said, else by the file's ending. Raises InvalidInput."""
    by_ending = {".json": "json", ".csv": "csv", ".parquet": "parquet", ".arrow": "arrow"}
    chosen = form or (by_ending.get(output.suffix.lower(), "csv") if output else "table")
    if chosen not in FORMATS:
        raise InvalidInput(
            f"No format {chosen!r}. Formats: {', '.join(FORMATS)}. {did_you_mean(chosen, FORMATS)}".rstrip(),
            code="unknown_format",
        )
    if chosen in ("parquet", "arrow") and output is None and render.is_terminal():
        raise InvalidInput(f"{chosen} is binary; a terminal cannot show it.", hint="Give --output FILE.")
    return chosen


def _table(job: dict[str, Any]) -> None:
    render.table([column["name"] for column in job["columns"]], job["rows"])
    more = f" ({len(job['rows'])} shown)" if job["truncated"] else ""
    render.talk(f"{render.rows_said(job['row_count'])}{more} in {job['elapsed_ms']:.0f} ms, job {job['job_id']}")


def _write(client: Client, job: dict[str, Any], form: str, output: Path | None) -> None:
    chunks: Iterator[bytes] = client.result(job["job_id"], form)
    if output is None:
        render.raw(chunks)
        return
    write_whole(output, chunks)
    render.talk(f"{job['row_count']:,} {'row' if job['row_count'] == 1 else 'rows'} as {form} in {output}")
