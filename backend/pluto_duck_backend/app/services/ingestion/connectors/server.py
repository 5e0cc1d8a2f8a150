"""What the connectors of database servers share: how a server is named, which of its tables are wanted, how they read.

What must stay true: every column is read without loss. Most are read by DuckDB's extension as they are; a column that
the extension would change is turned into text or another type by the server itself (`server` of its Reading), and
back into the type it deserves here (`local`).
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import unquote, urlsplit

from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput, PlutoDuckError, did_you_mean
from pluto_duck_backend.app.core.warehouse import Session, literal, quote
from pluto_duck_backend.app.services.ingestion.contract import Config, ForeignKey, Keys, Since, SourceTable, Toolbox

_ORDERED = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UINTEGER", "UBIGINT", "DECIMAL", "DATE", "TIMESTAMP")
#   types that every server orders alike, unlike texts
_TEXTS = frozenset("text varchar bpchar char name citext tinytext mediumtext longtext enum set json jsonb".split())
#   the servers' names of these
_SHOWN = re.compile(r' (?:query|COPY) "')
_OPTIONS = ("url", "host", "port", "database", "user", "password", "schemas", "tables", "views")


@dataclass(frozen=True)
class Reading:
    """How one column is read. `server` is an expression in the server's SQL; `{}` in `local` stands for the column."""

    name: str
    server: str = ""
    local: str = "{}"


@dataclass(frozen=True)
class Way:
    """How a table is read, column by column: of the table itself, and of the result of a query for it (`asked`)."""

    readings: Sequence[Reading]
    asked: Sequence[Reading]
    warnings: Sequence[str]


@dataclass(frozen=True)
class Found:
    """A table as the server's catalog describes it."""

    schema: str
    name: str
    columns: tuple[tuple[str, Any], ...]
    keys: Keys
    comment: str
    column_comments: Mapping[str, str]
    rows: int | None


@dataclass(frozen=True)
class Dialect:
    """A kind of server: its name, the function that runs SQL there, how it quotes, the schema that becomes `main`.

    `bound(type, since)` is a cursor's value as the server's SQL for a column of that type. It may be a lesser value,
    never a greater one; empty where the server would not compare as DuckDB does.
    """

    kind: str
    function: str
    quote: Callable[[str], str]
    usual_schema: str
    bound: Callable[[Any, Since], str]

    def asked(self, session: Session, alias: str, sql: str) -> list[tuple[Any, ...]]:
        """The rows of a query that the server runs."""
        return session.rows(f"FROM {self.call(alias, sql)}")

    def home(self, schema: str) -> str:
        """The schema of the warehouse for one of the server's."""
        return "main" if schema == self.usual_schema else schema

    def call(self, alias: str, sql: str) -> str:
        return f"{self.function}({literal(alias)}, {literal(sql)})"


def address(config: Config, kind: str) -> dict[str, str]:
    """The options of DuckDB's secret from `url` and the single options. Raises InvalidInput for a misspelt one."""
    for name in config:
        if name not in _OPTIONS:
            raise InvalidInput(
                f"The connector {kind} has no option {name!r}. {did_you_mean(name, _OPTIONS)}".rstrip(),
                code="bad_ingest_request",
                hint=f"Options: {', '.join(_OPTIONS)}.",
            )
    try:
        parts = urlsplit(str(config.get("url", "")))
        port = str(parts.port or "")
    except ValueError as error:
        raise InvalidInput(
            f"The `url` of the connector {kind} is no address.",
            code="bad_ingest_request",
            hint=f"Such as {kind}://me@db.example:5432/shop.",
        ) from error
    given = {
        "host": parts.hostname or "",
        "port": port,
        "user": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
        "database": unquote(parts.path.strip("/")),
    }
    return {name: str(config.get(name) or value) for name, value in given.items()}


def shown(options: Mapping[str, str], kind: str) -> str:
    """The server and its database, for messages and the ingestion catalog."""
    user = f"{options['user']}@" if options["user"] else ""
    port = f":{options['port']}" if options["port"] else ""
    return f"{kind}://{user}{options['host'] or 'localhost'}{port}/{options['database']}"


def wanted(found: Sequence[Found], config: Config, where: str) -> list[Found]:
    """The tables that `config` names with `schemas` and `tables`. Raises InvalidInput where one is not there."""
    schemas, tables = _names(config, "schemas"), _names(config, "tables")
    kept = [each for each in found if not schemas or each.schema in schemas]
    if not tables:
        _check_some(kept, where)
        return kept
    by_name = {name: each for each in kept for name in (each.name, f"{each.schema}.{each.name}")}
    for name in tables:
        if name not in by_name:
            raise InvalidInput(
                f"{where} has no table {name!r}. {did_you_mean(name, by_name)}".rstrip(),
                code="table_not_in_source",
                hint="Write table or schema.table, as the server spells it.",
            )
    return [by_name[name] for name in tables]


