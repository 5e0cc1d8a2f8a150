"""A first staging layer for tables that were loaded: sources, models that rename and cast, tests that hold on the data.

Proposed from the data itself: a text column whose every value is a date becomes a date; `unique`, `not_null`,
`accepted_values` and `relationships` are written where they hold now. Nothing that is there is overwritten.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from pluto_duck_backend.app.core.config import DbtSettings
from pluto_duck_backend.app.core.dbt_models import models
from pluto_duck_backend.app.core.errors import NotFound
from pluto_duck_backend.app.core.lineage import Entry, entries
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.core.warehouse import Session, Warehouse, quote
from pluto_duck_backend.app.services.transformation.project import project_at, project_name, write_new
from pluto_duck_text2sql.trees.reserved import RESERVED

_CASTS = {
    "bigint": r"[+-]?\d{1,18}",
    "decimal(18, 4)": r"[+-]?\d{1,14}(\.\d{1,4})?",
    "double": r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?",
    "date": r"\d{4}-\d\d-\d\d",
    "timestamp": r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d.*",
    "boolean": r"(?i)true|false",
}
"""The types that a text may be cast to, the narrowest first, and how their values are written: a cast alone rounds."""
_FEW_VALUES = 12
_ROWS_PER_VALUE = 5
_NO_CATEGORY = re.compile(r"['{}]|.{41}", re.DOTALL)
"""A text that is no category: too long, or with signs that dbt would read in the test's SQL."""


@dataclass
class _Column:
    """A column as staged: its SQL over the source, and what holds of it."""

    name: str
    sql: str
    is_text: bool
    type: str = ""
    #   DuckDB's, once it is staged
    tests: list[Any] = field(default_factory=list)


@dataclass
class _Staged:
    """One table as its staging model would be."""

    schema: str
    table: str
    model: str
    source: str
    columns: list[_Column]
    key: str = ""

    @property
    def key_type(self) -> str:
        """Of its key."""
        return next((each.type for each in self.columns if each.name == self.key), "")

    def select(self, source: str) -> str:
        lines = ",\n".join(f"  {_as(each)}" for each in self.columns)
        return f"select\n{lines}\nfrom {source}\n"


class ScaffoldService:
    """Writes into the project of one data root, or another by path."""

    def __init__(self, warehouse: Warehouse, paths: Paths, settings: DbtSettings) -> None:
        self._warehouse, self._paths, self._settings = warehouse, paths, settings

    def scaffold(self, tables: Sequence[str] = (), project_dir: str | None = None) -> dict[str, Any]:
        """`{project, files}` for these tables, or all loaded that are no source yet. Raises NotFound, Conflict."""
        project = project_at(project_dir or self._settings.project_dir, self._paths)
        found = self._tables(tables, project_name(project))
        with self._warehouse.read() as session:
            staged = [_staged(session, each) for each in found]
            _tell_apart(staged)
            _relate(session, staged)
        files = {f"models/staging/{each.model}.sql": each.select(_source(each)) for each in staged}
        for schema in dict.fromkeys(each.schema for each in staged):
            own = [each for each in staged if each.schema == schema]
            files[f"models/staging/{schema}_scaffold.yml"] = _properties(schema, own)
        write_new(project, files)
        return {"project": str(project), "files": sorted(files)}

    def _tables(self, wanted: Sequence[str], project: str) -> list[Entry]:
        """The loaded tables that are wanted, or all that the project does not read yet."""
        loaded = {f"{each['schema']}.{each['table']}": each for each in entries(self._paths)}
        if wanted:
            return _named(loaded, [each if "." in each else f"main.{each}" for each in wanted])
        known = {each.key for each in models(self._paths).relations if each.project == project}
        left = [each for each in loaded.values() if (each["schema"], each["table"]) not in known]
        if not left:
            raise NotFound(
                "There is no loaded table that the project does not read already.",
                code="nothing_to_scaffold",
                hint="Load one with `pluto-duck ingest`, or name a table.",
            )
        return left


