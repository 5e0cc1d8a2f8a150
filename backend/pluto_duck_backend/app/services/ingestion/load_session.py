"""What every step of a load uses: the session of its transaction, its request, and statements run with progress.

What must stay true: nothing here commits; whoever watches hears at once that a statement has begun, and how far it is.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace

from pluto_duck_backend.app.core.errors import Cancelled, InvalidInput
from pluto_duck_backend.app.core.warehouse import Session, quote
from pluto_duck_backend.app.services.ingestion import positions, writing
from pluto_duck_backend.app.services.ingestion.assignment import Assignment
from pluto_duck_backend.app.services.ingestion.contract import SourceTable
from pluto_duck_backend.app.services.ingestion.evolution import misfit
from pluto_duck_backend.app.services.ingestion.names import Target
from pluto_duck_backend.app.services.ingestion.requests import IngestRequest, Progress
from pluto_duck_backend.app.services.ingestion.watch import watched

Selected = Generator[Progress, None, "str"]
#   progress, and at last a SELECT
NEW = "temp.main._ingest_new"


def staged(number: int) -> str:
    """The temporary table of the source with this number."""
    return f"temp.main._ingest_{number}"


@dataclass(frozen=True)
class LoadSession:
    """One load's; within `modest` a statement that holds nothing of what it reads is to run."""

    session: Session
    request: IngestRequest
    cancelled: Callable[[], bool]
    modest: Callable[[], contextlib.AbstractContextManager[None]] = contextlib.nullcontext

    def run(self, sql: str, source: SourceTable, target: Target) -> Iterator[Progress]:
        """Run a statement that reads `source`."""
        beat = Progress(str(target), 0, None, source.total_bytes, f"reading {source.origin}")
        yield beat
        self.check_cancelled()
        for share in watched(self.session, sql, self.cancelled):
            yield _so_far(beat, source, share)

    def stage(self, assignment: Assignment, select: str) -> Selected:
        """The rows in a temporary table, one for each key; returns a SELECT over it."""
        sql = f"CREATE OR REPLACE TEMP TABLE _ingest_new AS {select}"
        yield from self.run(sql, assignment.sources[-1], assignment.target)
        if self.request.key:
            self.keep_one_of_each_key(assignment)
        return f"FROM {NEW}"

    def keep_one_of_each_key(self, assignment: Assignment) -> None:
        """Of the staged rows."""
        names = [name for name, _ in self.columns(f"FROM {NEW}")]
        cursor = self.request.cursor
        latest = positions.cursor_column(cursor, names, assignment.origin) if cursor else None
        writing.keep_one_of_each_key(self.session, NEW, self.key_in(names, assignment), latest, assignment.origin)

    def key_in(self, names: Sequence[str], assignment: Assignment) -> list[str]:
        """The request's key as these columns spell it."""
        return [positions.cursor_column(each, names, assignment.origin) for each in self.request.key]

    def cursor_in(self, rows: str, cursor: str, origin: str) -> tuple[str, str]:
        """The column called `cursor` as `rows` spell it, and its type there."""
        kinds = dict(self.columns(rows))
        name = positions.cursor_column(cursor, list(kinds), origin)
        return name, kinds[name]

    def columns(self, select: str) -> list[tuple[str, str]]:
        """`(name, DuckDB type)` of each."""
        return [(str(row[0]), str(row[1])) for row in self.session.rows(f"DESCRIBE {select}")]

    def written(self) -> int:
        """How many rows the last statement wrote."""
        return int(self.session.fetchmany(1)[0][0])

    def count(self, rows: str) -> int:
        found = self.session.row(f"SELECT count(*) FROM {rows}")
        return int(found[0]) if found else 0

    def check_values_fit(self, assignment: Assignment, select: str, name: str, kept: str) -> None:
        """Raise InvalidInput with the place of the first value that a column of the type `kept` cannot hold."""
        lost = f"{quote(name)} IS NOT NULL AND {misfit(quote(name), kept)}"
        found = self.session.row(f"SELECT CAST({quote(name)} AS VARCHAR) FROM ({select}) WHERE {lost} LIMIT 1")
        if found:
            raise InvalidInput(
                f"{assignment.place_of(name, str(found[0]))}: column {name} holds {str(found[0])[:200]!r}, which is"
                f" no {kept}, its type in table {assignment.target}.",
                code="columns_differ",
                hint="Mend that value, or load with --mode replace, which takes the columns of the source.",
            )

    def check_cancelled(self) -> None:
        if self.cancelled():
            raise Cancelled("The load was cancelled; nothing was changed.")

    def drop_staged(self, count: int) -> None:
        for name in (NEW, *map(staged, range(count))):
            self.session.execute(f"DROP TABLE IF EXISTS {name}")


def _so_far(beat: Progress, source: SourceTable, share: float | None) -> Progress:
    """The beat with what of rows and bytes has been read, as far as that can be estimated."""
    if share is None:
        return beat
    rows = round(share * source.total_rows) if source.total_rows else 0
    size = round(share * source.total_bytes) if source.total_bytes else None
    return replace(beat, rows=rows, bytes=size, message=f"{beat.message}: {share:.0%}")
