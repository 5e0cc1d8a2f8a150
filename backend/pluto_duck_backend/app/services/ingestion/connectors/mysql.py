"""MySQL and MariaDB through DuckDB's extension: every table of one database, with keys and comments.

What must stay true: what the extension would change (TIMESTAMP, BIT, TINYINT(1) with other numbers, DECIMAL of more
than 38 digits) is turned by the server into something it keeps, see `server`. Dates that are none (0000-00-00) become
NULL and are counted in a warning.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.core.warehouse import Session, literal
from pluto_duck_backend.app.services.ingestion.connectors import server
from pluto_duck_backend.app.services.ingestion.connectors.server import Dialect, Found, Reading, Way
from pluto_duck_backend.app.services.ingestion.contract import Config, ForeignKey, Keys, Since, SourceTable, Toolbox


def quote(name: str) -> str:
    """A name as MySQL quotes it."""
    return "`" + name.replace("`", "``") + "`"


_COLUMNS = """
SELECT t.table_name, coalesce(t.table_comment, '') AS note, CAST(coalesce(t.table_rows, 0) AS SIGNED) AS table_rows,
  c.column_name, lower(c.data_type) AS kind, CAST(c.column_type AS CHAR) AS full_type,
  CAST(coalesce(c.numeric_precision, 0) AS SIGNED) AS width, CAST(coalesce(c.numeric_scale, 0) AS SIGNED) AS scale,
  coalesce(c.column_comment, '') AS column_note, t.table_type
FROM information_schema.tables t JOIN information_schema.columns c
  ON c.table_schema = t.table_schema AND c.table_name = t.table_name
WHERE t.table_schema = DATABASE_NAME ORDER BY t.table_name, c.ordinal_position"""
_KEYS = """
SELECT k.table_name, k.constraint_name, c.constraint_type, k.column_name,
  coalesce(k.referenced_table_schema, '') AS ref_schema, coalesce(k.referenced_table_name, '') AS ref_table,
  coalesce(k.referenced_column_name, '') AS ref_column
FROM information_schema.key_column_usage k JOIN information_schema.table_constraints c
  ON c.constraint_schema = k.constraint_schema AND c.table_name = k.table_name AND c.constraint_name = k.constraint_name
WHERE k.table_schema = DATABASE_NAME AND c.constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')
ORDER BY k.table_name, k.constraint_name, k.ordinal_position"""
_JSON_CHECKS = """
SELECT table_name, CAST(check_clause AS CHAR) AS clause FROM information_schema.check_constraints
WHERE constraint_schema = DATABASE_NAME AND check_clause LIKE 'json_valid(%'"""


@dataclass(frozen=True)
class _Type:
    """A column's type: its name, as it is written in full, digits and those behind the point."""

    name: str
    full: str
    width: int
    scale: int


class MysqlServer:
    name = "mysql"
    summary = "MySQL and MariaDB databases"
    suffixes: tuple[str, ...] = ()
    schemes: tuple[str, ...] = ("mysql", "mariadb")

    def open(self, config: Config, tools: Toolbox) -> AbstractContextManager[Sequence[SourceTable]]:
        """`config`: `url`, or host, port, database, user, password; `tables`, `views`."""
        database = server.address(config, "mysql")["database"]
        if not database:
            raise InvalidInput("No database is named.", code="bad_ingest_request", hint="mysql://user@host/database")
        dialect = Dialect("mysql", "mysql_query", quote, database, _bound)

        def read(session: Session, alias: str, where: str) -> list[SourceTable]:
            found = _found(session, dialect, alias, views=bool(config.get("views")))
            return [_table(tools, dialect, alias, where, each) for each in server.wanted(found, config, where)]

        return server.opened(tools, config, "mysql", read)


def _asked(session: Session, dialect: Dialect, alias: str, sql: str) -> list[tuple[Any, ...]]:
    return dialect.asked(session, alias, sql.replace("DATABASE_NAME", literal(dialect.usual_schema)))


