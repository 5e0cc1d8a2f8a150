"""A query job: what it is asked, how it stands, what of it is kept."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import Any

from pluto_duck_backend.app.core.errors import PlutoDuckError
from pluto_duck_backend.app.core.principal import OWNER, Principal
from pluto_duck_backend.app.core.warehouse import Session


@dataclass(frozen=True)
class Request:
    """What to run and for whom; `timeout_s` and `max_rows` None: as set."""

    sql: str
    timeout_s: float | None = None
    max_rows: int | None = None
    run_id: str | None = None
    who: Principal = OWNER
    retried: bool = False
    #   begun once before, in a process that was ended while it ran

    def to_dict(self) -> dict[str, Any]:
        return {**vars(self), "who": vars(self.who)}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Request:
        return cls(**{**data, "who": Principal(**data["who"])})


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
    refused: bool = False
    #   it failed because a rule forbade it
    tables: tuple[str, ...] = ()
    run_id: str | None = None
    created_at: str = ""
    who: str = OWNER.name
    plan: list[str] = field(default_factory=list)
    #   DuckDB's operators, from the scans up, as `SEQ_SCAN orders`
    profile: list[dict[str, Any]] | None = None
    #   of each result column: nulls, distinct (about), least, greatest; None until the result is kept
    result_bytes: int | None = None
    #   size of the kept result; None: not kept
    keep_error: dict[str, Any] | None = None
    #   why the result of an answered query is not on disk

    def to_dict(self) -> dict[str, Any]:
        return {**self.record(), "rows": self.rows, "truncated": self.truncated}

    def record(self) -> dict[str, Any]:
        """A line of queries.jsonl: all but the rows."""
        shown = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in ("rows", "truncated")}
        return {**shown, "tables": list(self.tables)}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> QueryResult:
        return cls(**{**record, "tables": tuple(record["tables"])})


@dataclass
class Running:
    """What can be done to a job while it runs. Times are of time.monotonic()."""

    request: Request
    deadline: float = float("inf")
    session: Session | None = None
    reason: PlutoDuckError | None = None
    stopped_at: float | None = None
    done: threading.Event = field(default_factory=threading.Event)
    #   the answer is there
    kept: threading.Event = field(default_factory=threading.Event)
    #   the result is on disk, or never will be
    _holding: threading.Lock = field(default_factory=threading.Lock)

    def stop(self, reason: PlutoDuckError, now: float) -> None:
        """End the query with `reason`; the first one given stays."""
        if self.reason is None:
            self.reason, self.stopped_at = reason, now
        self.interrupt()

    def interrupt(self) -> None:
        """Interrupt its session, and never one that it has let go."""
        with self._holding:
            if self.session:
                self.session.interrupt()

    @contextlib.contextmanager
    def within(self, session: Session) -> Iterator[None]:
        """`session` is what is interrupted for as long as this lasts; then it serves others."""
        self.session = session
        try:
            yield
        finally:
            with self._holding:
                self.session = None

    def check(self) -> None:
        """Raises the reason once stopped."""
        if self.reason:
            raise self.reason


def begun_job(job_id: str, request: Request) -> QueryResult:
    """The job of a request, before anything came of it."""
    return QueryResult(job_id, "running", request.sql, run_id=request.run_id, created_at=now(), who=request.who.name)


def now() -> str:
    """The time as records write it: ISO-8601 UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
