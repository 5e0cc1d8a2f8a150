"""What results are made of: their columns, cells in the contract's JSON, and the formats they leave in.

`keeping` writes what `stored_select` gives; HTTP and the command line read through `stream`. What must stay true: row
order is kept, and a value in a preview is the value DuckDB computed, in the contract's JSON.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import math
import re
import uuid
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from pluto_duck_backend.app.core.errors import InvalidInput, did_you_mean
from pluto_duck_backend.app.core.warehouse import Session, Warehouse, literal, quote

if TYPE_CHECKING:
    import polars

Chunks = Iterator[bytes | memoryview]
MEDIA_TYPES = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "arrow": "application/vnd.apache.arrow.stream",
}
_SAFE_INTEGER = 2**53
_AS_THEY_ARE = {"VARCHAR", "BOOLEAN", "INTEGER", "SMALLINT", "TINYINT", "UINTEGER", "USMALLINT", "UTINYINT"}
_LONG_INTEGERS = {"BIGINT", "UBIGINT"}
_DECIMAL = re.compile(r"DECIMAL\(\d+,\d+\)")
_CHUNK_ROWS = 10_000
_CHUNK_BYTES = 1 << 20
_ARROW_ROWS = 16_384
_ARROW_END = b"\xff\xff\xff\xff\x00\x00\x00\x00"
_ARROW_END_BYTES = len(_ARROW_END)
# Parquet, or its readers, have no such types; the text or decimal keeps every digit. Also inside lists and structs.
_STORED_AS = {"HUGEINT": "DECIMAL(38,0)", **dict.fromkeys(("UHUGEINT", "BIGNUM", "BIT", "INTERVAL"), "VARCHAR")}
_NOT_STORED = re.compile(rf"\b({'|'.join(_STORED_AS)})\b")


Column = dict[str, str]


_SHOWING = re.compile(r"\s*(?:/\*.*?\*/\s*)*(?:DESCRIBE|DESC|SUMMARIZE|SHOW)\b", re.IGNORECASE | re.DOTALL)


def as_table(sql: str) -> str:
    """SQL that may stand in a FROM: DESCRIBE, SUMMARIZE and SHOW only do so within a SELECT."""
    return f"SELECT * FROM ({sql}\n)" if _SHOWING.match(sql) else sql


def columns_of(session: Session, sql: str) -> list[Column]:
    """The result's columns, `{name, type}`, without running the query."""
    return [{"name": str(row[0]), "type": str(row[1])} for row in session.rows(f"DESCRIBE {sql}")]


def has_wide_integers(columns: Sequence[Column]) -> bool:
    """Whether a column may hold integers of more than 38 digits, which no decimal takes."""
    return any("HUGEINT" in column["type"] for column in columns)


def stored_select(sql: str, columns: Sequence[Column], *, wide_as_text: bool = False) -> str:
    """`sql` with the names and types that a Parquet file can hold; `wide_as_text` where HUGEINT exceeds a decimal."""
    inner = ", ".join(f"c{n}" for n in range(len(columns)))
    outer = ", ".join(
        f"{_stored(f'c{n}', column['type'], wide_as_text)} AS {quote(name)}"
        for n, (column, name) in enumerate(zip(columns, stored_names(columns), strict=True))
    )
    return f"SELECT {outer} FROM ({sql}\n) AS q({inner})"


def _stored(expression: str, kind: str, wide_as_text: bool) -> str:
    stored_as = {**_STORED_AS, "HUGEINT": "VARCHAR"} if wide_as_text else _STORED_AS
    target = "VARCHAR" if kind.startswith("UNION") else _NOT_STORED.sub(lambda found: stored_as[found[1]], kind)
    return f"CAST({expression} AS {target})" if target != kind else expression


def stored_names(columns: Sequence[Column]) -> list[str]:
    """The columns' names; a repeated one gets a number, since Parquet wants them distinct."""
    seen: set[str] = set()
    names = []
    for column in columns:
        name, number = column["name"], 1
        while name.casefold() in seen:
            name, number = f"{column['name']}_{number}", number + 1
        seen.add(name.casefold())
        names.append(name)
    return names


def json_rows(rows: Sequence[Sequence[Any]], columns: Sequence[Column]) -> list[list[Any]]:
    """Rows in the contract's JSON values. Column by column, since a type's values need one thing done, or nothing."""
    if not rows:
        return []
    given = zip(*rows, strict=True)
    converted = [_json_column(values, column["type"]) for values, column in zip(given, columns, strict=True)]
    return [list(row) for row in zip(*converted, strict=True)]


