"""Which source table goes into which table of the warehouse, and what the ingestion catalog says of it.

The service calls it between opening and loading. What must stay true: two source tables share a target only where the
user named that target.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from pluto_duck_backend.app.core.errors import Conflict, InvalidInput, did_you_mean
from pluto_duck_backend.app.core.lineage import Entry
from pluto_duck_backend.app.services.ingestion.contract import SourceTable
from pluto_duck_backend.app.services.ingestion.loader import Assignment
from pluto_duck_backend.app.services.ingestion.names import ALL, Target, parse_target
from pluto_duck_backend.app.services.ingestion.requests import IngestRequest, TableResult


def assign(tables: Sequence[SourceTable], target: str | None) -> list[Assignment]:
    """A target for each table. Raises InvalidInput or Conflict where names do not come out."""
    wanted = parse_target(target) if target else None
    if wanted is None:
        return _each(tables, None)
    if wanted.table == ALL:
        return _each(tables, wanted.schema)
    owned = [each for each in tables if each.own_name]
    if len(tables) == 1 or not owned:
        return [Assignment(wanted, tuple(tables))]
    return [Assignment(wanted, (_picked(owned, wanted),))]


def _each(tables: Sequence[SourceTable], schema: str | None) -> list[Assignment]:
    found: dict[tuple[str, str], Assignment] = {}
    for each in tables:
        target = Target(schema or each.schema, each.name)
        other = found.get(target.folded())
        if other:
            raise Conflict(
                f"{other.sources[0].origin} and {each.origin} both would become table {target}.",
                code="same_table_name",
                hint="Name the table with --table to load both into one, or load them one by one.",
            )
        found[target.folded()] = Assignment(target, (each,))
    return list(found.values())


def _picked(tables: Sequence[SourceTable], wanted: Target) -> SourceTable:
    """The table of a database source that has the target's name."""
    for each in tables:
        if each.name.casefold() == wanted.table.casefold():
            return each
    names = [each.name for each in tables]
    raise InvalidInput(
        f"The source holds {len(names)} tables and none is called {wanted.table!r}: {', '.join(names[:20])}."
        f" {did_you_mean(wanted.table, names)}".rstrip(),
        code="table_not_in_source",
        hint="Leave --table out to load all, name one of them, or write schema.* for the schema to put them in.",
    )


def describe(
    assignments: Sequence[Assignment], results: Sequence[TableResult], request: IngestRequest, known: Sequence[Entry]
) -> list[Entry]:
    """The entries of the ingestion catalog for what was just loaded."""
    return [
        _entry(each, result, assignments, request, known) for each, result in zip(assignments, results, strict=True)
    ]


def _entry(
    assignment: Assignment,
    result: TableResult,
    all_of_them: Sequence[Assignment],
    request: IngestRequest,
    known: Sequence[Entry],
) -> Entry:
    target, keys = assignment.target, assignment.sources[0].keys
    before = _before(target, known) if request.mode == "append" else {}
    return {
        "schema": target.schema,
        "table": target.table,
        "connector": request.connector,
        "source": "; ".join(each.origin for each in assignment.sources),
        "source_table": assignment.sources[0].name,
        "mode": request.mode,
        "loaded_at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "loads": before.get("loads", 0) + 1,
        "rows": before.get("rows", 0) + result.rows,
        "columns": result.columns,
        "primary_key": before.get("primary_key", list(keys.primary_key)),
        "foreign_keys": before.get("foreign_keys", _foreign_keys(assignment, all_of_them)),
    }


def _before(target: Target, known: Sequence[Entry]) -> dict[str, Any]:
    for each in known:
        if (each["schema"].casefold(), each["table"].casefold()) == target.folded():
            return each
    return {}


def _foreign_keys(assignment: Assignment, all_of_them: Sequence[Assignment]) -> list[dict[str, Any]]:
    """Foreign keys to tables of the same load, under the names that these have in the warehouse."""
    targets = {
        (source.schema.casefold(), source.name.casefold()): each.target
        for each in all_of_them
        for source in each.sources
    }
    keys = []
    for key in assignment.sources[0].keys.foreign_keys:
        target = targets.get((key.ref_schema.casefold(), key.ref_table.casefold()))
        if target:
            keys.append(
                {
                    "columns": list(key.columns),
                    "ref_schema": target.schema,
                    "ref_table": target.table,
                    "ref_columns": list(key.ref_columns),
                }
            )
    return keys
