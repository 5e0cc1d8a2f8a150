"""Delimited text of any delimiter: the dialect is found here, DuckDB reads the rows.

What must stay true: a row of another width is put aside with its line, or an error that names it, never a silent change
of dialect; what is left out of the file is told.
"""

from __future__ import annotations

import contextlib
import csv
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

import orjson

from pluto_duck_backend.app.core.errors import InvalidInput, QueryFailed
from pluto_duck_backend.app.services.ingestion.connectors.csv_dialect import Dialect, dialect_of
from pluto_duck_backend.app.services.ingestion.connectors.csv_footers import Footers
from pluto_duck_backend.app.services.ingestion.connectors.csv_header import is_value
from pluto_duck_backend.app.services.ingestion.connectors.csv_manner import manner_of
from pluto_duck_backend.app.services.ingestion.connectors.csv_mending import Mended, Mender
from pluto_duck_backend.app.services.ingestion.connectors.csv_reader import Reader
from pluto_duck_backend.app.services.ingestion.connectors.csv_totals import calls_itself_total, cells_of, last_line_of
from pluto_duck_backend.app.services.ingestion.contract import Config, SourceTable, Toolbox
from pluto_duck_backend.app.services.ingestion.names import table_name, unique_names
from pluto_duck_backend.app.services.ingestion.registry import stem_of
from pluto_duck_backend.app.services.ingestion.rejects import Reject, check_limit
from pluto_duck_backend.app.services.ingestion.text import TextFile, text_file
from pluto_duck_backend.app.services.ingestion.unpacking import lines_of, pieces_of


class CsvFiles:
    name = "csv"
    summary = "CSV, TSV and other delimited text"
    suffixes: tuple[str, ...] = (".csv", ".tsv", ".tab", ".psv", ".txt")

    @contextlib.contextmanager
    def open(self, config: Config, tools: Toolbox) -> Iterator[Sequence[SourceTable]]:
        """One table; `config` may fix `encoding`, `delimiter` and `header`."""
        path = Path(config["path"])
        text, said = _usually_written(text_file(path, tools, config.get("encoding")), tools)
        dialect = _dialect(path, text, config, said)
        given = dialect.names or (dialect.first_row if dialect.header else ())
        names, notes = unique_names(given) if given else (_numbered(dialect), [])
        line_of = partial(_line_of, text, dialect, names)
        text, dialect, mended = _rows(path, text, dialect, names, tools)
        reader = Reader(path, text, dialect, names, tools)
        types = reader.types()
        if not tools.mending and _may_repeat_header(text, dialect, types):
            raise QueryFailed("the header may stand among the rows", code="rows_to_mend")
        yield [
            SourceTable(
                name=table_name(stem_of(path)),
                origin=str(path),
                sql=reader.select(types),
                column_comments={name: unit for name, unit in zip(names, dialect.units, strict=False) if unit},
                total_bytes=text.size,
                warnings=(*text.warnings, *dialect.notes, *notes, *reader.notes, *_told_of(mended)),
                rejects=tuple(mended.rejects),
                explain=reader.explain,
                line_of=line_of,
            )
        ]


def _dialect(path: Path, text: TextFile, config: Config, said: tuple[str, ...]) -> Dialect:
    """As `config` fixes it, else as the text looks; where each line says its names (`said`) that is known."""
    delimiter, header = (",", False) if said else (config.get("delimiter"), config.get("header"))
    _check_is_no_json(path, text, delimiter)
    dialect = dialect_of(text.head, whole=text.whole, delimiter=delimiter, header=header)
    return replace(dialect, names=said or dialect.names)


def _rows(
    path: Path, text: TextFile, dialect: Dialect, names: Sequence[str], tools: Toolbox
) -> tuple[TextFile, Dialect, Mended]:
    """The file as it is, or mended. Raises QueryFailed, which has it mended, where its last line may be no row."""
    if tools.mending:
        return _mended(path, text, dialect, names, tools)
    if _may_close(text, dialect):
        raise QueryFailed("the last line may be no row", code="rows_to_mend")
    return text, dialect, Mended([], [], 0)