def _check_some(found: Sequence[Found], where: str) -> None:
    if not found:
        raise InvalidInput(
            f"{where} holds no tables that this user may see.",
            code="no_tables",
            hint="Views are left out unless the option views is true.",
        )


def _names(config: Config, option: str) -> list[str]:
    value = config.get(option) or []
    return [value] if isinstance(value, str) else [str(each) for each in value]


def table(dialect: Dialect, alias: str, where: str, found: Found, way: Callable[[str], Way]) -> SourceTable:
    """The source table that reads `found`; `way` says how, for the rows of a WHERE clause of the server's."""
    origin = f"{where}, table {found.schema}.{found.name}"
    table = SourceTable(
        name=found.name,
        schema=dialect.home(found.schema),
        own_name=True,
        origin=origin,
        keys=replace(found.keys, foreign_keys=tuple(_at_home(dialect, each) for each in found.keys.foreign_keys)),
        comment=found.comment,
        column_comments=found.column_comments,
        total_rows=found.rows,
        explain=partial(_explained, origin),
    )

    def for_load(since: Since | None) -> SourceTable:
        sql, how = _select(dialect, alias, found, way, since)
        return replace(table, sql=sql, warnings=tuple(how.warnings))

    return replace(table, for_load=for_load)


def _select(
    dialect: Dialect, alias: str, found: Found, way: Callable[[str], Way], since: Since | None
) -> tuple[str, Way]:
    """A query is asked where the server has to turn columns into others, and for a part of the table.

    The extension does not hand on every condition.
    """
    part = _part(dialect, found, since)
    how = way(part)
    is_query = since or any(each.server for each in how.readings)
    return _asked(dialect, alias, found, how.asked, part) if is_query else _direct(alias, found, how.readings), how


def _part(dialect: Dialect, found: Found, since: Since | None) -> str:
    """The WHERE clause for what a load wants; empty for all rows, also where the server may not tell which."""
    columns = ((name, kind) for name, kind in found.columns if since and name.casefold() == since.column.casefold())
    name, kind = next(columns, ("", None))
    is_text = kind is None or kind.name in _TEXTS
    is_ordered = since and not is_text and since.type.startswith(_ORDERED) and not since.type.endswith("]")
    bound = dialect.bound(kind, since) if since and is_ordered else ""
    return f" WHERE {dialect.quote(name)} >= {bound} OR {dialect.quote(name)} IS NULL" if bound else ""


def _at_home(dialect: Dialect, key: ForeignKey) -> ForeignKey:
    return replace(key, ref_schema=dialect.home(key.ref_schema))


def _direct(alias: str, found: Found, readings: Sequence[Reading]) -> str:
    return f"SELECT {_local(readings)} FROM {alias}.{quote(found.schema)}.{quote(found.name)}"


def _asked(dialect: Dialect, alias: str, found: Found, readings: Sequence[Reading], part: str) -> str:
    own = dialect.quote
    there = ", ".join(f"{each.server or own(each.name)} AS {own(each.name)}" for each in readings)
    sql = f"SELECT {there} FROM {own(found.schema)}.{own(found.name)}"
    return f"SELECT {_local(readings)} FROM {dialect.call(alias, sql + part)}"


def _local(readings: Sequence[Reading]) -> str:
    names = ((quote(each.name), each.local) for each in readings)
    return ", ".join(f"{read.format(name)} AS {name}" if read != "{}" else name for name, read in names)


def _explained(origin: str, error: PlutoDuckError) -> PlutoDuckError:
    reason = _reason(error.message)
    return EnvironmentFault(
        f"{origin} cannot be read: {reason}",
        code="source_failed",
        hint="Nothing was changed; mend the source or the connection and load again.",
        retryable=any(word in reason.casefold() for word in ("closed", "terminat", "timeout", "reset", "lost")),
    )


def _reason(message: str) -> str:
    """What the server said, without the statement that the extension shows, which is ours and can be long."""
    head, *statement = _SHOWN.split(" ".join(message.split()), maxsplit=1)
    if not statement:
        return head[:500]
    said = statement[0].rpartition('":')[2].strip() or "the connection was lost"  # MySQL's library says nothing then
    return f"{head}: {said[:500]}"


@contextlib.contextmanager
def opened(
    tools: Toolbox, config: Config, kind: str, read: Callable[[Session, str, str], list[SourceTable]]
) -> Iterator[Sequence[SourceTable]]:
    """Attach the server that `config` names, hand out what `read(session, alias, where)` finds in it."""
    options = address(config, kind)
    where = shown(options, kind)
    with tools.attached_server(kind, options) as alias:
        try:
            with tools.read() as session:
                tables = read(session, alias, where)
        except PlutoDuckError as error:
            raise error if isinstance(error, InvalidInput) else _explained(where, error) from error
        yield tables
