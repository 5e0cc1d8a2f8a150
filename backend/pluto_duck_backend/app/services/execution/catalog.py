"""What is in the warehouse, as the analyst, the API and people want to know it.

Tables, columns, keys (declared, and inferred from names, uniqueness and inclusion), comments, row counts, statistics
and an index of text values. Kept per table and looked at again only where the table changed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pluto_duck_backend.app.core.config import Settings
from pluto_duck_backend.app.core.errors import NotFound, did_you_mean
from pluto_duck_backend.app.core.lineage import declared_keys
from pluto_duck_backend.app.core.warehouse import Session, Warehouse, quote
from pluto_duck_backend.app.services.execution.guard import Key, Known, Relation, Rights
from pluto_duck_backend.app.services.execution.keys import infer_keys, key_columns
from pluto_duck_backend.app.services.execution.results import json_value
from pluto_duck_text2sql.catalog import Catalog, Column, ForeignKey, Table
from pluto_duck_text2sql.values import ValueIndex

_PREFERENCE = {"marts": 2.0, "mart": 2.0, "analytics": 2.0, "reporting": 2.0, "staging": -1.0, "stg": -1.0, "raw": -2.0}
_SAMPLED_FROM = 5_000_000
_LONGEST_VALUE = 100
_SAMPLES = 5


@dataclass(frozen=True)
class _Known:
    """A table as last looked at; `mark` tells whether it has changed since."""

    mark: tuple[Any, ...]
    table: Table
    values: list[tuple[str, str, str, str]]


class CatalogService:
    """The catalog of one warehouse, or of the part of it that `rights` show. Thread-safe."""

    def __init__(
        self,
        warehouse: Warehouse,
        settings: Settings,
        rights: Rights | None = None,
        known: Callable[[], Known] = Known,
    ) -> None:
        self._warehouse = warehouse
        self._settings = settings
        self._rights = rights
        self._names = known
        self._lock = threading.Lock()
        self._known: dict[Key, _Known] = {}
        self._values = ValueIndex()
        self._made: tuple[int, Catalog] | None = None

    def catalog(self) -> Catalog:
        """The catalog of what is committed now."""
        with self._lock:
            version = self._warehouse.version
            if self._made is None or self._made[0] != version:
                self._made = (version, self._make())
            return self._made[1]

    def describe(self) -> dict[str, Any]:
        """`{tables: […]}`, without statistics."""
        return {"tables": [_described(table) for table in self.catalog().tables]}

    def describe_table(self, name: str) -> dict[str, Any]:
        """One table, `name` or `schema.name`, with statistics and sample values. Raises NotFound."""
        tables = self.catalog().tables
        wanted = name.casefold()
        found = [each for each in tables if wanted in (f"{each.schema}.{each.name}".casefold(), each.name.casefold())]
        if not found:
            names = [shown for each in tables for shown in (each.name, f"{each.schema}.{each.name}")]
            raise NotFound(
                f"There is no table {name!r}. {did_you_mean(name, names)}".rstrip(),
                code="table_not_found",
                hint="`pluto-duck schema` lists the tables there are.",
            )
        best = max(found, key=lambda each: (f"{each.schema}.{each.name}".casefold() == wanted, each.preference))
        return _described(best, statistics=True)

    def _make(self) -> Catalog:
        with self._warehouse.read() as session:
            shown = self._shown()
            seen = {key: mark for key, mark in _marks(session).items() if shown is None or _folded(key) in shown}
            for key in [key for key in self._known if key not in seen]:
                del self._known[key]
                self._values.replace(*key, ())
            for key, mark in seen.items():
                if key not in self._known or self._known[key].mark != mark:
                    self._look(session, key, mark)
            tables = tuple(_within(self._known[key].table, seen) for key in seen)
            return Catalog(infer_keys(session, tables), self._values)

    def _shown(self) -> Mapping[Key, Relation] | None:
        """The relations that may be seen; None: all."""
        return None if self._rights is None else self._rights.visible(self._names()).relations

    def _source(self, key: Key) -> str:
        """What a table is read from: itself, or what may be seen of it."""
        if self._rights is None:
            return _name(key)
        relation = self._rights.visible(self._names()).relations[_folded(key)]
        return f"({self._rights.confined(relation, self._names())})"

    def _look(self, session: Session, key: Key, mark: tuple[Any, ...]) -> None:
        keys = declared_keys(self._settings.paths).get(key, {})
        shown = self._shown()
        visible = None if shown is None else set(shown[_folded(key)].columns)
        source = self._source(key)
        table = _table(session, key, source, keys, visible)
        values = self._values_of(session, table, source)
        self._known[key] = _Known(mark, table, values)
        self._values.replace(*key, values)

    def _values_of(self, session: Session, table: Table, source: str) -> list[tuple[str, str, str, str]]:
        """The distinct short texts of each text column that describes rather than identifies."""
        limit = self._settings.catalog.values_per_column
        room = self._settings.catalog.values_total - sum(len(each.values) for each in self._known.values())
        found: list[tuple[str, str, str, str]] = []
        for column in table.columns:
            if column.kind == "text" and len(found) < room:
                found += ((*table.key, column.name, value) for value in _distinct(session, source, column.name, limit))
        return found[: max(room, 0)]


def _marks(session: Session) -> dict[Key, tuple[Any, ...]]:
    """What changes when a table does: its identity, size and definition."""
    tables = session.rows(
        "SELECT schema_name, table_name, table_oid, estimated_size, column_count, comment FROM duckdb_tables() "
        "WHERE NOT internal AND NOT temporary ORDER BY ALL"
    )
    views = session.rows(
        "SELECT schema_name, view_name, view_oid, sql, column_count, comment FROM duckdb_views() "
        "WHERE NOT internal AND NOT temporary ORDER BY ALL"
    )
    return {(row[0], row[1]): tuple(row[2:]) for row in [*tables, *views]}


def _table(session: Session, key: Key, source: str, declared: dict[str, Any], visible: set[str] | None) -> Table:
    kind, comment = _kind(session, key)
    rows = session.rows(
        "SELECT column_name, data_type, is_nullable, comment FROM duckdb_columns() "
        "WHERE schema_name = ? AND table_name = ? ORDER BY column_index",
        key,
    )
    count = (session.row(f"SELECT count(*) FROM {source}") or (0,))[0]
    plain = [
        Column(str(name), str(kind_), comment or "", bool(nullable))
        for name, kind_, nullable, comment in rows
        if visible is None or name in visible
    ]
    columns = tuple(_statistics(session, source, plain, int(count)))
    primary, foreign = key_columns(session, key, declared)
    if visible is not None:
        primary = primary if visible.issuperset(primary) else ()
        foreign = tuple(each for each in foreign if visible.issuperset(each.columns))
    return Table(key[1], key[0], columns, primary, foreign, comment, int(count), kind, _PREFERENCE.get(key[0], 0.0))


def _kind(session: Session, key: Key) -> tuple[str, str]:
    row = session.row("SELECT comment FROM duckdb_views() WHERE schema_name = ? AND view_name = ?", key)
    if row:
        return "view", row[0] or ""
    row = session.row("SELECT comment FROM duckdb_tables() WHERE schema_name = ? AND table_name = ?", key)
    return "table", (row[0] if row else "") or ""


def _statistics(session: Session, source: str, columns: Sequence[Column], count: int) -> list[Column]:
    """Distinct values, least, greatest and share of NULLs of every column, in one pass over the table."""
    if not columns or not count:
        return list(columns)
    parts = [part for column in columns for part in _measured(column)]
    sample = f" USING SAMPLE {_SAMPLED_FROM} ROWS" if count > _SAMPLED_FROM else ""
    row = session.row(f"SELECT {', '.join(parts)} FROM (FROM {source}{sample})") or ()
    return [_measured_column(column, row[4 * n : 4 * n + 4], count) for n, column in enumerate(columns)]


def _measured(column: Column) -> list[str]:
    name = quote(column.name)
    ordered = column.kind in ("number", "time")
    distinct = f"count(DISTINCT {name})" if column.kind != "other" else "NULL"
    least, greatest = (f"min({name})", f"max({name})") if ordered else ("NULL", "NULL")
    return [distinct, least, greatest, f"count({name}) / count(*)"]


def _measured_column(column: Column, measured: Sequence[Any], count: int) -> Column:
    distinct, least, greatest, filled = measured
    return Column(
        column.name,
        column.type,
        column.comment,
        column.nullable,
        distinct,
        least,
        greatest,
        None if filled is None else round(1 - filled, 6),
    )


def _distinct(session: Session, source: str, column: str, limit: int) -> list[str]:
    name = quote(column)
    rows = session.rows(
        f"SELECT CAST({name} AS VARCHAR) FROM {source} "
        f"WHERE {name} IS NOT NULL AND length(CAST({name} AS VARCHAR)) BETWEEN 1 AND {_LONGEST_VALUE} "
        f"GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT {limit}"
    )
    return [row[0] for row in rows]


def _name(key: Key) -> str:
    return f"{quote(key[0])}.{quote(key[1])}"


def _within(table: Table, seen: Collection[Key]) -> Table:
    """The table without keys that point to one that is not there, or not to be seen."""
    kept = tuple(each for each in table.foreign_keys if (each.ref_schema, each.ref_table) in seen)
    return table if len(kept) == len(table.foreign_keys) else replace(table, foreign_keys=kept)


def _folded(key: Key) -> Key:
    return key[0].casefold(), key[1].casefold()


def _described(table: Table, *, statistics: bool = False) -> dict[str, Any]:
    return {
        "schema": table.schema,
        "table": table.name,
        "kind": table.kind,
        "comment": table.comment,
        "row_count": table.row_count,
        "columns": [_described_column(column, statistics) for column in table.columns],
        "primary_key": list(table.primary_key),
        "foreign_keys": [_described_key(key) for key in table.foreign_keys],
    }


def _described_column(column: Column, statistics: bool) -> dict[str, Any]:
    plain = {"name": column.name, "type": column.type, "nullable": column.nullable, "comment": column.comment}
    if not statistics:
        return plain
    return {
        **plain,
        "n_distinct": column.n_distinct,
        "minimum": json_value(column.minimum),
        "maximum": json_value(column.maximum),
        "null_fraction": column.null_fraction,
    }


def _described_key(key: ForeignKey) -> dict[str, Any]:
    return {
        "columns": list(key.columns),
        "references": f"{key.ref_schema}.{key.ref_table}",
        "ref_columns": list(key.ref_columns),
        "inferred": key.inferred,
    }
