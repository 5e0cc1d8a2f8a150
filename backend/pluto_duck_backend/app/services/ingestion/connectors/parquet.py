"""Parquet files; DuckDB reads them itself."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from pluto_duck_backend.app.core.errors import InvalidInput, PlutoDuckError
from pluto_duck_backend.app.core.warehouse import Session, literal
from pluto_duck_backend.app.services.ingestion.content import check_is
from pluto_duck_backend.app.services.ingestion.contract import Config, SourceTable, Toolbox
from pluto_duck_backend.app.services.ingestion.names import table_name
from pluto_duck_backend.app.services.ingestion.registry import stem_of


class ParquetFiles:
    name = "parquet"
    summary = "Parquet files"
    suffixes: tuple[str, ...] = (".parquet", ".pq")

    @contextlib.contextmanager
    def open(self, config: Config, tools: Toolbox) -> Iterator[Sequence[SourceTable]]:
        """One table; types are the file's."""
        path = Path(config["path"])
        check_is(path, "Parquet")
        explain = partial(_explained, path)
        try:
            with tools.read() as session:
                rows = _rows_of(session, path)
        except PlutoDuckError as error:
            raise explain(error) from error
        yield [
            SourceTable(
                name=table_name(stem_of(path)),
                origin=str(path),
                sql=f"SELECT * FROM read_parquet({literal(str(path))})",
                total_rows=rows,
                total_bytes=path.stat().st_size,
                explain=explain,
            )
        ]


def _rows_of(session: Session, path: Path) -> int | None:
    """As the file itself says, which shows also whether it is whole."""
    count = session.row(f"SELECT sum(num_rows)::BIGINT FROM parquet_file_metadata({literal(str(path))})")
    return count[0] if count else None


def _explained(path: Path, error: PlutoDuckError) -> PlutoDuckError:
    return InvalidInput(
        f"{path} cannot be read: {error.message.splitlines()[0]}",
        code="unreadable_file",
        hint="The file is damaged or cut off; write or copy it again.",
    )
