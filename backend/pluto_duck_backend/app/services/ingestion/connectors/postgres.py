"""PostgreSQL through DuckDB's extension: every ordinary and partitioned table of every schema, with keys and comments.

What must stay true: what the extension would change (numbers without a precision, domains, money) comes as the
server's own text or base type, see `server`. Views are read where the option `views` is true.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from pluto_duck_backend.app.core.warehouse import Session, literal, quote
from pluto_duck_backend.app.services.ingestion.connectors import server
from pluto_duck_backend.app.services.ingestion.connectors.server import Dialect, Found, Reading, Way
from pluto_duck_backend.app.services.ingestion.contract import Config, ForeignKey, Keys, Since, SourceTable, Toolbox

_BETWEEN = "\x1f"
_OWN = "n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%'"
_COLUMNS = f"""
SELECT n.nspname, c.relname, coalesce(obj_description(c.oid, 'pg_class'), '') AS note, c.reltuples::bigint, a.attname,
  coalesce(nullif(t.typbasetype, 0)::regtype::text, '') AS base, coalesce(b.typname, t.typname) AS kind,
  CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END AS modifier, coalesce(e.typname, '') AS element,
  coalesce(nullif(e.typbasetype, 0)::regtype::text, '') AS element_base,
  coalesce(col_description(c.oid, a.attnum), '') AS column_note, a.attndims
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_type b ON b.oid = t.typbasetype
LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
WHERE c.relkind IN (KINDS) AND NOT c.relispartition AND {_OWN}
ORDER BY n.nspname, c.oid, a.attnum"""
_KEYS = f"""
SELECT n.nspname, c.relname, k.contype::text, NAMES(k.conrelid, k.conkey) AS columns, coalesce(fn.nspname, '') AS there,
  coalesce(f.relname, '') AS ref_table, coalesce(NAMES(k.confrelid, k.confkey), '') AS ref_columns
FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_class f ON f.oid = k.confrelid LEFT JOIN pg_namespace fn ON fn.oid = f.relnamespace
WHERE k.contype IN ('p', 'u', 'f') AND {_OWN} ORDER BY k.oid"""


@dataclass(frozen=True)
class _Type:
    """A column's type: `base` is what a domain stands for, `element` what an array of `depth` dimensions holds."""

    name: str
    modifier: int
    base: str = ""
    element: str = ""
    element_base: str = ""
    depth: int = 0


class PostgresServer:
    name = "postgres"
    summary = "PostgreSQL databases"
    suffixes: tuple[str, ...] = ()
    schemes: tuple[str, ...] = ("postgres", "postgresql")

    def open(self, config: Config, tools: Toolbox) -> AbstractContextManager[Sequence[SourceTable]]:
        """`config`: `url`, or host, port, database, user, password; `schemas`, `tables`, `views`."""

        def read(session: Session, alias: str, where: str) -> list[SourceTable]:
            found = server.wanted(_found(session, alias, views=bool(config.get("views"))), config, where)
            return [_table(tools, alias, where, each) for each in found]

        return server.opened(tools, config, "postgres", read)


def _found(session: Session, alias: str, *, views: bool) -> list[Found]:
    kinds = "'r', 'p', 'f'" + (", 'v', 'm'" if views else "")
    keys = _keys(session, alias)
    grouped: dict[tuple[str, str], list[tuple[Any, ...]]] = defaultdict(list)
    for row in _POSTGRES.asked(session, alias, _COLUMNS.replace("KINDS", kinds)):
        grouped[(row[0], row[1])].append(row)
    return [
        Found(
            schema=schema,
            name=name,
            columns=tuple((row[4], _Type(row[6], row[7], row[5], row[8], row[9], row[11])) for row in rows),
            keys=keys.get((schema, name), Keys()),
            comment=rows[0][2],
            column_comments={row[4]: row[10] for row in rows if row[10]},
            rows=rows[0][3] if rows[0][3] >= 0 else None,
        )
        for (schema, name), rows in grouped.items()
    ]


def _keys(session: Session, alias: str) -> dict[tuple[str, str], Keys]:
    grouped: dict[tuple[str, str], list[tuple[Any, ...]]] = defaultdict(list)
    for schema, table, *rest in _POSTGRES.asked(session, alias, _with_names(_KEYS)):
        grouped[(schema, table)].append(tuple(rest))
    return {name: _keys_of(rows) for name, rows in grouped.items()}


def _with_names(sql: str) -> str:
    """Column numbers of a constraint as their names, in the constraint's order."""
    for table, numbers in (("k.conrelid", "k.conkey"), ("k.confrelid", "k.confkey")):
        names = (
            f"(SELECT string_agg(a.attname, E'\\x1f' ORDER BY u.place) FROM unnest({numbers})"
            f" WITH ORDINALITY AS u(number, place) JOIN pg_attribute a ON a.attrelid = {table} AND a.attnum = u.number)"
        )
        sql = sql.replace(f"NAMES({table}, {numbers})", names)
    return sql


def _keys_of(rows: Sequence[tuple[Any, ...]]) -> Keys:
    split = [(kind, tuple(names.split(_BETWEEN)), *rest) for kind, names, *rest in rows]
    primary = [names for kind, names, *_ in split if kind == "p"]
    return Keys(
        primary[0] if primary else (),
        tuple(names for kind, names, *_ in split if kind == "u"),
        tuple(
            ForeignKey(names, table, tuple(there.split(_BETWEEN)), schema)
            for kind, names, schema, table, there in split
            if kind == "f"
        ),
    )


def _table(tools: Toolbox, alias: str, where: str, found: Found) -> SourceTable:
    def way(part: str) -> Way:
        with tools.read() as session:
            return _way(session, alias, found, part)

    return server.table(_POSTGRES, alias, where, found, way)


