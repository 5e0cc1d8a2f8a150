"""JSON arrays, single objects and newline-delimited JSON; DuckDB reads them itself.

What must stay true: every object is looked at before the columns are chosen, since a key that first comes late would
otherwise be lost without a word."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import orjson

from pluto_duck_backend.app.core.errors import InvalidInput, PlutoDuckError, QueryFailed
from pluto_duck_backend.app.core.warehouse import Session, literal, quote
from pluto_duck_backend.app.services.ingestion.contract import Config, SourceTable, Toolbox
from pluto_duck_backend.app.services.ingestion.names import table_name
from pluto_duck_backend.app.services.ingestion.registry import COMPRESSIONS, stem_of, suffix_of
from pluto_duck_backend.app.services.ingestion.text import TextFile, text_file

_MAX_OBJECT = 1 << 28  # bytes of one object


class JsonFiles:
    name = "json"
    summary = "JSON and newline-delimited JSON"
    suffixes: tuple[str, ...] = (".json", ".ndjson", ".jsonl")

    @contextlib.contextmanager
    def open(self, config: Config, tools: Toolbox) -> Iterator[Sequence[SourceTable]]:
        """One table, a row an object; nested values become STRUCT and LIST."""
        path = Path(config["path"])
        text = text_file(path, tools, config.get("encoding"))
        by_line = suffix_of(path) in (".ndjson", ".jsonl")
        explain = _explainer(path, text, by_line=by_line)
        sql = _sql(path, text, by_line)
        with tools.read() as session:
            try:
                sql = _with_plain_scalars(session, sql)
            except QueryFailed as error:
                raise explain(error) from error
        yield [
            SourceTable(
                name=table_name(stem_of(path)),
                origin=str(path),
                sql=sql,
                total_bytes=text.size,
                warnings=text.warnings,
                explain=explain,
            )
        ]


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


def _explainer(path: Path, text: TextFile, *, by_line: bool) -> Callable[[PlutoDuckError], PlutoDuckError]:
    def explain(error: PlutoDuckError) -> PlutoDuckError:
        message = error.message.splitlines()[0]
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
