"""Jobs: SQL guarded, run read-only under limits, its full result in Parquet, its history in queries.jsonl.

The verifier and `/query` come here. What must stay true: nothing runs unguarded; a job ends with exactly one record,
also where its process dies; a job answered from a small result is recorded when that result is kept.

    prepare (guard, rights, plan) ─▶ run in a READ ONLY transaction ─▶ answer ─▶ keep (Parquet, profile) ─▶ record
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from pluto_duck_backend.app.core import counts, spans
from pluto_duck_backend.app.core.config import QuerySettings
from pluto_duck_backend.app.core.errors import (
    Cancelled,
    EnvironmentFault,
    InternalFault,
    NotFound,
    PlutoDuckError,
    QueryFailed,
    Refused,
)
from pluto_duck_backend.app.core.ids import is_id, new_id
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.core.principal import OWNER, Principal
from pluto_duck_backend.app.core.warehouse import Session, Warehouse
from pluto_duck_backend.app.services.execution import frames, results, windows
from pluto_duck_backend.app.services.execution.audit import Audit
from pluto_duck_backend.app.services.execution.declared import step_to
from pluto_duck_backend.app.services.execution.guard import Known, Rights
from pluto_duck_backend.app.services.execution.guard.rights_book import RightsBook
from pluto_duck_backend.app.services.execution.history import History
from pluto_duck_backend.app.services.execution.job import QueryResult, Request, Running, now
from pluto_duck_backend.app.services.execution.journal import Journal
from pluto_duck_backend.app.services.execution.keeping import Store
from pluto_duck_backend.app.services.execution.later import Later
from pluto_duck_backend.app.services.execution.preparing import Prepared, Preparer
from pluto_duck_backend.app.services.execution.shared_results import SharedResults
from pluto_duck_backend.app.services.execution.watchdog import LastResort, Watchdog

Records = list[dict[str, Any]]
Rows = list[tuple[Any, ...]]
Cells = list[list[Any]]
_KEPT_JOBS = 1_000
_WORKERS = 8
_LATELY = 50
_GUESS_ROWS, _GUESS_S = 50, 1.0
_LEAST_WEIGHT = 1_000
#   rows that an answered job counts for at least, so that at most a hundred wait to be kept
_logger = logging.getLogger(__name__)


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
        self._shared = shared
        self._settings = settings
        self._preparer = Preparer(warehouse, rights or RightsBook({}), lambda name: step_to(paths, name))
        self._store = Store(paths.queries, settings)
        self._history = History(paths.queries / "queries.jsonl")
        self._journal = Journal(paths.queries_running)
        self.audit = Audit(paths.audit)
        self._jobs: OrderedDict[str, QueryResult] = OrderedDict()
        self._running: dict[str, Running] = {}
        self._lock = threading.Lock()
        self._is_warm = False
        self._pool = ThreadPoolExecutor(_WORKERS, thread_name_prefix="query")
        self._later = Later("keep")
        self._watchdog = Watchdog(self._running, self._store.part, settings, self._record_stuck, last_resort)

    def warm(self) -> None:
        """Load what makes small results quick; takes about a second."""
        frames.load()
        self._is_warm = True

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
        job = self._begin(Request(sql, **options), job_id)
        running = self._running[job.job_id]
        begun()
        done, error = self._do(job)
        if error:
            raise error
        if until_kept:
            self._until_kept(running)
            return self.get(done.job_id)
        return done

    def submit(self, sql: str, **options: Any) -> QueryResult:
        """Start `sql` and return at once, status `running`. `options` as of Request."""
        job = self._begin(Request(sql, **options), None)
        self._pool.submit(copy_context().run, self._do, job)
        return job

    def wait(self, job_id: str, timeout: float | None = None, who: Principal = OWNER) -> QueryResult:
        """The job when it has ended, or as it is after `timeout` seconds."""
        with self._lock:
            running = self._running.get(job_id)
        if running:
            running.done.wait(timeout)
        return self.get(job_id, who)

    def get(self, job_id: str, who: Principal = OWNER) -> QueryResult:
        """The job, also one of an earlier process. Raises NotFound, also for one that `who` may not see."""
        with self._lock:
            job = self._jobs.get(job_id)
        job = job or self._remember(self._from_history(job_id))
        if not who.may_see(job.who):
            raise _not_found(job_id)
        return job

    def list(self, limit: int = 50) -> Records:
        """The last jobs' records, newest first."""
        return self._history.last(limit)

    def of_runs_today(self) -> int:
        """How many queries of questions have begun this day (UTC), those of earlier processes among them."""
        day = now()[:10]
        with self._lock:
            live = {each.job_id for each in self._jobs.values() if each.run_id and each.created_at.startswith(day)}
        return len(live | self._history.of_runs(day))

    def load(self) -> tuple[int, int]:
        """How many queries wait for a worker, and how many are at work."""
        with self._lock:
            at_hand = [each for each in self._running.values() if not each.done.is_set()]
        waiting = sum(each.deadline == float("inf") for each in at_hand)
        return waiting, len(at_hand) - waiting

    def cancel(self, job_id: str, who: Principal = OWNER) -> None:
        """Interrupt a job; one that has ended stays as it is. Raises NotFound for an unknown id."""
        self.get(job_id, who)
        with self._lock:
            running = self._running.get(job_id)
        if running:
            running.stop(_cancelled(), time.monotonic())

    def bind(self, sql: str, who: Principal = OWNER) -> None:
        """Nothing, where `sql` may run and DuckDB has a plan for it; what it found out is kept for running it.

        Raises Refused, or QueryFailed.
        """
        if not self._preparer.is_prepared(sql, who):
            with self._warehouse.read() as session:
                self._preparer.prepare(session, sql, who)

    def probe(self, sql: str, max_rows: int = _GUESS_ROWS, timeout_s: float = _GUESS_S, who: Principal = OWNER) -> Rows:
        """The first rows of guarded `sql`, read-only, leaving no trace: for checking a guess."""
        with self._warehouse.read() as session:
            return self._probe(session, sql, max_rows, timeout_s, who)

    @contextlib.contextmanager
    def probing(self, who: Principal = OWNER) -> Iterator[Callable[[str], Rows]]:
        """`probe` for one guess after the other, in one thread: all see the same state, anew after one that failed."""
        with self._warehouse.read() as session:

            def probe(sql: str) -> Rows:
                try:
                    return self._probe(session, sql, _GUESS_ROWS, _GUESS_S, who)
                except PlutoDuckError:
                    session.begin_again()
                    raise

            yield probe

    def _probe(self, session: Session, sql: str, max_rows: int, timeout_s: float, who: Principal) -> Rows:
        guarded = self._preparer.guard(session, sql, who)
        running = Running(Request(sql, timeout_s), time.monotonic() + timeout_s, session)
        probe_id = new_id("probe")
        with self._lock:
            self._running[probe_id] = running
        self._watchdog.wake()
        try:
            return session.execute(guarded.sql).fetchmany(max_rows)
        except Cancelled:
            running.check()
            raise
        finally:
            running.let_go()
            running.done.set()
            with self._lock:
                del self._running[probe_id]

    def stream(self, job_id: str, form: str, who: Principal = OWNER) -> tuple[str, results.Chunks]:
        """`(media type, bytes)` of the full result. Raises NotFound, or the job's own error."""
        path = self._kept(job_id, who)
        chunks = results.stream(self._warehouse, path, self.get(job_id, who).columns, form)
        return results.MEDIA_TYPES[form], chunks

    def window(self, job_id: str, window: windows.Window, who: Principal = OWNER) -> dict[str, Any]:
        """Some rows of an ended job, sorted and filtered. Raises as `stream` does, and InvalidInput."""
        path = self._kept(job_id, who)
        with self._warehouse.read() as session:
            return windows.look(session, path, self.get(job_id, who).columns, window)

    def batches(self, job_id: str, who: Principal = OWNER) -> Iterator[Cells]:
        """All rows of an ended job, some thousands at a time. Raises as `stream` does."""
        path = self._kept(job_id, who)
        return results.batches(self._warehouse, path, self.get(job_id, who).columns)

    def _kept(self, job_id: str, who: Principal) -> Path:
        """The file of a job's full result, waited for where it is being kept. Raises as `stream` does."""
        self.get(job_id, who)
        with self._lock:
            running = self._running.get(job_id)
        if running and running.done.is_set():
            self._until_kept(running)
        job = self.get(job_id, who)
        path = self._here(job_id)
        if job.status != "succeeded" or not path.is_file():
            raise _no_result(job)
        return path

    def _here(self, job_id: str) -> Path:
        """The place of a job's file, fetched where only others have it."""
        path = self._store.path(job_id)
        if self._shared and not path.is_file():
            self._shared.fetch(job_id, path)
        return path

    def first_rows(self, job: QueryResult, limit: int, who: Principal = OWNER) -> Cells:
        """The first rows of an ended job, more than its preview may hold. Raises NotFound, or the job's own error."""
        if not job.truncated and len(job.rows) == job.row_count:
            return job.rows[:limit]
        path = self._kept(job.job_id, who)
        with self._warehouse.read() as session:
            return self._store.preview(session, path.stem, job.columns, limit)

    def known(self) -> Known:
        """What SQL may name now, without anybody's rights."""
        return self._preparer.known()

    def stuck_runs(self) -> set[str]:
        """The runs whose queries had to be ended with their process lately."""
        lately = self._history.last(_LATELY)
        return {each["run_id"] for each in lately if (each["error"] or {}).get("code") == "query_stuck"}

    def rights_of(self, who: Principal) -> Rights | None:
        """What confines `who`; None: nothing."""
        return self._preparer.rights_of(who)

    def recover(self, *, resume: bool = False) -> None:
        """Deal with what an earlier process began: record it as interrupted, or run it again where that process was
        ended for another query's sake; then delete what is past its time."""
        self._store.sweep()
        for left in self._journal.left():
            if self._history.find(left.job_id):
                continue
            if left.answered:
                self._record(replace(_from_record(left.answered), keep_error=_result_lost().to_dict()))
            elif resume and not left.request.retried and not left.request.run_id:
                self._pool.submit(self._do, self._begin(replace(left.request, retried=True), left.job_id))
            else:
                self._record(_interrupted(left.job_id, left.request))
        self._journal.forget()
        self._prune()

    def _prune(self) -> None:
        """Delete what is past its time; what was fetched from others is theirs, and is deleted here only."""
        for job_id in self._store.prune():
            if self._shared and self._history.find(job_id):
                self._shared.forget(job_id)

    def close(self) -> None:
        """Interrupt what still runs, keep what has been answered, and stop."""
        with self._lock:
            running = list(self._running.values())
        for each in running:
            if not each.done.is_set():
                each.stop(Cancelled("Pluto-Duck is stopping."), time.monotonic())
        self._pool.shutdown(wait=True)
        self._later.close()
        self._watchdog.close()

    def _until_kept(self, running: Running) -> None:
        self._later.hurry()
        running.kept.wait()

    def _begin(self, request: Request, job_id: str | None) -> QueryResult:
        job = QueryResult(
            job_id or new_id("query"),
            "running",
            request.sql,
            run_id=request.run_id,
            created_at=now(),
            who=request.who.name,
        )
        try:
            self._journal.begin(job.job_id, request)
        except EnvironmentFault as error:
            _logger.error("%s goes on without a trace: %s", job.job_id, error.message)  # reading needs no disk
        with self._lock:
            self._running[job.job_id] = Running(request)
        return self._remember(job)

    def _remember(self, job: QueryResult) -> QueryResult:
        with self._lock:
            self._jobs[job.job_id] = job
            self._jobs.move_to_end(job.job_id)
            if len(self._jobs) > _KEPT_JOBS:
                ended = (key for key in self._jobs if key not in self._running)
                self._jobs.pop(next(ended, ""), None)
        return job

    def _do(self, job: QueryResult) -> tuple[QueryResult, PlutoDuckError | KeyboardInterrupt | None]:
        """Run a job, in a span of its own."""
        with spans.span("query", {"db.system.name": "duckdb", "pluto_duck.query.id": job.job_id}) as span:
            span.quote("db.query.text", job.sql)
            done, error = self._done(job)
            span.tell({"pluto_duck.query.status": done.status, "db.response.returned_rows": done.row_count or 0})
            if error:
                span.fail(getattr(error, "code", "cancelled"))
        return done, error

    def _done(self, job: QueryResult) -> tuple[QueryResult, PlutoDuckError | KeyboardInterrupt | None]:
        """Run a job; where its result is kept afterwards, that goes on without the caller."""
        running, began = self._running[job.job_id], time.perf_counter()
        running.deadline = time.monotonic() + (running.request.timeout_s or self._settings.timeout_s)
        self._watchdog.wake()
        self._later.busy()
        error: PlutoDuckError | KeyboardInterrupt | None = None
        rows: Rows | None = None
        try:
            with self._warehouse.read() as session:
                try:
                    job, rows = self._execute(job, running, session)
                finally:
                    running.let_go()
        except Exception as raised:  # noqa: BLE001 - recorded, and returned to the caller
            error = running.reason or _ours(raised)
            job = _failed(job, error)
        except KeyboardInterrupt as raised:
            error, job = raised, _failed(job, _cancelled())
        job = self._remember(replace(job, elapsed_ms=round((time.perf_counter() - began) * 1000, 3)))
        counts.QUERIES.add(job.elapsed_ms / 1000, "refused" if job.refused else job.status)
        if rows is None:
            self._finish(job, running)
        else:
            with contextlib.suppress(EnvironmentFault):  # reading needs no disk
                self._journal.answer(running.request, job.record())
            self._later.submit(partial(self._keep, job, running, rows), max(len(rows), _LEAST_WEIGHT))
        running.done.set()
        return job, error

    def _execute(self, job: QueryResult, running: Running, session: Session) -> tuple[QueryResult, Rows | None]:
        """The answered job, and its rows where they are still to be kept."""
        running.session = session
        running.check()
        prepared = self._preparer.prepare(session, job.sql, running.request.who)
        limit = self._settings.max_rows if running.request.max_rows is None else running.request.max_rows
        fetched = self._store.fetch_small(session, prepared.sql) if prepared.is_small and self._is_warm else None
        if fetched:
            running.check()
            columns, rows = fetched
            shown = results.json_rows(rows[:limit], columns)
            return _answered(job, prepared, columns, shown, len(rows)), rows
        columns = results.columns_of(session, prepared.sql)
        count = self._store.write(session, prepared.sql, columns, job.job_id, in_order=prepared.has_order)
        shown = self._store.preview(session, job.job_id, columns, limit)
        running.check()
        return self._described(session, _answered(job, prepared, columns, shown, count)), None

    def _keep(self, job: QueryResult, running: Running, rows: Rows) -> None:
        """Put a small result on disk; an answer given stays true where that fails."""
        try:
            profile = self._store.keep_small(rows, job.columns, job.job_id)
            job = replace(job, profile=profile, result_bytes=self._store.path(job.job_id).stat().st_size)
        except Exception as raised:  # noqa: BLE001 - recorded, and told to whoever asks for the result
            error = _ours(raised)
            _logger.warning("the result of %s is not kept: %s", job.job_id, error.message)
            job = replace(job, keep_error=error.to_dict())
        self._finish(self._remember(job), running)

    def _described(self, session: Session, job: QueryResult) -> QueryResult:
        profile = self._store.profile(session, job.job_id, job.columns, job.row_count or 0)
        return replace(job, profile=profile, result_bytes=self._store.path(job.job_id).stat().st_size)

    def _finish(self, job: QueryResult, running: Running) -> None:
        """The job has ended, also where that cannot be written down."""
        job = self._share(job)
        try:
            self._record(job)
        except EnvironmentFault as error:
            _logger.error("%s is not in the history: %s", job.job_id, error.message)
            self._remember(replace(job, keep_error=error.to_dict()))
        with self._lock:
            self._running.pop(job.job_id, None)
        running.kept.set()

    def _share(self, job: QueryResult) -> QueryResult:
        """With its result where others find it; that it is not there is told to who asks for it."""
        if self._shared is None or job.status != "succeeded" or job.keep_error:
            return job
        try:
            self._shared.keep(job.job_id, self._store.path(job.job_id), job.record())
        except EnvironmentFault as error:
            _logger.warning("the result of %s is on this machine only: %s", job.job_id, error.message)
            return self._remember(replace(job, keep_error=error.to_dict()))
        return job

    def _record(self, job: QueryResult) -> None:
        """One line in the history and one in the audit log; after that the journal may forget it."""
        self._history.append(job.record())
        self.audit.query(job)
        self._journal.end(job.job_id)

    def _record_stuck(self, job_id: str, running: Running) -> None:
        """The last that is written of a query that cannot be stopped."""
        if job_id in self._jobs:
            error = QueryFailed(
                "The query could not be stopped, so the process that ran it was ended.",
                code="query_stuck",
                hint="Ask for less at once; the query is not tried again.",
            )
            told = running.reason.message if running.reason else ""
            failed = {**error.to_dict(), "message": f"{told} {error.message}".strip()}
            self._record(replace(self._jobs[job_id], status="failed", error=failed))

    def _from_history(self, job_id: str) -> QueryResult:
        record = self._history.find(job_id) if is_id(job_id) else None
        if record is None and self._shared and is_id(job_id):
            record = self._shared.find(job_id)
        if record is None:
            raise _not_found(job_id)
        job = _from_record(record)
        if job.status != "succeeded" or not self._here(job_id).is_file():
            return job
        with self._warehouse.read() as session:
            rows = self._store.preview(session, job_id, job.columns, self._settings.max_rows)
        return replace(job, rows=rows, truncated=(job.row_count or 0) > len(rows))


