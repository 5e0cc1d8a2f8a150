"""Text in columns of fixed width: cut at `widths`, then read as delimited text, with all that this one finds out."""

from __future__ import annotations

import contextlib
import csv
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from pathlib import Path

from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.services.ingestion.connectors.csv_files import CsvFiles
from pluto_duck_backend.app.services.ingestion.connectors.csv_manner import aligned
from pluto_duck_backend.app.services.ingestion.contract import Config, SourceTable, Toolbox
from pluto_duck_backend.app.services.ingestion.names import table_name
from pluto_duck_backend.app.services.ingestion.registry import stem_of
from pluto_duck_backend.app.services.ingestion.text import text_file
from pluto_duck_backend.app.services.ingestion.unpacking import lines_of


class FixedWidthFiles:
    name = "fixed"
    summary = "Text in columns of fixed width"
    suffixes: tuple[str, ...] = (".fwf", ".prn")

    @contextlib.contextmanager
    def open(self, config: Config, tools: Toolbox) -> Iterator[Sequence[SourceTable]]:
        """One table; `config`: `widths` in characters, and as for csv `encoding` and `header`.

        Without widths, columns that blanks keep apart are found."""
        path, widths = Path(config["path"]), config.get("widths")
        if widths is None and aligned(text_file(path, tools, config.get("encoding")).head.splitlines()):
            with CsvFiles().open(config, tools) as tables:
                yield tables
            return
        if not isinstance(widths, list) or not widths or not all(isinstance(each, int) and each > 0 for each in widths):
            raise InvalidInput(
                f"{path}: the connector fixed needs `widths`, such as [8, 12, 5], not {widths!r}.",
                code="bad_ingest_request",
                hint="Count the characters of each column, spaces between them included.",
            )
        text = text_file(path, tools, config.get("encoding"))
        cut = tools.new_file(".csv")
        _cut(lines_of(text.path), widths, cut)
        options = {"path": str(cut), "delimiter": ",", "header": config.get("header")}
        with CsvFiles().open(options, tools) as (table,):
            yield [replace(table, name=table_name(stem_of(path)), origin=str(path), warnings=text.warnings)]


def _cut(lines: Iterator[str], widths: Sequence[int], target: Path) -> None:
    """The last column has all that is left of a line."""
    places = [*pairwise(accumulate(widths[:-1], initial=0)), (sum(widths[:-1]), None)]
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        for line in lines:
            if line.strip():
                writer.writerow(
                    [line[start:end].strip() for start, end in places[:-1]] + [line[places[-1][0] :].strip()]
                )
