"""Jobs: SQL guarded, run read-only under limits, its full result in Parquet, its history in queries.jsonl.

The verifier and `/query` come here. What must stay true: nothing runs unguarded; a job that is `succeeded` has its
result on disk; a job that failed is recorded all the same.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pluto_duck_backend.app.core.config import QuerySettings
from pluto_duck_backend.app.core.errors import Cancelled, NotFound, PlutoDuckError, QueryTimeout
from pluto_duck_backend.app.core.ids import is_id, new_id
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.core.warehouse import Session, Warehouse, literal
from pluto_duck_backend.app.services.execution import results
from pluto_duck_backend.app.services.execution.guard import Guarded, KnownTables, check
from pluto_duck_backend.app.services.execution.history import History
from pluto_duck_backend.app.services.execution.known import known_tables

Records = list[dict[str, Any]]
Rows = list[tuple[Any, ...]]
_KEPT_JOBS = 1_000
_WORKERS = 8


@dataclass(frozen=True)
class QueryResult:
    """A job as `GET /query/{job_id}` shows it."""

    job_id: str
    status: str
    sql: str
    columns: list[dict[str, str]] = field(default_factory=list)
    rows: list[list[Any]] = field(default_factory=list)
    row_count: int | None = None
    truncated: bool = False
    elapsed_ms: float = 0.0
    error: dict[str, Any] | None = None
    tables: tuple[str, ...] = ()
    run_id: str | None = None
    created_at: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {**self.record(), "rows": self.rows, "truncated": self.truncated}

    def record(self) -> dict[str, Any]:
        """The line in queries.jsonl: all but the rows."""
        return {
            "job_id": self.job_id,
            "status": self.status,
            "sql": self.sql,
            "columns": self.columns,
            "row_count": self.row_count,
            "elapsed_ms": self.elapsed_ms,
            "error": self.error,
            "tables": list(self.tables),
            "run_id": self.run_id,
            "created_at": self.created_at,
        }


@dataclass
class _Running:
    """What can be done to a job while it runs."""

    session: Session | None = None
    reason: PlutoDuckError | None = None
    done: threading.Event = field(default_factory=threading.Event)

    def stop(self, reason: PlutoDuckError) -> None:
        self.reason = self.reason or reason
        if self.session:
            self.session.interrupt()

    def check(self) -> None:
        if self.reason:
            raise self.reason


class QueryService:
    """All queries of one data root. Thread-safe."""

    def __init__(self, warehouse: Warehouse, paths: Paths, settings: QuerySettings) -> None:
        self._warehouse = warehouse
        self._folder = paths.queries
        self._settings = settings
        self._history = History(paths.queries / "queries.jsonl")
        self._jobs: OrderedDict[str, QueryResult] = OrderedDict()
        self._running: dict[str, _Running] = {}
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(_WORKERS, thread_name_prefix="query")
        self._known: tuple[int, KnownTables] | None = None

    def run(
        self,
        sql: str,
        *,
        timeout_s: float | None = None,
        max_rows: int | None = None,
        run_id: str | None = None,
        job_id: str | None = None,
    ) -> QueryResult:
        """Run `sql` to its end. Raises what went wrong, after recording it."""
        job = self._begin(sql, run_id, job_id)
        done, error = self._do(job, timeout_s, max_rows)
        if error:
            raise error
        return done

    def submit(
        self, sql: str, *, timeout_s: float | None = None, max_rows: int | None = None, run_id: str | None = None
    ) -> QueryResult:
        """Start `sql` and return at once, status `running`."""
        job = self._begin(sql, run_id, None)
        self._pool.submit(self._do, job, timeout_s, max_rows)
        return job

    def wait(self, job_id: str, timeout: float | None = None) -> QueryResult:
        """The job when it has ended, or as it is after `timeout` seconds."""
        with self._lock:
            running = self._running.get(job_id)
        if running:
            running.done.wait(timeout)
        return self.get(job_id)

    def get(self, job_id: str) -> QueryResult:
        """The job, also one of an earlier process. Raises NotFound."""
        with self._lock:
            job = self._jobs.get(job_id)
        return job or self._remember(self._from_history(job_id))

    def list(self, limit: int = 50) -> Records:
        """The last jobs' records, newest first."""
        return self._history.last(limit)

    def cancel(self, job_id: str) -> None:
        """Interrupt a job; one that has ended stays as it is. Raises NotFound for an unknown id."""
        with self._lock:
            running = self._running.get(job_id)
        if running:
            running.stop(Cancelled("The query was cancelled."))
        else:
            self.get(job_id)

    def probe(self, sql: str, max_rows: int = 50, timeout_s: float = 1.0) -> Rows:
        """The first rows of guarded `sql`, read-only, leaving no trace: for checking a guess."""
        check(sql, self._known_tables())
        with self._warehouse.read() as session:
            timer = threading.Timer(timeout_s, session.interrupt)
            timer.daemon = True
            timer.start()
            try:
                return session.execute(sql).fetchmany(max_rows)
            finally:
                timer.cancel()

    def stream(self, job_id: str, form: str) -> tuple[str, Iterator[bytes]]:
        """`(media type, bytes)` of the full result. Raises NotFound, or the job's own error."""
        job = self.get(job_id)
        path = self._path(job_id)
        if job.status != "succeeded" or not path.is_file():
            raise NotFound(
                f"The result of {job_id} is not there: the query is {job.status}"
                + ("" if job.status != "succeeded" else ", but its file was deleted")
                + ".",
                code="result_not_found",
                hint="Wait for the query, or run it again.",
            )
        chunks = results.stream(self._warehouse, path, job.columns, form)
        return results.MEDIA_TYPES[form], chunks

    def close(self) -> None:
        """Interrupt what still runs and stop."""
        with self._lock:
            running = list(self._running.values())
        for each in running:
            each.stop(Cancelled("Pluto-Duck is stopping."))
        self._pool.shutdown(wait=True)

    def _begin(self, sql: str, run_id: str | None, job_id: str | None) -> QueryResult:
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        job = QueryResult(job_id or new_id("query"), "running", sql, run_id=run_id, created_at=now)
        with self._lock:
            self._running[job.job_id] = _Running()
        return self._remember(job)

    def _remember(self, job: QueryResult) -> QueryResult:
        with self._lock:
            self._jobs[job.job_id] = job
            self._jobs.move_to_end(job.job_id)
            if len(self._jobs) > _KEPT_JOBS:
                oldest = next(key for key in self._jobs if key not in self._running)
                del self._jobs[oldest]
        return job

    def _do(
        self, job: QueryResult, timeout_s: float | None, max_rows: int | None
    ) -> tuple[QueryResult, PlutoDuckError | None]:
        """Run a job and record how it ended."""
        running, began = self._running[job.job_id], time.perf_counter()
        error: PlutoDuckError | None = None
        timer = self._timer(running, timeout_s or self._settings.timeout_s)
        try:
            job = self._execute(job, running, self._settings.max_rows if max_rows is None else max_rows)
        except PlutoDuckError as raised:
            error = running.reason or raised
            status = "cancelled" if isinstance(error, Cancelled) else "failed"
            job = replace(job, status=status, error=error.to_dict())
        finally:
            timer.cancel()
            job = self._end(replace(job, elapsed_ms=round((time.perf_counter() - began) * 1000, 3)), running)
        return job, error

    def _timer(self, running: _Running, seconds: float) -> threading.Timer:
        reason = QueryTimeout(
            f"The query took longer than {seconds:g} s and was stopped.",
            hint="Ask for less, or give a longer timeout_s (setting query.timeout_s).",
        )
        timer = threading.Timer(seconds, running.stop, [reason])
        timer.daemon = True
        timer.start()
        return timer

    def _execute(self, job: QueryResult, running: _Running, max_rows: int) -> QueryResult:
        guarded = check(job.sql, self._known_tables())
        with self._warehouse.read() as session:
            running.session = session
            running.check()
            try:
                return (
                    self._explain(session, job, guarded)
                    if guarded.kind == "explain"
                    else self._select(session, job, guarded, max_rows)
                )
            finally:
                running.session = None

    def _select(self, session: Session, job: QueryResult, guarded: Guarded, max_rows: int) -> QueryResult:
        columns = results.columns_of(session, results.as_table(guarded.sql))
        part = self._path(job.job_id).with_suffix(".part")
        try:
            row = session.row(results.copy_statement(results.as_table(guarded.sql), columns, part))
            part.replace(self._path(job.job_id))
        finally:
            part.unlink(missing_ok=True)
        count = int(row[0]) if row else 0
        rows = results.preview(session, self._path(job.job_id), columns, max_rows)
        return replace(
            job,
            status="succeeded",
            sql=guarded.sql,
            columns=columns,
            rows=rows,
            row_count=count,
            truncated=count > len(rows),
            tables=guarded.tables,
        )

    def _explain(self, session: Session, job: QueryResult, guarded: Guarded) -> QueryResult:
        """A plan is two short texts, and no table expression, so it is written as values."""
        plan = session.rows(guarded.sql)
        values = ", ".join(f"({literal(str(key))}, {literal(str(text))})" for key, text in plan)
        told = replace(
            guarded, kind="select", sql=f"SELECT * FROM (VALUES {values}) AS plan(explain_key, explain_value)"
        )
        return replace(self._select(session, job, told, len(plan)), sql=guarded.sql)

    def _end(self, job: QueryResult, running: _Running) -> QueryResult:
        self._history.append(job.record())
        self._remember(job)
        with self._lock:
            self._running.pop(job.job_id, None)
        running.done.set()
        return job

    def _from_history(self, job_id: str) -> QueryResult:
        record = self._history.find(job_id) if is_id(job_id) else None
        if record is None:
            raise NotFound(f"There is no query {job_id!r}.", code="job_not_found")
        job = QueryResult(**{**record, "tables": tuple(record["tables"])})
        path = self._path(job_id)
        if job.status != "succeeded" or not path.is_file():
            return job
        with self._warehouse.read() as session:
            rows = results.preview(session, path, job.columns, self._settings.max_rows)
        return replace(job, rows=rows, truncated=(job.row_count or 0) > len(rows))

    def _known_tables(self) -> KnownTables:
        version = self._warehouse.version
        if self._known is None or self._known[0] != version:
            self._known = (version, known_tables(self._warehouse))
        return self._known[1]

    def _path(self, job_id: str) -> Path:
        return self._folder / f"{job_id}.parquet"