def _found(session: Session, dialect: Dialect, alias: str, *, views: bool) -> list[Found]:
    keys = _keys(session, dialect, alias)
    checked = {(row[0], row[1]) for row in _json_checks(session, dialect, alias)}
    grouped: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for row in _asked(session, dialect, alias, _COLUMNS):
        if views or "VIEW" not in row[9]:
            grouped[row[0]].append(row)
    return [
        Found(
            schema=dialect.usual_schema,
            name=name,
            columns=tuple((row[3], _type(row, is_json=(name, row[3]) in checked)) for row in rows),
            keys=keys.get(name, Keys()),
            comment="" if rows[0][1] == "VIEW" else rows[0][1],
            column_comments={row[3]: row[8] for row in rows if row[8]},
            rows=rows[0][2],
        )
        for name, rows in grouped.items()
    ]


def _type(row: Sequence[Any], *, is_json: bool) -> _Type:
    return _Type("json" if is_json else row[4], row[5], row[6], row[7])


def _json_checks(session: Session, dialect: Dialect, alias: str) -> list[tuple[str, str]]:
    """`(table, column)` of MariaDB's JSON, which is a text with a check; MySQL's has a type of its own."""
    (is_mariadb,) = _asked(session, dialect, alias, "SELECT CAST(version() LIKE '%Maria%' AS SIGNED) AS v")[0]
    if not is_mariadb:
        return []
    found = _asked(session, dialect, alias, _JSON_CHECKS)
    return [(table, clause[len("json_valid(`") : -len("`)")].replace("``", "`")) for table, clause in found]


def _keys(session: Session, dialect: Dialect, alias: str) -> dict[str, Keys]:
    grouped: dict[str, dict[str, list[tuple[Any, ...]]]] = defaultdict(lambda: defaultdict(list))
    for table, name, *rest in _asked(session, dialect, alias, _KEYS):
        grouped[table][name].append(tuple(rest))
    return {table: _keys_of(list(found.values())) for table, found in grouped.items()}


def _keys_of(constraints: Sequence[Sequence[tuple[Any, ...]]]) -> Keys:
    primary: tuple[str, ...] = ()
    unique, foreign = [], []
    for rows in constraints:
        kind, columns = rows[0][0], tuple(row[1] for row in rows)
        if kind == "PRIMARY KEY":
            primary = columns
        elif kind == "UNIQUE":
            unique.append(columns)
        else:
            foreign.append(ForeignKey(columns, rows[0][3], tuple(row[4] for row in rows), rows[0][2]))
    return Keys(primary, tuple(unique), tuple(foreign))


def _table(tools: Toolbox, dialect: Dialect, alias: str, where: str, found: Found) -> SourceTable:
    def way(part: str) -> Way:
        with tools.read() as session:
            return _way(session, dialect, alias, found, part)

    return server.table(dialect, alias, where, found, way)


def _way(session: Session, dialect: Dialect, alias: str, found: Found, part: str) -> Way:
    answers = _answers(session, dialect, alias, found, part)
    readings, warnings = [], []
    for name, kind in found.columns:
        answer = answers.get(name, 0)
        readings.append(_reading(name, kind, answer))
        if kind.name in ("date", "datetime", "timestamp") and answer:
            warnings.append(f"column {name} holds {answer:,} dates with no year, month or day, which become NULL")
        if kind.name == "decimal" and kind.width > 38 and readings[-1].local == "{}":
            warnings.append(f"column {name} holds numbers that no DECIMAL of 38 digits does, so it becomes VARCHAR")
    asked = [_as_text(each, kind) for each, (_, kind) in zip(readings, found.columns, strict=True)]
    return Way(readings, asked, warnings)


def _bound(kind: _Type, since: Since) -> str:
    """Of a TIMESTAMP in the session's time zone, a day less: an hour may come twice there."""
    if kind.name == "timestamp":
        utc = datetime.fromisoformat(since.value).astimezone(UTC).replace(tzinfo=None)
        return f"convert_tz('{utc}', '+00:00', @@session.time_zone) - INTERVAL 1 DAY"
    return literal(since.value) if since.type.startswith(_TIMES) else since.value


