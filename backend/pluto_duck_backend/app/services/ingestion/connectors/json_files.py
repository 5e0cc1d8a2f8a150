"""JSON arrays, single objects and newline-delimited JSON; DuckDB reads them itself.

What must stay true: every object is looked at before the columns are chosen, since a key that first comes late would
otherwise be lost without a word."""

from __future__ import annotations

import contextlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import orjson

from pluto_duck_backend.app.core.errors import InvalidInput, PlutoDuckError, QueryFailed
from pluto_duck_backend.app.core.warehouse import Session, literal, quote
from pluto_duck_backend.app.services.ingestion.connectors import json_digits, json_envelope, json_sample
from pluto_duck_backend.app.services.ingestion.contract import Config, SourceTable, Toolbox
from pluto_duck_backend.app.services.ingestion.names import table_name
from pluto_duck_backend.app.services.ingestion.registry import COMPRESSIONS, stem_of, suffix_of
from pluto_duck_backend.app.services.ingestion.rejects import Reject, check_limit
from pluto_duck_backend.app.services.ingestion.text import TextFile, text_file
from pluto_duck_backend.app.services.ingestion.unpacking import lines_of

_MAX_OBJECT = 1 << 28  # bytes of one object


class JsonFiles:
    name = "json"
    summary = "JSON and newline-delimited JSON"
    suffixes: tuple[str, ...] = (".json", ".ndjson", ".jsonl")

    @contextlib.contextmanager
    def open(self, config: Config, tools: Toolbox) -> Iterator[Sequence[SourceTable]]:
        """One table, a row an object; nested values become STRUCT and LIST."""
        path = Path(config["path"])
        by_line = suffix_of(path) in (".ndjson", ".jsonl")
        text = text_file(path, tools, config.get("encoding"), whole=not by_line)
        rejects: list[Reject] = []
        if tools.mending:
            text, rejects = _mended(path, text, tools)
        file = _File(path, text, by_line, by_line and _may_be_sampled(text, tools))
        explain = partial(_explained, file, mends=by_line and not tools.mending)
        try:
            with tools.read() as session:
                sql, notes = _select(session, file, tools)
        except QueryFailed as error:
            raise error if error.code == "types_from_sample" else explain(error) from error
        yield [
            SourceTable(
                name=table_name(stem_of(path)),
                origin=str(path),
                sql=sql,
                total_bytes=text.size,
                warnings=(*text.warnings, *notes),
                rejects=tuple(rejects),
                explain=explain,
            )
        ]


@dataclass(frozen=True)
class _File:
    """A file of JSON; `is_sampled` where the types of its columns come from its first rows."""

    path: Path
    text: TextFile
    by_line: bool
    is_sampled: bool

    @property
    def form(self) -> str:
        """DuckDB's word for how the objects follow each other."""
        return _form(self.path, self.text, self.by_line)


def _may_be_sampled(text: TextFile, tools: Toolbox) -> bool:
    is_long = not tools.thorough and text.lines > tools.sample_rows
    return is_long and not json_digits.has_long_fraction(text.path, tools) and json_sample.can_be_trusted(tools)


def _select(session: Session, file: _File, tools: Toolbox) -> tuple[str, tuple[str, ...]]:
    """A SELECT over its rows, and what is told of them."""
    form = file.form
    if file.is_sampled:
        return json_sample.select(session, file.text.path, tools), ()
    sql, notes = json_digits.select(session, file.text.path, partial(_sql, file.text, form), tools)
    sql = _with_plain_scalars(session, sql)
    _check_is_of_objects(session, sql)
    sql, unwrapped = json_envelope.opened(session, sql) if form == "auto" else (sql, ())
    return sql, (*notes, *unwrapped)


def _mended(path: Path, text: TextFile, tools: Toolbox) -> tuple[TextFile, list[Reject]]:
    """A copy with the lines that hold an object, and the others. Raises InvalidInput where they are too many."""
    rejects: list[Reject] = []
    rows = 0
    copy = tools.new_file(".mended")
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
        if not isinstance(orjson.loads(line.strip() or "{}"), dict):
            return "not a JSON object"
    except orjson.JSONDecodeError as error:
        return f"malformed JSON: {error.msg}"
    names: list[str] = []
    json.loads(line.strip() or "{}", object_pairs_hook=partial(_note_twice, names))
    return f"the name {names[0]!r} is there twice" if names else ""


def _note_twice(twice: list[str], pairs: Sequence[tuple[str, object]]) -> None:
    """Note the names that an object has more than once."""
    twice += [name for name, times in Counter(name for name, _ in pairs).items() if times > 1]


def _form(path: Path, text: TextFile, by_line: bool) -> str:
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
    return "array" if start == "[" else "newline_delimited" if by_line else "auto"


def _sql(text: TextFile, form: str, path: Path, columns: str) -> str:
    size = "" if text.size < 1 << 24 else f", maximum_object_size = {_MAX_OBJECT}"
    looked = columns or "sample_size = -1, union_by_name = true"
    return f"SELECT * FROM read_json({literal(str(path))}, format = '{form}', {looked}{size})"


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


def _explained(file: _File, error: PlutoDuckError, *, mends: bool) -> PlutoDuckError:
    """What DuckDB says of a file, with the place; or what has it read anew, more closely or (`mends`) line by line."""
    message = error.message.splitlines()[0]
    if file.is_sampled and any(each in message for each in json_sample.STOPS):
        return QueryFailed(message, code="types_from_sample")
    if mends:
        return QueryFailed(message, code="rows_to_mend")
    place = re.search(r"in (?:line|record/value) (\d+)", message)
    where = f"{file.path}, value {place[1]}" if place else str(file.path)
    if file.by_line and (line := _first_bad_line(file.text.path)):
        where = f"{file.path}, line {line}"
    reason = re.sub(r'^.*?Malformed JSON in file ".*?",?.*?: ', "malformed JSON: ", message).strip()
    return InvalidInput(f"{where}: {reason}", code="bad_json", hint="Mend the file; nothing was loaded.")


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