def _told_of(mended: Mended) -> list[str]:
    below = f"lines skipped below the table: {' / '.join(mended.notes)[:200]}"
    return [below] if mended.notes else []


def _check_is_no_json(path: Path, text: TextFile, delimiter: str | None) -> None:
    """Raise InvalidInput for JSON under another name: all of the file, or its first line, is an object or an array."""
    body = text.head.strip()
    if delimiter or body[:1] not in ("{", "["):
        return
    for piece in (body, body.splitlines()[0]):
        with contextlib.suppress(orjson.JSONDecodeError):
            orjson.loads(piece)
            raise InvalidInput(
                f"{path} looks like JSON.",
                code="not_that_format",
                hint="Give it the ending .json or .ndjson, or load it with --connector json.",
            )


def _usually_written(text: TextFile, tools: Toolbox) -> tuple[TextFile, tuple[str, ...]]:
    """The file itself, or a copy with its lines as they are usually written; the names that each line says."""
    manner = manner_of(text.head)
    if manner is None:
        return text, ()
    copy = tools.new_file(".lines")
    with copy.open("w", encoding="utf-8", newline="") as file:
        for line in lines_of(text.path):
            tools.check_cancelled()
            file.write(manner.undo(line) + "\n")
    head = "\n".join(map(manner.undo, text.head.removeprefix("\ufeff").splitlines())) + "\n"
    return replace(text, path=copy, head=head, warnings=(*text.warnings, manner.note)), manner.names


def _may_close(text: TextFile, dialect: Dialect) -> bool:
    """Whether the last line may be a total or a remark."""
    line, is_apart = last_line_of(text.path)
    footers = Footers(dialect.rows[int(dialect.header) :])
    is_remark = footers.is_one(cells_of(line, dialect.delimiter), is_apart=is_apart)
    return is_remark or calls_itself_total(line, dialect.delimiter)


def _may_repeat_header(text: TextFile, dialect: Dialect, types: Sequence[str]) -> bool:
    """Whether the bytes of the header's line come again; names among values make their columns text."""
    pairs = zip(types, dialect.first_row, strict=False)
    if not dialect.header or len(types) == 1 or not all(kind == "VARCHAR" or is_value(name) for kind, name in pairs):
        return False
    line = next(islice(lines_of(text.path), dialect.skip, None), "").encode()
    last, times = b"", 0
    for piece in pieces_of(text.path):
        times += (last + piece).count(line)
        last = piece[-len(line) + 1 :]
    return times > 1


def _line_of(text: TextFile, dialect: Dialect, names: Sequence[str], column: str, value: str) -> int | None:
    """The first line of the file in which the column holds this text."""
    rows = csv.reader(islice(lines_of(text.path), dialect.skip, None), delimiter=dialect.delimiter)
    at = names.index(column)
    return next((rows.line_num + dialect.skip for row in rows if row[at : at + 1] == [value]), None)


def _mended(
    path: Path, text: TextFile, dialect: Dialect, names: Sequence[str], tools: Toolbox
) -> tuple[TextFile, Dialect, Mended]:
    """A copy without the rows that cannot be read. Raises InvalidInput where they are too many."""

    def too_many(rejects: Sequence[Reject], rows: int) -> None:
        tools.check_cancelled()
        check_limit(rejects, len(rejects), tools.max_rejects)

    copy = tools.new_file(".mended")
    with copy.open("w+", encoding="utf-8", newline="") as file:
        mended = Mender(str(path), dialect, names, too_many).mend(lines_of(text.path), file, header=dialect.header)
    check_limit(mended.rejects, mended.rows - dialect.header, tools.max_rejects)
    whole = replace(text, path=copy, lines=mended.rows)
    return whole, replace(dialect, skip=0), mended


def _numbered(dialect: Dialect) -> list[str]:
    return [f"column_{number}" for number, _ in enumerate(dialect.first_row, 1)]