def _named(loaded: Mapping[str, Entry], names: Sequence[str]) -> list[Entry]:
    missing = [each for each in names if each not in loaded]
    if missing:
        raise NotFound(
            f"No table {missing[0]!r} was loaded.",
            code="table_not_found",
            hint=f"Loaded: {', '.join(loaded) or 'nothing yet'}.",
        )
    return [loaded[each] for each in names]


def _staged(session: Session, entry: Entry) -> _Staged:
    schema, table = entry["schema"], entry["table"]
    plain = re.sub(r"^raw_", "", _snake(table))
    source = f"{quote(schema)}.{quote(table)}"
    described = session.rows(f"SELECT column_name, column_type FROM (DESCRIBE {source})")
    columns = [_column(session, source, name, kind) for name, kind in described]
    _call_apart(columns)
    staged = _Staged(schema, table, f"stg_{plain}", str(entry.get("source") or ""), columns)
    _test(session, staged, source, [_snake(each) for each in entry.get("primary_key") or ()])
    return staged


def _call_apart(columns: Sequence[_Column]) -> None:
    """Columns that would be called the same, `unit price` and `Unit_Price`, get a number."""
    times = Counter[str]()
    for column in columns:
        times[column.name] += 1
        column.name += f"_{times[column.name]}" if times[column.name] > 1 else ""


def _tell_apart(staged: Sequence[_Staged]) -> None:
    """Tables called the same in two schemas become models with the schema in their names."""
    times = Counter(each.model for each in staged)
    for each in staged:
        if times[each.model] > 1:
            each.model = f"stg_{_snake(each.schema)}_{each.model.removeprefix('stg_')}"


def _column(session: Session, source: str, name: str, kind: str) -> _Column:
    column, spelt = quote(name), name if name == _snake(name) else quote(name)
    if kind != "VARCHAR":
        return _Column(_snake(name), spelt, False)
    text = f"nullif(trim({column}), '')"
    tried = ", ".join(
        f"count(*) FILTER (regexp_full_match({text}, '{written}') AND try_cast({text} AS {each}) IS NOT NULL)"
        for each, written in _CASTS.items()
    )
    row = session.row(
        f"SELECT count({text}), count(*) FILTER ({column} <> {text} OR {column} = ''), {tried} FROM {source}"
    )
    filled, untidy, *cast = row or (0, 0)
    shown = f"nullif(trim({spelt}), '')" if untidy else spelt
    fitting = next((each for each, count in zip(_CASTS, cast, strict=True) if filled and count == filled), "")
    if fitting == "bigint" and _has_leading_zeros(session, source, text):
        fitting = ""  # 01234 is a code
    return _Column(_snake(name), f"cast({shown} as {fitting})" if fitting else shown, not fitting)


def _has_leading_zeros(session: Session, source: str, text: str) -> bool:
    return session.row(f"SELECT 1 FROM {source} WHERE {text} SIMILAR TO '0[0-9]+' LIMIT 1") is not None


def _test(session: Session, staged: _Staged, source: str, declared: Sequence[str]) -> None:
    """`unique` for the key, `not_null` and `accepted_values` where they hold."""
    inner = f"({staged.select(source)})"
    described = session.rows(f"SELECT column_name, column_type FROM (DESCRIBE {inner})")
    types = {name.casefold(): kind for name, kind in described}  # an alias may keep the letters of its column
    parts = ", ".join(f"count({quote(e.name)}), count(DISTINCT {quote(e.name)})" for e in staged.columns)
    row = session.row(f"SELECT count(*), {parts} FROM {inner}") or (0,)
    rows = row[0]
    counts = {each.name: row[1 + 2 * n : 3 + 2 * n] for n, each in enumerate(staged.columns)}
    staged.key = _key(counts, rows, declared)
    for column in staged.columns:
        column.type = types[column.name.casefold()]
        filled, distinct = counts[column.name]
        column.tests += ["unique"] if column.name == staged.key else []
        column.tests += ["not_null"] if filled == rows and rows else []
        if column.is_text and 0 < distinct <= min(_FEW_VALUES, rows / _ROWS_PER_VALUE):
            column.tests += _accepted(session, column, inner)


