"""A table that a Python program holds: polars, pandas, or anything with an Arrow stream."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.services.ingestion.contract import Config, SourceTable, Toolbox


class Frame:
    name = "frame"
    summary = "DataFrames and Arrow tables of a Python program"
    suffixes: tuple[str, ...] = ()

    @contextlib.contextmanager
    def open(self, config: Config, tools: Toolbox) -> Iterator[Sequence[SourceTable]]:
        """One table, `config["frame"]`."""
        frame: Any = config.get("frame")
        module = type(frame).__module__.split(".")[0]
        frame = frame.collect() if module == "polars" and hasattr(frame, "collect") else frame
        if module != "pandas" and not hasattr(frame, "__arrow_c_stream__"):
            raise InvalidInput(
                f"The connector frame needs config.frame, a DataFrame or Arrow table, not {type(frame).__name__}.",
                code="bad_ingest_request",
                hint='IngestRequest("frame", {"frame": df}, "orders"), from Python only.',
            )
        yield [SourceTable(name="frame", origin=f"a {module} {type(frame).__name__}", frames=lambda: iter([frame]))]
