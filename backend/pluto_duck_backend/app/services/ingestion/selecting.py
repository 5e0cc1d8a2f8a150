"""A source as a SELECT: what DuckDB reads itself, and rows of Python values, which are staged first."""

from __future__ import annotations

from dataclasses import dataclass

from pluto_duck_backend.app.services.ingestion import positions
from pluto_duck_backend.app.services.ingestion.assignment import Assignment
from pluto_duck_backend.app.services.ingestion.contract import Since, SourceTable
from pluto_duck_backend.app.services.ingestion.evolution import alike
from pluto_duck_backend.app.services.ingestion.load_session import LoadSession, Selected, staged
from pluto_duck_backend.app.services.ingestion.names import Target
from pluto_duck_backend.app.services.ingestion.requests import Progress
from pluto_duck_backend.app.services.ingestion.staging import narrowed, stage


@dataclass(frozen=True)
class Selecting:
    """For one target, from `since` on."""

    load: LoadSession
    target: Target
    since: Since | None

    def rows_of(self, source: SourceTable, number: int, *, alone: bool) -> Selected:
        """A SELECT over the source; each of several files is staged, so that it is read once."""
        if not source.sql or (self.since and source.batches_since):
            return (yield from self._of_batches(source, number))
        wanted = self._wanted(source.sql_since(self.since) if self.since and source.sql_since else source.sql, source)
        if alone:
            return wanted
        yield from self.load.run(f"CREATE OR REPLACE TEMP TABLE {_short(number)} AS {wanted}", source, self.target)
        return f"SELECT * FROM {staged(number)}"

    def _of_batches(self, source: SourceTable, number: int) -> Selected:
        session = self.load.session
        for rows in stage(session, _short(number), source, self.load.check_cancelled, self.since):
            total = f" of {source.total_rows:,}" if source.total_rows is not None else ""
            yield Progress(str(self.target), rows, None, source.total_bytes, f"{source.origin}: {rows:,} rows{total}")
        name = staged(number)
        return self._wanted(f"SELECT {narrowed(session, name, source.columns)} FROM {name}", source)

    def _wanted(self, rows: str, source: SourceTable) -> str:
        """Of `rows` those from `since` on, those without a cursor too, of whatever type their column is."""
        if self.since is None:
            return f"SELECT * FROM ({rows})"
        column, kind = self.load.cursor_in(rows, self.since.column, source.origin)
        is_alike = alike(kind, self.since.type)
        if not is_alike:
            self.load.check_values_fit(Assignment(self.target, (source,)), rows, column, self.since.type)
        return f"SELECT * FROM ({rows}) WHERE {positions.window(column, self.since, is_alike=is_alike)}"


def _short(number: int) -> str:
    """The name by which a temporary table is made."""
    return staged(number).rpartition(".")[2]
