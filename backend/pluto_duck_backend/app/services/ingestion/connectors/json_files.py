"""JSON arrays, single objects and newline-delimited JSON; DuckDB reads them itself.

What must stay true: every object is looked at before the columns are chosen, since a key that first comes late would
otherwise be lost without a word."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import orjson

from pluto_duck_backend.app.core.errors import InvalidInput, PlutoDuckError, QueryFailed
from pluto_duck_backend.app.core.warehouse import Session, literal, quote
from pluto_duck_backend.app.services.ingestion.connectors import exact
from pluto_duck_backend.app.services.ingestion.contract import Config, SourceTable, Toolbox, Verify
from pluto_duck_backend.app.services.ingestion.names import table_name
from pluto_duck_backend.app.services.ingestion.registry import COMPRESSIONS, stem_of, suffix_of
from pluto_duck_backend.app.services.ingestion.rejects import Reject, check_limit
from pluto_duck_backend.app.services.ingestion.text import TextFile, lines_of, text_file

_OTHER_TYPE = "a value of another type"
_OTHER_TYPES = (_OTHER_TYPE, "Conversion Error", "JSON transform error")
_MAX_OBJECT = 1 << 28  # bytes of one object


class JsonFiles:
    name = "json"
    summary = "JSON and newline-delimited JSON"
    suffixes: tuple[str, ...] = (".json", ".ndjson", ".jsonl")

    @contextlib.contextmanager
    def open(self, config: Config, tools: Toolbox) -> Iterator[Sequence[SourceTable]]:
        """One table, a row an object; nested values become STRUCT and LIST."""
        path = Path(config["path"])
        text = text_file(path, tools, config.get("encoding"), of_json=True)
        by_line = suffix_of(path) in (".ndjson", ".jsonl")
        rejects: list[Reject] = []
        if tools.mending:
            text, rejects = _mended(path, text, tools)
        is_sampled = by_line and not tools.thorough and text.lines > tools.sample_rows
        explain = _explainer(path, text, by_line=by_line, mends=by_line and not tools.mending, is_sampled=is_sampled)
        sql = _sql(path, text, by_line)
        verify = None
        with tools.read() as session:
            try:
                if is_sampled:
                    sql, verify = _flat(session, sql, text, tools)
                else:
                    sql = _with_plain_scalars(session, sql)
                    _check_is_of_objects(session, sql)
            except QueryFailed as error:
                raise error if error.code == "types_from_sample" else explain(error) from error
        yield [
            SourceTable(
                name=table_name(stem_of(path)),
                origin=str(path),
                sql=sql,
                total_bytes=text.size,
                warnings=text.warnings,
                rejects=tuple(rejects),
                verify=verify,
                explain=explain,
            )
        ]


def _mended(path: Path, text: TextFile, tools: Toolbox) -> tuple[TextFile, list[Reject]]:
    """A copy with the lines that hold an object, and the others. Raises InvalidInput where they are too many."""
    rejects: list[Reject] = []
    rows = 0
    copy = tools.folder / f"{len(list(tools.folder.iterdir()))}.mended"
    with copy.open("w", encoding="utf-8") as file:
        for number, line in enumerate(lines_of(text.path), 1):
            if reason := _fault(line):
                rejects.append(Reject(str(path), number, None, reason, line))
                check_limit(rejects, len(rejects), tools.max_rejects)
            elif line.strip():
                file.write(line + "\n")
                rows += 1
    check_limit(rejects, rows, tools.max_rejects)
    return replace(text, path=copy), rejects


def _fault(line: str) -> str:
    try:
        return "" if isinstance(orjson.loads(line.strip() or "{}"), dict) else "not a JSON object"
    except orjson.JSONDecodeError as error:
        return f"malformed JSON: {error.msg}"


def _sql(path: Path, text: TextFile, by_line: bool) -> str:
    body = text.head.strip("\ufeff \t\r\n")
    start = body[:1]
    if text.whole and start == "[" and not body.strip("[] \t\r\n"):
        raise InvalidInput(f"{path} holds an empty array, so its columns are unknown.", code="empty_file")
    if start not in ("{", "["):
        raise InvalidInput(
            f"{path}: a JSON file starts with {{ or [, not with {start!r}.",
            code="bad_json",
            hint="Give an array of objects, or one object a line.",
        )
    size = "" if text.size < 1 << 24 else f", maximum_object_size = {_MAX_OBJECT}"
    form = "array" if start == "[" else "newline_delimited" if by_line else "auto"
    return (
        f"SELECT * FROM read_json({literal(str(text.path))}, format = '{form}', sample_size = -1,"
        f" union_by_name = true{size})"
    )


def _flat(session: Session, sql: str, text: TextFile, tools: Toolbox) -> tuple[str, Verify]:
    """A large file of flat objects, read in one pass with the columns of its first ones.

    That no later object has another name is shown by the counts: as many names as lines times columns, and no more
    NULL in the table than `null` in the file. Raises QueryFailed, so that all rows are looked at, where they differ.
    """
    sampled = sql.replace("sample_size = -1", f"sample_size = {tools.sample_rows}")
    columns = [(str(row[0]), str(row[1])) for row in session.rows(f"DESCRIBE {sampled}")]
    is_nested = any(kind == "JSON" or kind.endswith((")", "]")) for _, kind in columns)
    if is_nested or text.signs.names != text.lines * len(columns):
        raise QueryFailed("objects of different names", code="types_from_sample")
    types = ", ".join(f"{literal(name)}: {literal('VARCHAR' if kind in _LOOSE else kind)}" for name, kind in columns)
    strict = ", ".join(f"{_exact(quote(name), kind)} AS {quote(name)}" for name, kind in columns if kind in _LOOSE)
    changed = f" REPLACE ({strict})" if strict else ""

    def verify(session: Session, table: str) -> None:
        missing = " + ".join(f"count(*) - count({quote(name)})" for name, _ in columns)
        row = session.row(f"SELECT {missing} FROM {table}")
        if row and row[0] > text.signs.nulls:
            raise QueryFailed("objects of different names", code="types_from_sample")

    read = f"read_json({literal(str(text.path))}, format = 'newline_delimited', columns = {{{types}}})"
    return f"SELECT *{changed} FROM {read}", verify


_LOOSE = ("BIGINT", "DOUBLE", "BOOLEAN")
#   where DuckDB takes 2.5 for a 2, "007" for a 7 and true for a 1, so that such columns are read as text and looked at


def _exact(column: str, kind: str) -> str:
    if kind == "BIGINT":
        return exact.whole_number(column, _OTHER_TYPE)
    if kind == "DOUBLE":
        return exact.number(column, _OTHER_TYPE)
    differs = f"error({literal(_OTHER_TYPE)})"
    is_same = f"{column} IN ('true', 'false')"
    return f"CASE WHEN {column} IS NULL THEN NULL WHEN {is_same} THEN CAST({column} AS {kind}) ELSE {differs} END"


def _with_plain_scalars(session: Session, sql: str) -> str:
    """Columns of different scalars, which DuckDB calls JSON, as text without JSON's quotes."""
    mixed = [quote(row[0]) for row in session.rows(f"DESCRIBE {sql}") if row[1] == "JSON"]
    if not mixed:
        return sql
    tests = ", ".join(f"coalesce(bool_and(json_type({name}) NOT IN ('OBJECT', 'ARRAY')), false)" for name in mixed)
    found = session.row(f"SELECT {tests} FROM ({sql})") or ()
    plain = [name for name, scalar in zip(mixed, found, strict=True) if scalar]
    if not plain:
        return sql
    texts = ", ".join(f"{name} ->> '$' AS {name}" for name in plain)
    return f"SELECT * REPLACE ({texts}) FROM ({sql})"


