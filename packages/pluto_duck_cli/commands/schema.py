"""`pluto-duck schema [TABLE]`: what is in the warehouse."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_cli import render
from pluto_duck_cli.client import connect
from pluto_duck_cli.options import ExistingRoot, Json, command_line

app = command_line("Tables, columns, keys and statistics.")


@app.command()
def schema(
    table: Annotated[str | None, typer.Argument(help="One table, `name` or `schema.name`.")] = None,
    root: ExistingRoot = None,
    json: Json = False,
) -> int:
    """Tables, columns, keys and statistics."""
    with connect(load_settings(root)) as client:
        found = client.schema(table)
    if json:
        render.json_line(found)
    elif table:
        _one(found)
    else:
        _every(found["tables"])
    return 0


def _every(tables: list[dict[str, Any]]) -> None:
    if not tables:
        render.talk("The warehouse is empty. Try: pluto-duck ingest FILE")
        return
    names = ["table", "kind", "rows", "columns", "comment"]
    rows = [
        [_name(each), each["kind"], each["row_count"], len(each["columns"]), _first(each["comment"])] for each in tables
    ]
    render.table(names, rows)


def _one(table: dict[str, Any]) -> None:
    render.data(f"{_name(table)} ({table['kind']}, {table['row_count']:,} rows) {table['comment']}".rstrip())
    keys = dict.fromkeys(table["primary_key"], "primary")
    for key in table["foreign_keys"]:
        for name in key["columns"]:
            keys[name] = f"→ {key['references']}" + (" (inferred)" if key["inferred"] else "")
    names = ["column", "type", "key", "distinct", "least", "greatest", "most often", "comment"]
    rows = [
        [
            *(column["name"], column["type"], keys.get(column["name"], "")),
            *(column["n_distinct"], column["minimum"], column["maximum"], _often(column), _first(column["comment"])),
        ]
        for column in table["columns"]
    ]
    render.table(names, rows)


def _name(table: dict[str, Any]) -> str:
    return str(table["table"]) if table["schema"] == "main" else f"{table['schema']}.{table['table']}"


def _often(column: dict[str, Any]) -> str:
    return _first(", ".join(render.cell(each) for each in column["frequent"]))


def _first(comment: str, most: int = 60) -> str:
    line = comment.splitlines()[0] if comment else ""
    return line if len(line) <= most else line[: most - 1] + "…"