def _from_record(record: dict[str, Any]) -> QueryResult:
    return QueryResult(**{**record, "tables": tuple(record["tables"])})


def _answered(
    job: QueryResult, prepared: Prepared, columns: list[results.Column], rows: Any, count: int
) -> QueryResult:
    return replace(
        job,
        status="succeeded",
        columns=columns,
        rows=rows,
        row_count=count,
        truncated=count > len(rows),
        tables=prepared.tables,
        plan=prepared.plan,
    )


def _cancelled() -> Cancelled:
    return Cancelled("The query was cancelled.")


def _ours(raised: Exception) -> PlutoDuckError:
    if isinstance(raised, PlutoDuckError):
        return raised
    _logger.exception("query failed", exc_info=raised)
    return InternalFault(f"{type(raised).__name__}: {raised}", hint="Please report this.")


def _failed(job: QueryResult, error: PlutoDuckError) -> QueryResult:
    status = "cancelled" if isinstance(error, Cancelled) else "failed"
    return replace(job, status=status, error=error.to_dict(), refused=isinstance(error, Refused))


def _interrupted(job_id: str, request: Request) -> QueryResult:
    error = EnvironmentFault(
        "The process that ran this query ended before it was done.",
        code="interrupted",
        hint="Run the query again.",
        retryable=True,
    )
    return QueryResult(
        job_id,
        "failed",
        request.sql,
        error=error.to_dict(),
        run_id=request.run_id,
        created_at=now(),
        who=request.who.name,
    )


def _result_lost() -> EnvironmentFault:
    return EnvironmentFault(
        "The query was answered, but the process ended before its result was on disk.",
        code="result_lost",
        hint="Run the query again.",
        retryable=True,
    )


def _not_found(job_id: str) -> NotFound:
    return NotFound(
        f"There is no query {job_id!r}.", code="job_not_found", hint="Its id is in the answer that started it."
    )


def _no_result(job: QueryResult) -> PlutoDuckError:
    if job.keep_error:
        return EnvironmentFault(job.keep_error["message"], code=job.keep_error["code"], hint=job.keep_error["hint"])
    deleted = ", but its file was deleted" if job.status == "succeeded" else ""
    return NotFound(
        f"The result of {job.job_id} is not there: the query is {job.status}{deleted}.",
        code="result_not_found",
        hint="Wait for the query, or run it again.",
    )
