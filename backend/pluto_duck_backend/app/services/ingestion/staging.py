"""Rows of Python values into a temporary table, and the types they deserve once all are there.

The loader uses it for sources that hand out batches. What must stay true: memory holds one batch at a time, and a
column gets a narrower type only if every one of its values survives it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pluto_duck_backend.app.core.warehouse import Session, quote
from pluto_duck_backend.app.services.ingestion.contract import Batch, Column, Since, SourceTable

_FRAME = "_ingest_batch"
_TIMESTAMP = r"\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?)?"
_TIME = r"\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?"


class _Stream:
    """Hands DuckDB a frame's Arrow stream only, so that it does not look for pyarrow."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._frame.__arrow_c_stream__(requested_schema)


def stage(
    session: Session, name: str, source: SourceTable, check: Callable[[], None], since: Since | None = None
) -> Iterator[int]:
    """Fill the temporary table `name`; yields the number of rows so far after each batch."""
    if source.frames:
        yield from _stage_frames(session, name, source.frames(), check)
        return
    assert source.batches is not None
    batches = source.batches_since(since) if since and source.batches_since else source.batches()
    columns = ", ".join(f"{quote(each.name)} {each.type}" for each in source.columns)
    session.execute(f"CREATE OR REPLACE TEMP TABLE {name} ({columns})")
    rows = 0
    for batch in batches:
        check()
        session.register(_FRAME, _Stream(_frame(source.columns, batch)))
        session.execute(f"INSERT INTO {name} SELECT * FROM {_FRAME}")
        session.unregister(_FRAME)
        rows += len(batch)
        yield rows


def _stage_frames(session: Session, name: str, frames: Iterator[Any], check: Callable[[], None]) -> Iterator[int]:
    """Pieces of Arrow data; the first says which columns there are."""
    rows = 0
    for number, frame in enumerate(frames):
        check()
        session.register(_FRAME, readable(frame))
        into = f"INSERT INTO {name} BY NAME" if number else f"CREATE OR REPLACE TEMP TABLE {name} AS"
        done = session.row(f"{into} SELECT * FROM {_FRAME}")
        session.unregister(_FRAME)
        rows += int(done[0]) if done else 0
        yield rows


def readable(frame: Any) -> Any:
    """What DuckDB can read of a frame: its Arrow stream, so that nobody needs pyarrow; pandas as it is."""
    is_pandas = type(frame).__module__.split(".")[0] == "pandas"
    return _Stream(frame) if hasattr(frame, "__arrow_c_stream__") and not is_pandas else frame


def _frame(columns: Sequence[Column], batch: Batch) -> Any:
    import polars as pl

    kinds: dict[str, Any] = {
        "BIGINT": pl.Int64,
        "DOUBLE": pl.Float64,
        "VARCHAR": pl.String,
        "BLOB": pl.Binary,
        "BOOLEAN": pl.Boolean,
        "DATE": pl.Date,
        "TIMESTAMP": pl.Datetime("us"),
        "TIME": pl.Time,
        "INTERVAL": pl.Duration("us"),
    }
    cells = zip(columns, zip(*batch, strict=True), strict=True)
    return pl.DataFrame([pl.Series(f"c{i}", each, dtype=kinds[column.type]) for i, (column, each) in enumerate(cells)])


def narrowed(session: Session, name: str, columns: Sequence[Column]) -> str:
    """The SELECT list that reads the staged table `name`, each column as the first of its wishes that comes true."""
    if not columns:
        return "*"
    wishes = [(each, wish) for each in columns for wish in each.wishes]
    chosen: dict[str, str] = {}
    if wishes:
        tests = ", ".join(f"coalesce(bool_and({_survives(*each)}), true)" for each in wishes)
        row = session.row(f"SELECT {tests} FROM {name}") or ()
        for (column, wish), holds in zip(wishes, row, strict=True):
            if holds:
                chosen.setdefault(column.name, wish)
    return ", ".join(_read(each.name, chosen.get(each.name)) for each in columns)


def _read(name: str, kind: str | None) -> str:
    return f"CAST({quote(name)} AS {kind}) AS {quote(name)}" if kind else quote(name)


def _survives(column: Column, wish: str) -> str:
    """A condition that holds for NULL and for each value that `wish` keeps as it is."""
    name = quote(column.name)
    cast = f"try_cast({name} AS {wish})"
    if wish == "DATE":
        kept = f"CAST({cast} AS VARCHAR) = {name}"
    elif wish == "TIMESTAMP":
        kept = f"regexp_full_match({name}, '{_TIMESTAMP}') AND {cast} IS NOT NULL"
    elif wish == "TIME":
        kept = f"regexp_full_match({name}, '{_TIME}') AND {cast} IS NOT NULL"
    elif wish == "BOOLEAN":
        kept = f"{name} IN (0, 1)"
    else:
        kept = f"CAST({cast} AS DOUBLE) = CAST({name} AS DOUBLE)"
    return f"{name} IS NULL OR coalesce({kept}, false)"
