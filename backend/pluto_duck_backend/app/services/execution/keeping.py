"""Full results on disk: what a query's answer is read from, how it is written, what is known of it, and for how long.

A server answers a result that the plan expects to be small from its rows and writes them to Parquet after that; any
other goes straight to Parquet, and its preview is read from the file.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pluto_duck_backend.app.core.config import QuerySettings
from pluto_duck_backend.app.core.errors import EnvironmentFault, QueryFailed
from pluto_duck_backend.app.core.warehouse import Session, literal, quote
from pluto_duck_backend.app.services.execution import frames
from pluto_duck_backend.app.services.execution.results import (
    Column,
    has_wide_integers,
    json_rows,
    json_value,
    stored_names,
    stored_select,
)

SMALL_ROWS = 20_000
Rows = list[tuple[Any, ...]]
_PROFILED_ROWS = 100_000
T = TypeVar("T")
_logger = logging.getLogger(__name__)


class Store:
    """The results of one data root, one Parquet file a job."""

    def __init__(self, folder: Path, settings: QuerySettings) -> None:
        self._folder = folder
        self._settings = settings

    def path(self, job_id: str) -> Path:
        return self._folder / f"{job_id}.parquet"

    def part(self, job_id: str) -> Path:
        return self._folder / f"{job_id}.part"

    def fetch_small(self, session: Session, sql: str) -> tuple[list[Column], Rows] | None:
        """All rows of `sql` as DuckDB gives them; None where a frame cannot hold them, or they are too many."""
        columns = [{"name": name, "type": kind} for name, kind in session.execute(sql).description]
        if not frames.can_hold(columns):
            return None
        most = self._settings.result_rows or SMALL_ROWS
        rows = session.fetchmany(min(most, SMALL_ROWS) + 1)
        if len(rows) > SMALL_ROWS:
            return None
        self._counted(len(rows))
        return columns, rows

    def keep_small(self, rows: Rows, columns: Sequence[Column], job_id: str) -> list[dict[str, Any]]:
        """Write fetched rows to the job's file; returns their profile. Raises ValueError for what no frame holds."""
        frame = frames.frame_of(rows, columns)
        with self._whole_file(job_id) as part:
            frames.write(frame, part)
        return frames.profile_of(frame, columns)

    def write(
        self, session: Session, sql: str, columns: Sequence[Column], job_id: str, *, in_order: bool = True
    ) -> int:
        """Run `sql` into the job's file as its rows are produced; returns their number."""
        rows = _with_wide_integers(
            session, lambda wide: self._write(session, self._selected(sql, columns, wide), job_id, in_order), columns
        )
        return self._counted(rows, job_id)

    def preview(self, session: Session, job_id: str, columns: Sequence[Column], limit: int) -> list[list[Any]]:
        """The first rows of the job's file."""
        sql = f"SELECT * FROM read_parquet({literal(str(self.path(job_id)))}) LIMIT {int(limit)}"
        return json_rows(session.rows(sql), columns)

    def profile(
        self, session: Session, job_id: str, columns: Sequence[Column], row_count: int
    ) -> list[dict[str, Any]] | None:
        """Of each column of a kept result: nulls, distinct (about), least and greatest; None for a large one."""
        if not columns or row_count > _PROFILED_ROWS:
            return None
        names = [quote(name) for name in stored_names(columns)]
        kinds = [_is_ordered(column["type"]) for column in columns]
        parts = [part for name, ordered in zip(names, kinds, strict=True) for part in _profiled(name, ordered)]
        row = session.row(f"SELECT {', '.join(parts)} FROM read_parquet({literal(str(self.path(job_id)))})") or ()
        return [
            {
                "name": column["name"],
                "nulls": row_count - row[4 * n],
                "distinct": row[4 * n + 1],
                "least": json_value(row[4 * n + 2]),
                "greatest": json_value(row[4 * n + 3]),
            }
            for n, column in enumerate(columns)
        ]

    def prune(self) -> list[str]:
        """Delete results past their age, then the oldest beyond the room; returns their job ids."""
        gone = [path.stem for path in self._past() if _deleted(path)]
        if gone:
            _logger.info("pruned %d results", len(gone))
        return gone

    def sweep(self) -> None:
        """Remove what a dead process left half written."""
        for path in self._folder.glob("*.part"):
            path.unlink(missing_ok=True)

    def _past(self) -> Iterator[Path]:
        days, room = self._settings.keep_days, self._settings.keep_mb * 1_000_000
        limit, used = time.time() - days * 86_400, 0
        for modified, size, path in sorted(_files(self._folder), reverse=True):
            used += size
            if (days and modified < limit) or (room and used > room):
                yield path

    def _selected(self, sql: str, columns: Sequence[Column], wide_as_text: bool) -> str:
        selected = stored_select(sql, columns, wide_as_text=wide_as_text)
        most = self._settings.result_rows
        return f"{selected} LIMIT {most + 1}" if most else selected

    def _counted(self, rows: int, job_id: str = "") -> int:
        most = self._settings.result_rows
        if most and rows > most:
            if job_id:
                self.path(job_id).unlink(missing_ok=True)
            raise QueryFailed(
                f"The result has more than {most:,} rows.",
                code="result_too_large",
                hint="Add a LIMIT or aggregate, or raise the setting query.result_rows.",
            )
        return rows

    def _write(self, session: Session, sql: str, job_id: str, in_order: bool = True) -> int:
        order = "" if in_order else ", PRESERVE_ORDER false"
        with self._whole_file(job_id) as part:
            row = session.row(f"COPY ({sql}) TO {literal(str(part))} (FORMAT parquet{order})")
        return int(row[0]) if row else 0

    @contextlib.contextmanager
    def _whole_file(self, job_id: str) -> Iterator[Path]:
        """Where to write; only a whole file takes the job's name."""
        part = self.part(job_id)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            yield part
            part.replace(self.path(job_id))
        except BaseException as error:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
            if isinstance(error, OSError):
                raise _cannot_keep(error) from error
            raise


def _with_wide_integers(session: Session, run: Callable[[bool], T], columns: Sequence[Column]) -> T:
    """Sums are HUGEINT and almost always fit a decimal of 38 digits; where one does not, they are kept as text."""
    try:
        return run(False)
    except QueryFailed as error:
        if error.code != "conversion_error" or not has_wide_integers(columns):
            raise
        session.begin_again()
        return run(True)


def _cannot_keep(error: OSError) -> EnvironmentFault:
    return EnvironmentFault(
        f"The result cannot be kept: {error.strerror or error}.",
        code="cannot_keep_result",
        hint="Check the disk's space and the permissions of artifacts/queries in the data root.",
    )


def _is_ordered(kind: str) -> bool:
    return not kind.endswith("]") and kind.split("(")[0] not in ("STRUCT", "MAP", "UNION", "JSON", "BLOB", "VARIANT")


def _profiled(name: str, ordered: bool) -> list[str]:
    shown = [f"approx_count_distinct({name})", f"min({name})", f"max({name})"] if ordered else ["NULL"] * 3
    return [f"count({name})", *shown]


def _files(folder: Path) -> Iterator[tuple[float, int, Path]]:
    for path in folder.glob("*.parquet"):
        with contextlib.suppress(OSError):
            found = path.stat()
            yield found.st_mtime, found.st_size, path


def _deleted(path: Path) -> bool:
    with contextlib.suppress(OSError):
        path.unlink()
        return True
    return False