def _way(session: Session, alias: str, found: Found, part: str) -> Way:
    readings, warnings = [], []
    exact = {name: _exact_number(name, kind) for name, kind in found.columns}
    of_table = _types(session, alias, found)
    types = _decimals(session, alias, found, [(name, each) for name, each in exact.items() if each], part)
    for name, kind in found.columns:
        if exact[name]:
            readings.append(Reading(name, f"({exact[name]})::text", f"CAST({{}} AS {types[name]})"))
            if types[name] == "VARCHAR":
                warnings.append(f"column {name} holds numbers that no DECIMAL of 38 digits does, so it becomes VARCHAR")
        else:
            readings.append(_reading(name, kind))
        if kind.element == "numeric" and readings[-1].server:
            warnings.append(f"column {name} is an array of numbers without a precision, so it becomes VARCHAR[]")
    pairs = zip(readings, found.columns, strict=True)
    asked = [_of_a_query(each, kind, of_table.get(each.name, "")) for each, (_, kind) in pairs]
    return Way(readings, asked, warnings)


def _bound(kind: _Type, since: Since) -> str:
    return "" if kind.element or kind.name == "money" else literal(since.value)


_POSTGRES = Dialect("postgres", "postgres_query", quote, "public", _bound)


def _types(session: Session, alias: str, found: Found) -> dict[str, str]:
    """DuckDB's type of each column as the extension would read the table itself; asked only where that is not plain.

    The extension looks through the whole database to tell the types of one table.
    """
    if all(kind.depth <= 1 and (kind.element or kind.name) in _PLAIN for _, kind in found.columns):
        return {}
    rows = session.rows(f"DESCRIBE {alias}.{quote(found.schema)}.{quote(found.name)}")
    return {str(row[0]): str(row[1]) for row in rows}


def _of_a_query(reading: Reading, kind: _Type, of_table: str) -> Reading:
    """Of a query's result the extension reads enums, composite types and deep arrays as text, unlike of a table."""
    name = quote(reading.name)
    if reading.server or reading.local != "{}":
        return reading
    if kind.name == "point":
        both = f"json_build_object('x', {name}[0], 'y', {name}[1])"
        return Reading(reading.name, f"CASE WHEN {name} IS NULL THEN NULL ELSE {both} END::text", _from_json(of_table))
    if of_table.startswith("STRUCT") or kind.depth > 1 or (kind.element and of_table.startswith("ENUM")):
        return Reading(reading.name, f"to_json({name})::text", _from_json(of_table))
    if of_table.startswith("ENUM") or kind.name == "oid":
        return Reading(reading.name, f"{name}::text", f"CAST({{}} AS {of_table})")
    return reading


def _from_json(kind: str) -> str:
    return f"CAST(CAST({{}} AS JSON) AS {kind})"


def _exact_number(name: str, kind: _Type) -> str:
    """The server's expression for a number of any precision; empty where the extension reads the column exactly."""
    if kind.name == "money":
        return f"{quote(name)}::numeric"
    if kind.name != "numeric" or kind.element:
        return ""
    if kind.modifier >= 4:
        precision, scale = (kind.modifier - 4) >> 16 & 0xFFFF, ((kind.modifier - 4 & 2047) ^ 1024) - 1024
        if precision <= 38 and 0 <= scale <= precision and not kind.base:
            return ""
    return f"{quote(name)}::numeric"


def _decimals(
    session: Session, alias: str, found: Found, numbers: Sequence[tuple[str, str]], part: str
) -> dict[str, str]:
    """For each number of any precision the DECIMAL that holds its values, or VARCHAR where none does."""
    if not numbers:
        return {}
    tests = ", ".join(
        f"coalesce(max(scale({each})), 0) AS s{i}, coalesce(max(length(trunc(abs({each}))::text)), 1) AS d{i},"
        f" count(*) FILTER (WHERE {each}::text IN ('NaN', 'Infinity', '-Infinity')) AS n{i}"
        for i, (_, each) in enumerate(numbers)
    )
    (row,) = _POSTGRES.asked(session, alias, f"SELECT {tests} FROM {quote(found.schema)}.{quote(found.name)}{part}")
    types = {}
    for at, (name, _) in enumerate(numbers):
        scale, digits, odd = row[3 * at : 3 * at + 3]
        fits = not odd and scale + digits <= 38
        types[name] = f"DECIMAL({max(18, scale + digits)}, {scale})" if fits else "VARCHAR"
    return types


def _reading(name: str, kind: _Type) -> Reading:
    base = f"{quote(name)}::{kind.base}" if kind.base else ""
    if kind.name in _SHAPES:
        return Reading(name, f"{quote(name)}::text")
    if kind.element == "numeric" and kind.modifier < 4:
        return Reading(name, f"{quote(name)}::text[]")
    if kind.element_base:
        base = f"{quote(name)}::{kind.element_base}[]"
    return Reading(name, base, _LOCAL.get(kind.element or kind.name, "{}").format("{}", "[]" if kind.element else ""))


_PLAIN = frozenset(
    "bool int2 int4 int8 float4 float8 numeric money text varchar bpchar char name citext bytea uuid date time timetz"
    " timestamp timestamptz interval json jsonb bit varbit inet cidr macaddr xml".split()
)
#   the types that the extension reads alike of a table and of a query
_SHAPES = ("line", "lseg", "box", "path", "polygon", "circle")
_LOCAL = {
    "json": "CAST({} AS JSON{})",
    "jsonb": "CAST({} AS JSON{})",
    "bit": "CAST({} AS BIT{})",
    "varbit": "CAST({} AS BIT{})",
}
#   the types that the extension hands out as text
