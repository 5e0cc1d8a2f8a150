"""Source tables into warehouse tables, inside one transaction that the service holds.

    where to begin (resuming) ─▶ each source as a SELECT (selecting) ─▶ together ─▶ a table anew (creating) or
    rows into the one that is there (adding) ─▶ how far it has been read now, rejects, what is told

The service calls `Loader.load` once for each target. What must stay true: nothing here commits, and every error
goes through the source's own `explain`, so that it names file, line and column.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace

from pluto_duck_backend.app.core.errors import Conflict, EnvironmentFault, PlutoDuckError, QueryFailed
from pluto_duck_backend.app.core.warehouse import Session
from pluto_duck_backend.app.services.ingestion import existing, rejects, writing
from pluto_duck_backend.app.services.ingestion.adding import Adding
from pluto_duck_backend.app.services.ingestion.assignment import Assignment
from pluto_duck_backend.app.services.ingestion.contract import Since, SourceTable
from pluto_duck_backend.app.services.ingestion.creating import Creating, Filled
from pluto_duck_backend.app.services.ingestion.load_session import LoadSession, Selected
from pluto_duck_backend.app.services.ingestion.names import Target
from pluto_duck_backend.app.services.ingestion.positions import Position
from pluto_duck_backend.app.services.ingestion.requests import IngestRequest, Progress, TableResult
from pluto_duck_backend.app.services.ingestion.resuming import Begin, Resuming
from pluto_duck_backend.app.services.ingestion.selecting import Selecting
from pluto_duck_backend.app.services.ingestion.together import union

_ALREADY_SAID = ("disk_full", "out_of_memory", "ties_to_read")  # errors that are no source's


@dataclass(frozen=True)
class Loaded:
    """A target that has been filled: what the ingestion catalog is to know of it."""

    result: TableResult
    table_rows: int
    position: Position | None = None
    warnings: tuple[str, ...] = ()


class Loader:
    """Loads assignments of one request in one session, one after the other."""

    def __init__(
        self,
        session: Session,
        request: IngestRequest,
        cancelled: Callable[[], bool],
        modest: Callable[[], contextlib.AbstractContextManager[None]] = contextlib.nullcontext,
    ) -> None:
        """`modest`: within it a statement that holds nothing of what it reads is to run."""
        self._load = LoadSession(session, request, cancelled, modest)
        self._resuming = Resuming(self._load)

    def load(self, assignment: Assignment, position: Position | None = None) -> Generator[Progress, None, Loaded]:
        """Fill the target, from `position` on where the load is incremental; returns what was loaded."""
        target, request = assignment.target, self._load.request
        self._check_is_no_view(target)
        is_new = request.mode == "replace" or not existing.columns_of(self._load.session, target)
        begin = self._resuming.begin(assignment, position, is_new=is_new)
        assignment = replace(assignment, sources=tuple(_for_load(each, begin.bound) for each in assignment.sources))
        if request.mode == "incremental" and is_new:
            begin = replace(begin, position=self._resuming.first(assignment.sources[0]))
        written, notes = yield from self._filled(assignment, begin, is_new=is_new)
        after = self._resuming.after(assignment, begin)
        self._load.drop_staged(len(assignment.sources))
        rejected = [reject for source in assignment.sources for reject in source.rejects]
        rejects.keep(self._load.session, target, rejected, anew=is_new)
        told = [f"{each.origin}: {note}" for each in assignment.sources for note in each.warnings]
        warnings = (*told, *(f"{target}: {note}" for note in notes))
        return Loaded(self._result(target, written, len(rejected)), self._load.count(target.sql), after, warnings)

    def _filled(self, assignment: Assignment, begin: Begin, *, is_new: bool) -> Filled:
        selecting = Selecting(self._load, assignment.target, begin.bound)
        selects = []
        for number, source in enumerate(assignment.sources):
            selects.append((yield from self._selected(selecting, source, number, alone=assignment.is_one)))
        with _explained(assignment.sources[-1]):
            select = union(self._load.session, assignment.sources, selects)
            way = Creating(self._load) if is_new else Adding(self._load, begin)
            return (yield from way.fill(assignment, select))

    def _selected(self, selecting: Selecting, source: SourceTable, number: int, *, alone: bool) -> Selected:
        with _explained(source):
            return (yield from selecting.rows_of(source, number, alone=alone))

    def _result(self, target: Target, written: writing.Written, rejected: int) -> TableResult:
        return TableResult(
            str(target),
            written.inserted + written.updated,
            len(self._load.columns(target.sql_from)),
            rejected,
            inserted=written.inserted,
            updated=written.updated,
            deleted=written.deleted,
        )

    def _check_is_no_view(self, target: Target) -> None:
        if existing.is_view(self._load.session, target):
            raise Conflict(
                f"{target} is a view, which a load does not replace.",
                code="target_is_view",
                hint=f"Load into another table, or drop the view: DROP VIEW {target.sql}.",
            )


def _for_load(source: SourceTable, since: Since | None) -> SourceTable:
    """The source as it is read for this load."""
    if source.for_load is None:
        return source
    with _explained(source):
        return source.for_load(since)


@contextlib.contextmanager
def _explained(source: SourceTable) -> Iterator[None]:
    """Turn a failed statement into the source's own words."""
    try:
        yield
    except (QueryFailed, EnvironmentFault) as error:
        better: PlutoDuckError = error if error.code in _ALREADY_SAID else source.explain(error)
        if better is error:
            raise
        raise better from error