def _json_column(values: Sequence[Any], kind: str) -> Sequence[Any]:
    if kind in _AS_THEY_ARE:
        return values
    if kind in _LONG_INTEGERS:
        return [each if each is None or -_SAFE_INTEGER <= each <= _SAFE_INTEGER else str(each) for each in values]
    if kind in ("DOUBLE", "FLOAT"):
        return [each if each is None or math.isfinite(each) else None for each in values]
    if _DECIMAL.fullmatch(kind):
        return [None if each is None else float(each) for each in values]
    if kind in ("DATE", "TIMESTAMP"):
        return [each.isoformat() if hasattr(each, "isoformat") else json_value(each) for each in values]
    if kind == "HUGEINT":
        return [None if each is None else json_value(int(each)) for each in values]
    return [json_value(each) for each in values]


def json_value(value: Any) -> Any:
    """A value as the contract writes it: numbers as numbers, integers beyond 2^53 and times as strings."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if abs(value) <= _SAFE_INTEGER else str(value)
    if isinstance(value, float | Decimal):
        number = float(value)
        return number if math.isfinite(number) else None
    if isinstance(value, dt.datetime | dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {str(key): json_value(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [json_value(each) for each in value]
    return str(value) if isinstance(value, uuid.UUID | dt.timedelta) else repr(value)


def stream(warehouse: Warehouse, path: Path, columns: Sequence[Column], form: str) -> Chunks:
    """The full result of a job as `json`, `csv`, `parquet` or `arrow`. Raises InvalidInput for another format."""
    writers = {"json": _json, "csv": _csv}
    if form == "parquet":
        return _parquet(path)
    if form == "arrow":
        return _arrow(path)
    if form in writers:
        return writers[form](batches(warehouse, path, columns), columns)
    raise InvalidInput(
        f"No format {form!r}. Formats: {', '.join(MEDIA_TYPES)}. {did_you_mean(form, MEDIA_TYPES)}".rstrip(),
        code="unknown_format",
    )


def batches(warehouse: Warehouse, path: Path, columns: Sequence[Column]) -> Iterator[list[list[Any]]]:
    """All rows of a kept result, some thousands at a time."""
    with warehouse.read() as session:
        session.execute(f"SELECT * FROM read_parquet({literal(str(path))})")
        while rows := session.fetchmany(_CHUNK_ROWS):
            yield json_rows(rows, columns)


def _json(batches: Iterator[list[list[Any]]], columns: Sequence[Column]) -> Iterator[bytes]:
    """`{"columns": [{name, type}], "rows": [[…], …]}`."""
    yield b'{"columns":' + orjson.dumps(list(columns)) + b',"rows":['
    for number, rows in enumerate(batches):
        yield (b"," if number else b"") + orjson.dumps(rows)[1:-1]
    yield b"]}"


def _csv(batches: Iterator[list[list[Any]]], columns: Sequence[Column]) -> Iterator[bytes]:
    yield _csv_lines([[column["name"] for column in columns]])
    for rows in batches:
        yield _csv_lines([[_csv_cell(cell) for cell in row] for row in rows])


def _csv_lines(rows: Sequence[Sequence[Any]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _csv_cell(cell: Any) -> Any:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return orjson.dumps(cell).decode() if isinstance(cell, dict | list) else cell


def _parquet(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            yield chunk


def _arrow(path: Path) -> Chunks:
    """One Arrow IPC stream, batch after batch: each is written as a stream of its own, of which only the first keeps
    its schema and the last its end. Batches are small: memory of a megabyte is used again, more is mapped anew."""
    import polars
    from polars import selectors

    coded = selectors.categorical() | selectors.enum()
    rows = polars.scan_parquet(path).with_columns(coded.cast(polars.String))
    frames = rows.collect_batches(chunk_size=_ARROW_ROWS, maintain_order=True)
    has_begun = False
    for data in map(_as_stream, frames):
        yield data[_schema_length(data) if has_begun else 0 : -_ARROW_END_BYTES]
        has_begun = True
    yield _ARROW_END if has_begun else _as_stream(rows.clear().collect())


def _as_stream(frame: polars.DataFrame) -> memoryview:
    import polars

    stream = io.BytesIO()
    frame.write_ipc_stream(stream, compat_level=polars.CompatLevel.oldest())
    return stream.getbuffer()


def _schema_length(stream: memoryview) -> int:
    """An encapsulated message is a marker, its length, and that much metadata; a schema has no body."""
    return 8 + int.from_bytes(stream[4:8], "little")