def _as_text(reading: Reading, kind: _Type) -> Reading:
    """Of a query's result the extension reads some types worse than of a table: decimals lose a digit, UUIDs bytes."""
    if reading.server or kind.name not in ("decimal", "uuid", "inet4", "inet6", "json"):
        return reading
    local = f"CAST({{}} AS DECIMAL({kind.width}, {kind.scale}))" if kind.name == "decimal" else reading.local
    return Reading(reading.name, f"CAST({quote(reading.name)} AS CHAR)", local)


def _test(column: str, kind: _Type, table: str) -> str:
    """What to ask of a column's values to know how to read it; empty where its type says enough.

    It is asked of the rows that are loaded, for times of all: no row of another kind may be added to them later.
    """
    if kind.name in ("date", "datetime", "timestamp"):
        return f"sum({_is_no_date(column)})"
    if kind.name == "tinyint" and kind.full.startswith("tinyint(1)"):
        return f"max({column} NOT IN (0, 1))"
    if kind.name == "time":
        return f"max((SELECT max({column} < 0 OR {column} >= '24:00:00') FROM {table}))"
    if kind.name == "decimal" and kind.width > 38:
        return f"max(length(truncate(abs({column}), 0)))"
    return ""


def _is_no_date(column: str) -> str:
    return f"0 IN (year({column}), month({column}), dayofmonth({column}))"


def _answers(session: Session, dialect: Dialect, alias: str, found: Found, part: str) -> dict[str, int]:
    table = f"{quote(found.schema)}.{quote(found.name)}"
    each_column = {name: _test(quote(name), kind, table) for name, kind in found.columns}
    tests = {name: each for name, each in each_column.items() if each}
    if not tests:
        return {}
    asked = ", ".join(f"CAST(coalesce({each}, 0) AS SIGNED) AS a{i}" for i, each in enumerate(tests.values()))
    (row,) = dialect.asked(session, alias, f"SELECT {asked} FROM {table}{part}")
    return dict(zip(tests, map(int, row), strict=True))


def _reading(name: str, kind: _Type, answer: int) -> Reading:
    column = quote(name)
    if kind.name == "decimal" and kind.width > 38:
        fits = answer + kind.scale <= 38
        return Reading(name, f"CAST({column} AS CHAR)", f"CAST({{}} AS DECIMAL(38, {kind.scale}))" if fits else "{}")
    if kind.name == "tinyint" and answer:
        return Reading(name, f"CAST({column} AS SIGNED)", "CAST({} AS TINYINT)")
    if kind.name == "bit" and kind.width > 1:
        return Reading(name, f"lpad(bin({column} + 0), {kind.width}, '0')", "CAST({} AS BIT)")
    if kind.name == "time":
        return Reading(name, local="CAST({} AS " + ("INTERVAL)" if answer else "TIME)"))
    if kind.name in ("date", "datetime") and answer:
        return Reading(name, f"IF({_is_no_date(column)}, NULL, {column})")
    if kind.name == "timestamp":
        return Reading(name, f"convert_tz({column}, @@session.time_zone, '+00:00')", "{} AT TIME ZONE 'UTC'")
    if kind.name == "enum":
        return Reading(name, local=f"CAST({{}} AS {_enum(kind.full)})")
    return Reading(name, local=_LOCAL.get(kind.name, "{}"))


def _enum(full: str) -> str:
    """The ENUM with the values of `enum('a','b')` and the empty text, which stands for a value that is none."""
    values = re.findall(r"'(?:[^']|'')*'", full)
    return f"ENUM({', '.join(dict.fromkeys([*values, chr(39) * 2]))})"


_TIMES = ("DATE", "TIMESTAMP")
_LOCAL = {"json": "CAST({} AS JSON)", "uuid": "CAST({} AS UUID)"}
#   the types that the extension hands out as text
