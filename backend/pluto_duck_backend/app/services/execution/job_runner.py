"""One job from its beginning to its record, in the thread of whoever calls.

    prepare (guard, rights, plan) ─▶ run in a READ ONLY transaction ─▶ answer ─▶ keep (Parquet, profile) ─▶ record

What must stay true: nothing runs unguarded; a job ends with exactly one record, and one answered from a small result is
recorded when that result is kept, which goes on without the caller.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from pluto_duck_backend.app.core import counts, spans
from pluto_duck_backend.app.core.config import QuerySettings
from pluto_duck_backend.app.core.errors import EnvironmentFault, PlutoDuckError
from pluto_duck_backend.app.core.warehouse import Session, Warehouse
from pluto_duck_backend.app.services.execution import results
from pluto_duck_backend.app.services.execution.bookkeeping import Bookkeeping
from pluto_duck_backend.app.services.execution.endings import answered, cancelled, failed, ours
from pluto_duck_backend.app.services.execution.job import QueryResult, Running
from pluto_duck_backend.app.services.execution.keeping import Store
from pluto_duck_backend.app.services.execution.kept import KeptResults
from pluto_duck_backend.app.services.execution.later import Later
from pluto_duck_backend.app.services.execution.preparing import Prepared, Preparer
from pluto_duck_backend.app.services.execution.roster import Roster

Rows = list[tuple[Any, ...]]
Error = PlutoDuckError | KeyboardInterrupt | None
_LEAST_WEIGHT = 1_000
#   rows that an answered job counts for at least, so that at most a hundred wait to be kept
_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Answer:
    """What came of a job; `rows` where they are still to be kept."""

    job: QueryResult
    rows: Rows | None = None
    error: Error = None


@dataclass
class JobRunner:
    """What a job needs on its way. Thread-safe."""

    warehouse: Warehouse
    settings: QuerySettings
    preparer: Preparer
    store: Store
    kept: KeptResults
    books: Bookkeeping
    roster: Roster
    later: Later
    is_warm: bool = False
    """Whether what makes small results quick is loaded."""

    def run(self, job: QueryResult, running: Running) -> tuple[QueryResult, Error]:
        """Run a job, in a span of its own; returns it answered, with what went wrong."""
        with spans.span("query", {"db.system.name": "duckdb", "pluto_duck.query.id": job.job_id}) as span:
            span.quote("db.query.text", job.sql)
            answer = self._run(job, running)
            done, error = answer.job, answer.error
            span.tell({"pluto_duck.query.status": done.status, "db.response.returned_rows": done.row_count or 0})
            if error:
                span.fail(getattr(error, "code", "cancelled"))
        return done, error

    def _run(self, job: QueryResult, running: Running) -> _Answer:
        began = time.perf_counter()
        running.deadline = time.monotonic() + (running.request.timeout_s or self.settings.timeout_s)
        self.later.busy()
        answer = self._answered(job, running)
        took_ms = round((time.perf_counter() - began) * 1000, 3)
        answer = replace(answer, job=self.roster.put(replace(answer.job, elapsed_ms=took_ms)))
        counts.QUERIES.add(took_ms / 1000, "refused" if answer.job.refused else answer.job.status)
        self._end(answer, running)
        running.done.set()
        return answer

    def _answered(self, job: QueryResult, running: Running) -> _Answer:
        try:
            with self.warehouse.read() as session, running.within(session):
                running.check()
                prepared = self.preparer.prepare(session, job.sql, running.request.who)
                return self._from_rows(session, job, running, prepared) or self._from_file(
                    session, job, running, prepared
                )
        except Exception as raised:  # noqa: BLE001 - recorded, and returned to the caller
            error = running.reason or ours(raised)
            return _Answer(failed(job, error), error=error)
        except KeyboardInterrupt as raised:
            return _Answer(failed(job, cancelled()), error=raised)

    def _from_rows(self, session: Session, job: QueryResult, running: Running, prepared: Prepared) -> _Answer | None:
        """The answer out of all rows, where they are few."""
        fetched = self.store.fetch_small(session, prepared.sql) if prepared.is_small and self.is_warm else None
        if fetched is None:
            return None
        running.check()
        columns, rows = fetched
        shown = results.json_rows(rows[: self._shown(running)], columns)
        return _Answer(answered(job, prepared, columns, shown, len(rows)), rows)

    def _from_file(self, session: Session, job: QueryResult, running: Running, prepared: Prepared) -> _Answer:
        """The answer out of the file that the rows are written to as they are produced."""
        columns = results.columns_of(session, prepared.sql)
        count = self.store.write(session, prepared.sql, columns, job.job_id, in_order=prepared.has_order)
        shown = self.store.preview(session, job.job_id, columns, self._shown(running))
        running.check()
        profile = self.store.profile(session, job.job_id, columns, count)
        return _Answer(self._on_disk(answered(job, prepared, columns, shown, count), profile))

    def _shown(self, running: Running) -> int:
        return self.settings.max_rows if running.request.max_rows is None else running.request.max_rows

    def _on_disk(self, job: QueryResult, profile: list[dict[str, Any]] | None) -> QueryResult:
        return replace(job, profile=profile, result_bytes=self.store.path(job.job_id).stat().st_size)

    def _end(self, answer: _Answer, running: Running) -> None:
        """Record the job, now or when its rows are kept."""
        if answer.rows is None:
            self._finish(answer.job)
        else:
            self.books.answer(answer.job, running.request)
            weight = max(len(answer.rows), _LEAST_WEIGHT)
            self.later.submit(partial(self._keep, answer.job, answer.rows), weight)

    def _keep(self, job: QueryResult, rows: Rows) -> None:
        """Put a small result on disk; an answer given stays true where that fails."""
        try:
            job = self._on_disk(job, self.store.keep_small(rows, job.columns, job.job_id))
        except Exception as raised:  # noqa: BLE001 - recorded, and told to whoever asks for the result
            error = ours(raised)
            _logger.warning("the result of %s is not kept: %s", job.job_id, error.message)
            job = replace(job, keep_error=error.to_dict())
        self._finish(self.roster.put(job))

    def _finish(self, job: QueryResult) -> None:
        """The job has ended, also where that cannot be written down."""
        if error := self.kept.share(job):
            _logger.warning("the result of %s is on this machine only: %s", job.job_id, error.message)
            job = self.roster.put(replace(job, keep_error=error.to_dict()))
        try:
            self.books.end(job)
        except EnvironmentFault as error:
            _logger.error("%s is not in the history: %s", job.job_id, error.message)
            self.roster.put(replace(job, keep_error=error.to_dict()))
        self.roster.kept(job.job_id)
