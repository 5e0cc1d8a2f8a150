"""JSON arrays, single objects and newline-delimited JSON; DuckDB reads them itself."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from pluto_duck_backend.app.core.errors import InvalidInput, PlutoDuckError, QueryFailed
from pluto_duck_backend.app.core.warehouse import literal
from pluto_duck_backend.app.services.ingestion.contract import Config, SourceTable, Toolbox
from pluto_duck_backend.app.services.ingestion.names import table_name
from pluto_duck_backend.app.services.ingestion.registry import stem_of, suffix_of
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
        explain = _explainer(path, thorough=tools.thorough)
        by_line = suffix_of(path) in (".ndjson", ".jsonl")
        sql = _sql(path, text, by_line, -1 if tools.thorough else tools.sample_rows)
        with tools.read() as session:
            try:
                session.execute(f"DESCRIBE {sql}")
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


def _sql(path: Path, text: TextFile, by_line: bool, sample: int) -> str:
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
        f"SELECT * FROM read_json({literal(str(text.path))}, format = '{form}', sample_size = {sample},"
        f" union_by_name = true{size})"
    )


def _explainer(path: Path, *, thorough: bool) -> Callable[[PlutoDuckError], PlutoDuckError]:
    def explain(error: PlutoDuckError) -> PlutoDuckError:
        message = error.message
        if not thorough and re.search(r"sample|transform|cast|convert", message, re.IGNORECASE):
            return QueryFailed(message, code="types_from_sample")
        place = re.search(r"in (?:line|record/value) (\d+)", message)
        reason = re.sub(r'^.*?Malformed JSON in file ".*?",?\s*', "malformed JSON ", message.splitlines()[0])
        where = f"{path}, value {place[1]}" if place else str(path)
        return InvalidInput(f"{where}: {reason}", code="bad_json", hint="Mend the file; nothing was loaded.")

    return explain
