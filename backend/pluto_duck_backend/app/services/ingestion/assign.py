"""Which source table goes into which table of the warehouse.

The service calls it between opening and loading. What must stay true: two source tables share a target only where the
user named that target.
"""

from __future__ import annotations

from collections.abc import Sequence

from pluto_duck_backend.app.core.errors import Conflict, InvalidInput, did_you_mean
from pluto_duck_backend.app.services.ingestion.assignment import Assignment
from pluto_duck_backend.app.services.ingestion.contract import SourceTable
from pluto_duck_backend.app.services.ingestion.names import ALL, Target, parse_target


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