def _key(counts: Mapping[str, Sequence[int]], rows: int, declared: Sequence[str]) -> str:
    """The column that names each row, where one is declared to, or is called so."""
    keys = [name for name, (filled, distinct) in counts.items() if rows and filled == distinct == rows]
    likely = [each for each in keys if each in declared or re.search(r"(?:^|_)(?:id|key|code)$", each)]
    return next(iter(likely), "")


def _accepted(session: Session, column: _Column, inner: str) -> list[Any]:
    """`accepted_values`, where these are categories."""
    name = quote(column.name)
    rows = session.rows(f"SELECT DISTINCT {name} FROM {inner} WHERE {name} IS NOT NULL ORDER BY 1")
    values = [value for (value,) in rows]
    is_category = not any(map(_NO_CATEGORY.search, values))
    return [{"accepted_values": {"arguments": {"values": values}}}] if is_category else []


def _relate(session: Session, staged: Sequence[_Staged]) -> None:
    """`relationships` from columns called and typed like another table's key, where every value is found there."""
    for child in staged:
        for column in child.columns:
            parents = (each for each in staged if each is not child and _may_point(column, each))
            for parent in (each for each in parents if not _has_orphans(session, child, column, each)):
                to = {"to": f"ref('{parent.model}')", "field": parent.key}
                column.tests.append({"relationships": {"arguments": to}})


def _may_point(column: _Column, parent: _Staged) -> bool:
    return bool(parent.key) and (column.name, column.type) == (_pointing(parent), parent.key_type)


def _has_orphans(session: Session, child: _Staged, column: _Column, parent: _Staged) -> bool:
    """Whether a value of the column is none of the parent's key."""
    ours, theirs = (f"({each.select(f'{quote(each.schema)}.{quote(each.table)}')})" for each in (child, parent))
    own, key = quote(column.name), quote(parent.key)
    orphan = session.row(
        f"SELECT 1 FROM {ours} AS c ANTI JOIN {theirs} AS p ON c.{own} = p.{key} WHERE c.{own} IS NOT NULL"
    )
    return orphan is not None


def _pointing(parent: _Staged) -> str:
    """What a column that points at a table's key is called: `customer_id`, also where the key is `id`."""
    return parent.key if parent.key != "id" else f"{parent.model.removeprefix('stg_').rstrip('s')}_id"


def _properties(schema: str, staged: Sequence[_Staged]) -> str:
    tables = [{"name": each.table, "description": f"Loaded from {Path(each.source).name}."} for each in staged]
    described = [
        {"name": each.model, "columns": [_described(column) for column in each.columns if column.tests]}
        for each in staged
    ]
    whole: Mapping[str, Any] = {
        "version": 2,
        "sources": [{"name": schema, "schema": schema, "tables": tables}],
        "models": described,
    }
    return str(yaml.safe_dump(whole, sort_keys=False, allow_unicode=True, width=110))


def _described(column: _Column) -> dict[str, Any]:
    return {"name": column.name, "data_tests": column.tests}


def _source(staged: _Staged) -> str:
    return f"{{{{ source('{staged.schema}', '{staged.table}') }}}}"


def _as(column: _Column) -> str:
    return column.sql if column.sql == column.name else f"{column.sql} as {column.name}"


def _snake(name: str) -> str:
    """`OrderDate`, `order date` and `Order-Date` are order_date; what SQL takes for its own, `order`, is order_."""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    made = re.sub(r"\W+", "_", split).strip("_").lower() or "column"
    return f"n_{made}" if made[0].isdigit() else f"{made}_" if made.upper() in RESERVED else made