def _check_is_of_objects(session: Session, sql: str) -> None:
    """DuckDB puts everything into one column `json` where a line holds something else than an object."""
    if [(row[0], row[1]) for row in session.rows(f"DESCRIBE {sql}")] == [("json", "JSON")]:
        raise QueryFailed("Malformed JSON: not every value is an object.", code="not_objects")


def _explainer(
    path: Path, text: TextFile, *, by_line: bool, mends: bool, is_sampled: bool
) -> Callable[[PlutoDuckError], PlutoDuckError]:
    def explain(error: PlutoDuckError) -> PlutoDuckError:
        message = error.message.splitlines()[0]
        if is_sampled and any(each in message for each in _OTHER_TYPES):
            return QueryFailed(message, code="types_from_sample")
        if mends:
            return QueryFailed(message, code="rows_to_mend")
        place = re.search(r"in (?:line|record/value) (\d+)", message)
        where = f"{path}, value {place[1]}" if place else str(path)
        if by_line and (line := _first_bad_line(text.path)):
            where = f"{path}, line {line}"
        reason = re.sub(r'^.*?Malformed JSON in file ".*?",?.*?: ', "malformed JSON: ", message).strip()
        return InvalidInput(f"{where}: {reason}", code="bad_json", hint="Mend the file; nothing was loaded.")

    return explain


def _first_bad_line(path: Path) -> int | None:
    """DuckDB counts lines across its buffers; a plain file is looked through again for the true one."""
    if path.suffix in COMPRESSIONS:
        return None
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                orjson.loads(line.strip() or b"null")
            except orjson.JSONDecodeError:
                return number
    return None
