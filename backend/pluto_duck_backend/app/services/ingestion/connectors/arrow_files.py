"""Arrow files and streams (Feather too) and Avro, read by polars."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.services.ingestion.content import check_is, head_of
from pluto_duck_backend.app.services.ingestion.contract import Config, SourceTable, Toolbox
from pluto_duck_backend.app.services.ingestion.names import table_name
from pluto_duck_backend.app.services.ingestion.registry import stem_of

_ROWS = 250_000  # of a piece


class ArrowFiles:
    name = "arrow"
    summary = "Arrow files and streams, Feather"
    suffixes: tuple[str, ...] = (".arrow", ".arrows", ".feather", ".ipc")

    @contextlib.contextmanager
    def open(self, config: Config, tools: Toolbox) -> Iterator[Sequence[SourceTable]]:
        """One table; types are the file's."""
        path = Path(config["path"])
        is_stream = head_of(path)[:4] == b"\xff\xff\xff\xff"
        if not is_stream:
            check_is(path, "Arrow/Feather")
        yield [_table(path, _read(path, "read_ipc_stream" if is_stream else "read_ipc"))]


class AvroFiles:
    name = "avro"
    summary = "Avro files"
    suffixes: tuple[str, ...] = (".avro",)

    @contextlib.contextmanager
    def open(self, config: Config, tools: Toolbox) -> Iterator[Sequence[SourceTable]]:
        """One table, a row a record."""
        path = Path(config["path"])
        check_is(path, "Avro")
        yield [_table(path, _read(path, "read_avro"))]


def _read(path: Path, reader: str) -> Any:
    import polars as pl

    try:
        return getattr(pl, reader)(path)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InvalidInput(
            f"{path} cannot be read: {str(error).splitlines()[0]}",
            code="unreadable_file",
            hint="The file is damaged or cut off; write or copy it again.",
        ) from error


def _table(path: Path, frame: Any) -> SourceTable:
    return SourceTable(
        name=table_name(stem_of(path)),
        origin=str(path),
        frames=lambda: frame.iter_slices(_ROWS) if frame.height else iter([frame]),
        total_rows=frame.height,
        total_bytes=path.stat().st_size,
    )
