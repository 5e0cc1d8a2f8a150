"""Results at rest and on their way out: the Parquet file of a job, its preview, its formats.

The executor writes through `copy_statement` and reads back through `preview`; HTTP and the command line through
`stream`. What must stay true: row order is kept, and a value in a preview is the value DuckDB computed, in the
contract's JSON.
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
from typing import Any

import orjson

from pluto_duck_backend.app.core.errors import InvalidInput, did_you_mean
from pluto_duck_backend.app.core.warehouse import Session, Warehouse, literal, quote

MEDIA_TYPES = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "arrow": "application/vnd.apache.arrow.stream",
}
_SAFE_INTEGER = 2**53
_CHUNK_ROWS = 10_000
_CHUNK_BYTES = 1 << 20
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


def copy_statement(sql: str, columns: Sequence[Column], path: Path) -> str:
    """SQL that writes the whole result to `path` as it is produced."""
    inner = ", ".join(f"c{n}" for n in range(len(columns)))
    outer = ", ".join(
        f"{_stored(f'c{n}', column['type'])} AS {quote(name)}"
        for n, (column, name) in enumerate(zip(columns, _unique(columns), strict=True))
    )
    return f"COPY (SELECT {outer} FROM ({sql}\n) AS q({inner})) TO {literal(str(path))} (FORMAT parquet)"


def _stored(expression: str, kind: str) -> str:
    target = "VARCHAR" if kind.startswith("UNION") else _NOT_STORED.sub(lambda found: _STORED_AS[found[1]], kind)
    return f"CAST({expression} AS {target})" if target != kind else expression


def _unique(columns: Sequence[Column]) -> list[str]:
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


def preview(session: Session, path: Path, columns: Sequence[Column], limit: int) -> list[list[Any]]:
    """The first `limit` rows of the result in `path`."""
    rows = session.rows(f"SELECT * FROM read_parquet({literal(str(path))}) LIMIT {int(limit)}")
    return json_rows(rows, columns)


def json_rows(rows: Sequence[Sequence[Any]], columns: Sequence[Column]) -> list[list[Any]]:
    """Rows in the contract's JSON values."""
    whole = [column["type"] == "HUGEINT" for column in columns]
    return [
        [
            json_value(int(cell) if is_whole and cell is not None else cell)
            for cell, is_whole in zip(row, whole, strict=True)
        ]
        for row in rows
    ]


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


def stream(warehouse: Warehouse, path: Path, columns: Sequence[Column], form: str) -> Iterator[bytes]:
    """The full result of a job as `json`, `csv`, `parquet` or `arrow`. Raises InvalidInput for another format."""
    writers = {"json": _json, "csv": _csv}
    if form == "parquet":
        return _parquet(path)
    if form == "arrow":
        return _arrow(path)
    if form in writers:
        return writers[form](_batches(warehouse, path, columns), columns)
    raise InvalidInput(
        f"No format {form!r}. Formats: {', '.join(MEDIA_TYPES)}. {did_you_mean(form, MEDIA_TYPES)}".rstrip(),
        code="unknown_format",
    )


def _batches(warehouse: Warehouse, path: Path, columns: Sequence[Column]) -> Iterator[list[list[Any]]]:
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


def _arrow(path: Path) -> Iterator[bytes]:
    import polars

    stream = io.BytesIO()
    polars.read_parquet(path).write_ipc_stream(stream)
    data = stream.getbuffer()
    for start in range(0, len(data), _CHUNK_BYTES):
        yield bytes(data[start : start + _CHUNK_BYTES])
