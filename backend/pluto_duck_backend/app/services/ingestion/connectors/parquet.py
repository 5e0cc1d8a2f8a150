"""Parquet files; DuckDB reads them itself."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from pluto_duck_backend.app.core.errors import InvalidInput, PlutoDuckError
from pluto_duck_backend.app.core.warehouse import literal
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

        def explain(error: PlutoDuckError) -> PlutoDuckError:
            return InvalidInput(
                f"{path} cannot be read: {error.message.splitlines()[0]}",
                code="unreadable_file",
                hint="The file is damaged or cut off; write or copy it again.",
            )

        sql = f"SELECT * FROM read_parquet({literal(str(path))})"
        with tools.read() as session:
            try:
                count = session.row(f"SELECT sum(num_rows)::BIGINT FROM parquet_file_metadata({literal(str(path))})")
            except PlutoDuckError as error:
                raise explain(error) from error
        yield [
            SourceTable(
                name=table_name(stem_of(path)),
                origin=str(path),
                sql=sql,
                total_rows=count[0] if count else None,
                total_bytes=path.stat().st_size,
                explain=explain,
            )
        ]
