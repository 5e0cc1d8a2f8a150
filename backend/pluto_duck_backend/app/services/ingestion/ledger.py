"""What the ingestion catalog says of a load: the entry of each table, and the lines of the history.

The service calls it inside a load's transaction and after it. What must stay true: an entry holds what is needed to do
the load again, and no secret (a request names secrets by reference).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pluto_duck_backend.app.core import secret_references
from pluto_duck_backend.app.core.lineage import Entry
from pluto_duck_backend.app.services.ingestion.assignment import Assignment
from pluto_duck_backend.app.services.ingestion.content import PIPED
from pluto_duck_backend.app.services.ingestion.contract import ForeignKey
from pluto_duck_backend.app.services.ingestion.loader import Loaded
from pluto_duck_backend.app.services.ingestion.names import Target
from pluto_duck_backend.app.services.ingestion.positions import Position
from pluto_duck_backend.app.services.ingestion.requests import IngestRequest


def describe(
    assignments: Sequence[Assignment], results: Sequence[Loaded], request: IngestRequest, known: Sequence[Entry]
) -> list[Entry]:
    """The entries of the ingestion catalog for what was just loaded."""
    return [
        _entry(each, loaded, assignments, request, known) for each, loaded in zip(assignments, results, strict=True)
    ]


def _entry(
    assignment: Assignment,
    loaded: Loaded,
    all_of_them: Sequence[Assignment],
    request: IngestRequest,
    known: Sequence[Entry],
) -> Entry:
    target = assignment.target
    before = known_of(target, known) if request.mode != "replace" else {}
    return {
        "schema": target.schema,
        "table": target.table,
        "connector": request.connector,
        "source": _told(assignment.origin),
        "source_table": assignment.sources[0].name,
        "mode": request.mode,
        "loaded_at": _now(),
        **_counted(loaded, before),
        **_keyed(assignment, all_of_them, request, before),
        "request": {**secret_references.public(request.to_dict()), "target": str(target)},
        "state": loaded.position.to_dict() if loaded.position else None,
        "read": dict(loaded.position.read) if loaded.position else {},
    }


def _counted(loaded: Loaded, before: Entry) -> Entry:
    """`rows` are those of all loads since the table was last replaced."""
    result = loaded.result
    return {
        "loads": before.get("loads", 0) + 1,
        "rows": before.get("rows", 0) + result.inserted - result.deleted,
        "columns": result.columns,
        "table_rows": loaded.table_rows,
        "rejected": result.rejected,
    }


def _keyed(assignment: Assignment, all_of_them: Sequence[Assignment], request: IngestRequest, before: Entry) -> Entry:
    """The keys that were found first stay."""
    own = list(assignment.sources[0].keys.primary_key) or list(request.key)
    foreign = before["foreign_keys"] if "foreign_keys" in before else _foreign_keys(assignment, all_of_them)
    return {"primary_key": before.get("primary_key") or own, "foreign_keys": foreign}


def _told(origin: str) -> str:
    """Where rows came from, as people know it: what was piped was no file of theirs, and its file is gone."""
    return "stdin" if Path(origin).parent.name.startswith(PIPED) else origin


def known_of(target: Target, known: Sequence[Entry]) -> Entry:
    """The entry of a table, or an empty one."""
    for each in known:
        if (each["schema"].casefold(), each["table"].casefold()) == target.folded():
            return each
    return {}


def position_of(target: Target, request: IngestRequest, known: Sequence[Entry]) -> Position | None:
    """How far an incremental load has come, as it was stored."""
    return Position.of_entry(known_of(target, known), request.cursor) if request.cursor else None


def next_load(entry: Entry) -> str:
    """What the next load of the same kind would do."""
    request, state = entry.get("request") or {}, entry.get("state")
    if entry["mode"] == "incremental" and state and state["value"] is not None:
        back = f", looking back {request['look_back']}" if request.get("look_back") else ""
        return f"rows from {state['cursor']} = {state['value']} on{back}"
    if entry["mode"] == "merge":
        gone = ", delete what is gone" if request.get("delete_missing") else ""
        return f"update and add rows by {', '.join(request.get('key', ()))}{gone}"
    return {"append": "add all rows again"}.get(entry["mode"], "replace all rows")


def succeeded(load_id: str, request: IngestRequest, results: Sequence[Loaded], elapsed_ms: int) -> list[dict[str, Any]]:
    """The lines of the history for a load that is committed."""
    return [
        {
            **_line(load_id, request, "succeeded", elapsed_ms),
            "table": each.result.table,
            **{name: getattr(each.result, name) for name in ("inserted", "updated", "deleted", "rejected")},
            "table_rows": each.table_rows,
        }
        for each in results
    ]


def failed(load_id: str, request: IngestRequest, error: dict[str, Any], elapsed_ms: int) -> list[dict[str, Any]]:
    """The line of the history for a load that changed nothing."""
    return [{**_line(load_id, request, "failed", elapsed_ms), "table": request.target, "error": error}]


def _line(load_id: str, request: IngestRequest, status: str, elapsed_ms: int) -> dict[str, Any]:
    asked = {name: value for name, value in secret_references.public(request.to_dict()).items() if name != "target"}
    return {"load_id": load_id, "ended_at": _now(), "status": status, "elapsed_ms": elapsed_ms, **asked}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _foreign_keys(assignment: Assignment, all_of_them: Sequence[Assignment]) -> list[dict[str, Any]]:
    """Foreign keys to tables of the same load, under the names that these have in the warehouse."""
    targets = {
        (source.schema.casefold(), source.name.casefold()): each.target
        for each in all_of_them
        for source in each.sources
    }
    keys = assignment.sources[0].keys.foreign_keys
    found = ((key, targets.get((key.ref_schema.casefold(), key.ref_table.casefold()))) for key in keys)
    return [_foreign_key(key, target) for key, target in found if target]


def _foreign_key(key: ForeignKey, target: Target) -> dict[str, Any]:
    return {
        "columns": list(key.columns),
        "ref_schema": target.schema,
        "ref_table": target.table,
        "ref_columns": list(key.ref_columns),
    }
