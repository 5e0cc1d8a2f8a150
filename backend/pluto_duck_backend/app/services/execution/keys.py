"""Primary and foreign keys: those declared, then those the data itself bears out.

A key is inferred only where names suggest it (`customer_id` and customers' key), the target is unique, and every value
of the source is found in it; it is marked as inferred.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pluto_duck_backend.app.core.warehouse import Session, quote
from pluto_duck_text2sql.catalog import Column, ForeignKey, Table
from pluto_duck_text2sql.words import PREFIXES, name_stems

_PLAIN = (("id",), ("key",), ("code",), ("number",), ("name",))
_MOST_ROWS_CHECKED = 5_000_000
_ID = re.compile(r"(?:^|_)(?:id|key|code|no|number|nr)$|(?<=[a-z])(?:ID|Id|Key|Code)$", re.IGNORECASE)


def key_columns(
    session: Session, key: tuple[str, str], declared: Mapping[str, Any]
) -> tuple[tuple[str, ...], tuple[ForeignKey, ...]]:
    """The declared keys of a table: its constraints in DuckDB, then those its source declared."""
    rows = session.rows(
        "SELECT constraint_type, constraint_column_names, referenced_table, referenced_column_names "
        "FROM duckdb_constraints() WHERE schema_name = ? AND table_name = ?",
        key,
    )
    primary = next((tuple(row[1]) for row in rows if row[0] == "PRIMARY KEY"), tuple(declared.get("primary_key") or ()))
    foreign = [ForeignKey(tuple(row[1]), key[0], row[2], tuple(row[3])) for row in rows if row[0] == "FOREIGN KEY"]
    for each in declared.get("foreign_keys") or ():
        foreign.append(
            ForeignKey(tuple(each["columns"]), each["ref_schema"], each["ref_table"], tuple(each["ref_columns"]))
        )
    return primary, tuple(dict.fromkeys(foreign))


def infer_keys(session: Session, tables: Sequence[Table]) -> tuple[Table, ...]:
    """The tables with the keys added that nobody declared and the data bears out."""
    keyed = [table if table.primary_key else replace(table, primary_key=_unique_id(table)) for table in tables]
    parents = [table for table in keyed if len(table.primary_key) == 1]
    return tuple(
        replace(table, foreign_keys=(*table.foreign_keys, *_inferred(session, table, parents))) for table in keyed
    )


def _unique_id(table: Table) -> tuple[str, ...]:
    """The first column that is called like a key of this very table and holds a different value in every row."""
    own = [each for each in name_stems(table.name) if each not in PREFIXES]
    for column in table.columns:
        stems = table.stems(column.name)
        glued = len(stems) == 1 and any(stems[0] == f"{each}key" or stems[0] == f"{each}id" for each in own)
        named = stems == ("id",) or glued or (_ID.search(column.name) and set(stems[:-1]) <= set(own))
        if named and column.n_distinct and column.n_distinct == table.row_count and not column.null_fraction:
            return (column.name,)
    return ()


def _inferred(session: Session, table: Table, parents: Sequence[Table]) -> list[ForeignKey]:
    declared = {each.casefold() for key in table.foreign_keys for each in key.columns}
    found = []
    for column in table.columns:
        if column.name.casefold() in declared or (column.name,) == table.primary_key:
            continue
        fitting = [parent for parent in parents if _suggests(table, column, parent)]
        for parent in sorted(fitting, key=lambda each: (each.schema != table.schema, -each.preference)):
            if _included(session, table, column, parent):
                key = ForeignKey((column.name,), parent.schema, parent.name, parent.primary_key, inferred=True)
                found.append(key)
                break
    return found


def _suggests(table: Table, column: Column, parent: Table) -> bool:
    """Names: `customer_id` for customers' `customer_id` or `id`, in the same schema, of the same kind."""
    key = parent.column(parent.primary_key[0])
    if parent.key == table.key or key is None or key.kind != column.kind or parent.schema != table.schema:
        return False
    stems, key_stems = table.stems(column.name), parent.stems(key.name)
    own = tuple(each for each in name_stems(parent.name) if each not in PREFIXES)
    same = stems == key_stems and key_stems not in _PLAIN
    return (
        same or (len(key_stems) > 1 and stems[-len(key_stems) :] == key_stems) or stems[-len(own) - 1 :] == (*own, "id")
    )


def _included(session: Session, table: Table, column: Column, parent: Table) -> bool:
    if not table.row_count or table.row_count > _MOST_ROWS_CHECKED:
        return False
    source, target = quote(column.name), quote(parent.primary_key[0])
    missing = session.row(
        f"SELECT 1 FROM {quote(table.schema)}.{quote(table.name)} AS s WHERE s.{source} IS NOT NULL AND NOT EXISTS "
        f"(SELECT 1 FROM {quote(parent.schema)}.{quote(parent.name)} AS p WHERE p.{target} = s.{source}) LIMIT 1"
    )
    return missing is None
