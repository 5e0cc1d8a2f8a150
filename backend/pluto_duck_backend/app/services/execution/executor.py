"""Queries as jobs: begun, waited for, cancelled, read back, and what an earlier process left of them.

The verifier and `/query` come here. What must stay true: nothing runs unguarded; a job ends with exactly one record,
also where its process dies.

    executor ─┬▶ job_runner: one job from its beginning to its record ─▶ kept: its result, read back
              ├▶ probing: guesses, which leave no trace
              └▶ roster (in memory) · bookkeeping (on disk) · watchdog (limits)
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from typing import Any, NoReturn

from pluto_duck_backend.app.core.config import QuerySettings
from pluto_duck_backend.app.core.errors import Cancelled, PlutoDuckError
from pluto_duck_backend.app.core.ids import is_id, new_id
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.core.principal import OWNER, Principal
from pluto_duck_backend.app.core.warehouse import Warehouse
from pluto_duck_backend.app.services.execution import frames, results, windows
from pluto_duck_backend.app.services.execution.bookkeeping import Bookkeeping
from pluto_duck_backend.app.services.execution.declared import step_to
from pluto_duck_backend.app.services.execution.endings import cancelled, interrupted, not_found, result_lost, stuck
from pluto_duck_backend.app.services.execution.guard import Known, Rights
from pluto_duck_backend.app.services.execution.guard.rights_book import RightsBook
from pluto_duck_backend.app.services.execution.guard.text import is_torn, unwritable
from pluto_duck_backend.app.services.execution.job import QueryResult, Request, Running, begun_job, now
from pluto_duck_backend.app.services.execution.job_runner import JobRunner
from pluto_duck_backend.app.services.execution.journal import Left
from pluto_duck_backend.app.services.execution.keeping import Store
from pluto_duck_backend.app.services.execution.kept import Cells, KeptResults
from pluto_duck_backend.app.services.execution.later import Later
from pluto_duck_backend.app.services.execution.preparing import Preparer
from pluto_duck_backend.app.services.execution.probing import GUESS_ROWS, GUESS_S, Prober, Rows
from pluto_duck_backend.app.services.execution.roster import Roster
from pluto_duck_backend.app.services.execution.shared_results import SharedResults
from pluto_duck_backend.app.services.execution.watchdog import LastResort, Watchdog

Records = list[dict[str, Any]]
_WORKERS = 8
_LATELY = 50


def end_process(stuck: str) -> NoReturn:
    """The last resort of a command: the query goes with its process."""
    print(f"error: {stuck} could not be stopped, so this process ends.", file=sys.stderr, flush=True)
    os._exit(1)


class QueryService:
    """All queries of one data root. Thread-safe."""

    def __init__(
        self,
        warehouse: Warehouse,
        paths: Paths,
        settings: QuerySettings,
        rights: RightsBook | None = None,
        last_resort: LastResort = end_process,
        shared: SharedResults | None = None,
    ) -> None:
        self._warehouse = warehouse
        self._settings = settings
        self._preparer = Preparer(warehouse, rights or RightsBook({}), lambda name: step_to(paths, name))
        self._store = Store(paths.queries, settings)
        self._kept = KeptResults(warehouse, self._store, shared)
        self._books = Bookkeeping(paths)
        self.audit = self._books.audit
        self._roster = Roster()
        self._later = Later("keep")
        self._watchdog = Watchdog(self._roster.at_hand, self._store.part, settings, self._record_stuck, last_resort)
        self._prober = Prober(warehouse, self._preparer, self._roster, self._watchdog.wake)
        self._pool = ThreadPoolExecutor(_WORKERS, thread_name_prefix="query")
        self._runner = JobRunner(
            *(warehouse, settings, self._preparer, self._store),
            *(self._kept, self._books, self._roster, self._later),
        )

    def warm(self) -> None:
        """Load what makes small results quick; takes about a second."""
        frames.load()
        self._runner.is_warm = True

    def expect(self) -> None:
        """A question is being answered: results are put on disk when that is over, or takes longer than a moment."""
        self._later.busy()

    def run(
        self,
        sql: str,
        *,
        job_id: str | None = None,
        until_kept: bool = True,
        begun: Callable[[], object] = lambda: None,
        **options: Any,
    ) -> QueryResult:
        """Run `sql` until it is answered, and its result kept. `options` as of Request. Raises what went wrong.

        `begun` is called as soon as the job can be cancelled, before it runs.
        """
        job, running = self._begin(Request(sql, **options), job_id)
        begun()
        done, error = self._do(job, running)
        if error:
            raise error
        if until_kept:
            self._until_kept(running)
            return self.get(done.job_id)
        return done

    def submit(self, sql: str, **options: Any) -> QueryResult:
        """Start `sql` and return at once, status `running`. `options` as of Request."""
        job, running = self._begin(Request(sql, **options), None)
        self._pool.submit(copy_context().run, self._do, job, running)
        return job

    def wait(self, job_id: str, timeout: float | None = None, who: Principal = OWNER) -> QueryResult:
        """The job when it has ended, or as it is after `timeout` seconds."""
        if running := self._roster.running(job_id):
            running.done.wait(timeout)
        return self.get(job_id, who)

    def get(self, job_id: str, who: Principal = OWNER) -> QueryResult:
        """The job, also one of an earlier process. Raises NotFound, also for one that `who` may not see."""
        job = self._roster.get(job_id) or self._roster.put(self._from_history(job_id))
        if not who.may_see(job.who):
            raise not_found(job_id)
        return job

    def list(self, limit: int = 50) -> Records:
        """The last jobs' records, newest first."""
        return self._books.history.last(limit)

    def of_runs_today(self) -> int:
        """How many queries of questions have begun this day (UTC), those of earlier processes among them."""
        day = now()[:10]
        return len(self._roster.of_runs(day) | self._books.history.of_runs(day))

    def load(self) -> tuple[int, int]:
        """How many queries wait for a worker, and how many are at work."""
        at_hand = self._roster.at_hand()
        waiting = sum(running.deadline == float("inf") for _, running in at_hand)
        return waiting, len(at_hand) - waiting

    def cancel(self, job_id: str, who: Principal = OWNER) -> None:
        """Interrupt a job; one that has ended stays as it is. Raises NotFound for an unknown id."""
        self.get(job_id, who)
        if running := self._roster.running(job_id):
            running.stop(cancelled(), time.monotonic())

    def bind(self, sql: str, who: Principal = OWNER) -> None:
        """Nothing, where `sql` may run and DuckDB has a plan for it; what it found out is kept for running it.

        Raises Refused, or QueryFailed.
        """
        if not self._preparer.is_prepared(sql, who):
            with self._warehouse.read() as session:
                self._preparer.prepare(session, sql, who)

    def probe(self, sql: str, max_rows: int = GUESS_ROWS, timeout_s: float = GUESS_S, who: Principal = OWNER) -> Rows:
        """The first rows of guarded `sql`, read-only, leaving no trace: for checking a guess."""
        return self._prober.one(sql, max_rows, timeout_s, who)

    def probing(self, who: Principal = OWNER) -> contextlib.AbstractContextManager[Callable[[str], Rows]]:
        """`probe` for one guess after the other, in one thread: all see the same state, anew after one that failed."""
        return self._prober.several(who)

    def stream(self, job_id: str, form: str, who: Principal = OWNER) -> tuple[str, results.Chunks]:
        """`(media type, bytes)` of the full result. Raises NotFound, or the job's own error."""
        chunks = self._kept.stream(self._when_kept(job_id, who), form)
        return results.MEDIA_TYPES[form], chunks

    def window(self, job_id: str, window: windows.Window, who: Principal = OWNER) -> dict[str, Any]:
        """Some rows of an ended job, sorted and filtered. Raises as `stream` does, and InvalidInput."""
        return self._kept.window(self._when_kept(job_id, who), window)

    def batches(self, job_id: str, who: Principal = OWNER) -> Iterator[Cells]:
        """All rows of an ended job, some thousands at a time. Raises as `stream` does."""
        return self._kept.batches(self._when_kept(job_id, who))

    def first_rows(self, job: QueryResult, limit: int, who: Principal = OWNER) -> Cells:
        """The first rows of an ended job, more than its preview may hold. Raises NotFound, or the job's own error."""
        if not job.truncated and len(job.rows) == job.row_count:
            return job.rows[:limit]
        return self._kept.first(self._when_kept(job.job_id, who), limit)

    def _when_kept(self, job_id: str, who: Principal) -> QueryResult:
        """The job, waited for where its result is being kept."""
        self.get(job_id, who)
        running = self._roster.running(job_id)
        if running and running.done.is_set():
            self._until_kept(running)
        return self.get(job_id, who)

    def known(self) -> Known:
        """What SQL may name now, without anybody's rights."""
        return self._preparer.known()

    def stuck_runs(self) -> set[str]:
        """The runs whose queries had to be ended with their process lately."""
        lately = self._books.history.last(_LATELY)
        return {each["run_id"] for each in lately if (each["error"] or {}).get("code") == "query_stuck"}

    def rights_of(self, who: Principal) -> Rights | None:
        """What confines `who`; None: nothing."""
        return self._preparer.rights_of(who)

    def recover(self, *, resume: bool = False) -> None:
        """Deal with what an earlier process began: record it as interrupted, or run it again where that process was
        ended for another query's sake; then delete what is past its time."""
        self._store.sweep()
        for left in self._books.left():
            self._recover(left, resume)
        self._books.forget_left()
        for job_id in self._store.prune():
            if self._books.history.find(job_id):  # what was fetched from others is theirs, and is deleted here only
                self._kept.forget(job_id)

    def _recover(self, left: Left, resume: bool) -> None:
        if left.answered:
            self._books.end(result_lost(QueryResult.from_record(left.answered)))
        elif resume and not left.request.retried and not left.request.run_id:
            self._pool.submit(self._do, *self._begin(replace(left.request, retried=True), left.job_id))
        else:
            self._books.end(interrupted(left.job_id, left.request))

    def close(self) -> None:
        """Interrupt what still runs, keep what has been answered, and stop."""
        for _, running in self._roster.at_hand():
            running.stop(Cancelled("Pluto-Duck is stopping."), time.monotonic())
        self._pool.shutdown(wait=True)
        self._later.close()
        self._watchdog.close()

    def _until_kept(self, running: Running) -> None:
        self._later.hurry()
        running.kept.wait()

    def _begin(self, request: Request, job_id: str | None) -> tuple[QueryResult, Running]:
        """Raises Refused for a text that no record could hold."""
        if is_torn(request.sql):
            raise unwritable()
        job, running = begun_job(job_id or new_id("query"), request), Running(request)
        self._books.begin(job.job_id, request)
        self._roster.begin(job, running)
        return job, running

    def _do(self, job: QueryResult, running: Running) -> tuple[QueryResult, PlutoDuckError | KeyboardInterrupt | None]:
        self._watchdog.wake()
        return self._runner.run(job, running)

    def _record_stuck(self, job_id: str, running: Running) -> None:
        """The last that is written of a query that cannot be stopped; a guess is none."""
        if job := self._roster.get(job_id):
            self._books.end(stuck(job, running.reason))

    def _from_history(self, job_id: str) -> QueryResult:
        record = (self._books.history.find(job_id) or self._kept.record(job_id)) if is_id(job_id) else None
        if record is None:
            raise not_found(job_id)
        job = QueryResult.from_record(record)
        if not self._kept.is_there(job):
            return job
        rows = self._kept.first(job, self._settings.max_rows)
        return replace(job, rows=rows, truncated=(job.row_count or 0) > len(rows))
