"""A table anew: what of the rows is staged first, the keys that it holds them to, and how it is filled.

What must stay true: the table that is there goes only when the rows for the new one have been found.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from pluto_duck_backend.app.core.errors import Conflict, QueryFailed
from pluto_duck_backend.app.core.warehouse import literal, quote
from pluto_duck_backend.app.services.ingestion import storing, writing
from pluto_duck_backend.app.services.ingestion.assignment import Assignment
from pluto_duck_backend.app.services.ingestion.load_session import NEW, LoadSession, Selected
from pluto_duck_backend.app.services.ingestion.names import Target
from pluto_duck_backend.app.services.ingestion.requests import Progress

Filled = Generator[Progress, None, tuple[writing.Written, list[str]]]
#   progress, and at last what was written, with what is told of it
_LARGE_BYTES, _LARGE_ROWS = 64_000_000, 1_000_000
_INDEXED_ROWS = 6_000_000  # an index of more has been seen to take more than a gigabyte of memory


@dataclass(frozen=True)
class Creating:
    """Of one load."""

    load: LoadSession

    def fill(self, assignment: Assignment, select: str) -> Filled:
        """The target anew from `select`."""
        select = yield from self._looked_at(assignment, select)
        self.load.session.execute(f"CREATE SCHEMA IF NOT EXISTS {quote(assignment.target.schema)}")
        self._drop(assignment.target)
        with self.load.modest():
            notes = yield from self._filled(assignment, select)
        written = writing.Written(inserted=self.load.written())
        self._comment(assignment)
        return written, notes

    def _looked_at(self, assignment: Assignment, select: str) -> Selected:
        """The rows, staged where they are looked at before they are written: nothing is read twice."""
        source, request = assignment.sources[-1], self.load.request
        if request.mode == "merge" or request.key:
            return (yield from self.load.stage(assignment, select))
        if not (source.sql and (source.keys.primary_key or source.keys.unique)):
            return select
        whole = self._fast(assignment, select)
        with self.load.modest():
            yield from self.load.run(f"CREATE OR REPLACE TEMP TABLE _ingest_new AS {whole}", source, assignment.target)
        return f"FROM {NEW}"

    def _filled(self, assignment: Assignment, select: str) -> Generator[Progress, None, list[str]]:
        target, source = assignment.target, assignment.sources[-1]
        constraints, notes = self._constraints(assignment, select)
        if constraints:
            columns = [f"{quote(name)} {kind}" for name, kind in self.load.columns(select)]
            self.load.session.execute(f"CREATE TABLE {target.sql} ({', '.join([*columns, *constraints])})")
            yield from self.load.run(f"INSERT INTO {target.sql} {select}", source, target)
        else:
            yield from self.load.run(self._filling(assignment, select), source, target)
        return notes

    def _filling(self, assignment: Assignment, select: str) -> str:
        """The statement that fills the new table; of a large file the way of storing is chosen beforehand."""
        target, fast = assignment.target, self._fast(assignment, select)
        is_large_file = fast != select and assignment.sources[0].total_bytes is not None
        load, columns = self.load, None
        if is_large_file:
            columns = storing.columns_of(load.session, select, load.columns(select))
        if columns is None:
            return f"CREATE TABLE {target.sql} AS {fast}"
        load.session.execute(f"CREATE TABLE {target.sql} ({', '.join(columns)})")
        return f"INSERT INTO {target.sql} {fast}"

    def _fast(self, assignment: Assignment, select: str) -> str:
        """Large sources are loaded without regard to their order, which takes DuckDB about a third less.

        DuckDB gives up the order where a part of the plan has none, such as the groups of nothing here; its setting
        would hold for every query of the process.
        """
        source = assignment.sources[0]
        is_unknown = source.total_bytes is None and source.total_rows is None
        is_large = is_unknown or (source.total_bytes or 0) >= _LARGE_BYTES or (source.total_rows or 0) >= _LARGE_ROWS
        if len(assignment.sources) > 1 or not source.sql or not is_large:
            return select
        nothing = ", ".join("NULL" for _ in self.load.columns(select))
        return f"{select} UNION ALL SELECT {nothing} FROM (SELECT range AS r FROM range(0) GROUP BY r)"

    def _constraints(self, assignment: Assignment, select: str) -> tuple[list[str], list[str]]:
        """Clauses for the keys that the new table holds its rows to, and what is told of those that it does not."""
        keys = assignment.sources[0].keys
        if len(assignment.sources) != 1 or not (keys.primary_key or keys.unique):
            return [], []
        rows = self.load.count(f"({select})")
        if rows > _INDEXED_ROWS:
            return [], [f"its keys are known but not enforced: their index would hold {rows:,} rows in memory"]
        return writing.constraints(self.load.session, keys, select), []

    def _drop(self, target: Target) -> None:
        try:
            self.load.session.execute(f"DROP TABLE IF EXISTS {target.sql}")
        except QueryFailed as error:
            raise Conflict(
                f"Table {target} cannot be replaced: {error.message}",
                code="target_in_use",
                hint="Drop what depends on it first, or load into another table.",
            ) from error

    def _comment(self, assignment: Assignment) -> None:
        target, source = assignment.target, assignment.sources[0]
        if source.comment:
            self.load.session.execute(f"COMMENT ON TABLE {target.sql} IS {literal(source.comment)}")
        for column, text in source.column_comments.items():
            self.load.session.execute(f"COMMENT ON COLUMN {target.sql}.{quote(column)} IS {literal(text)}")
