"""How jobs end: the record of each way, and the errors that tell of it."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

from pluto_duck_backend.app.core.errors import (
    Cancelled,
    EnvironmentFault,
    InternalFault,
    NotFound,
    PlutoDuckError,
    QueryFailed,
    Refused,
)
from pluto_duck_backend.app.services.execution.job import QueryResult, Request, begun_job
from pluto_duck_backend.app.services.execution.preparing import Prepared
from pluto_duck_backend.app.services.execution.results import Column

_logger = logging.getLogger(__name__)


def answered(job: QueryResult, prepared: Prepared, columns: list[Column], rows: Any, count: int) -> QueryResult:
    """With the first of its `count` rows."""
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


def failed(job: QueryResult, error: PlutoDuckError) -> QueryResult:
    status = "cancelled" if isinstance(error, Cancelled) else "failed"
    return replace(job, status=status, error=error.to_dict(), refused=isinstance(error, Refused))


def stuck(job: QueryResult, reason: PlutoDuckError | None) -> QueryResult:
    """The last that is written of a query that cannot be stopped, for the `reason` that it should have ended."""
    error = QueryFailed(
        "The query could not be stopped, so the process that ran it was ended.",
        code="query_stuck",
        hint="Ask for less at once; the query is not tried again.",
    )
    message = f"{reason.message if reason else ''} {error.message}".strip()
    return replace(job, status="failed", error={**error.to_dict(), "message": message})


def interrupted(job_id: str, request: Request) -> QueryResult:
    """Of one whose process died."""
    error = EnvironmentFault(
        "The process that ran this query ended before it was done.",
        code="interrupted",
        hint="Run the query again.",
        retryable=True,
    )
    return replace(begun_job(job_id, request), status="failed", error=error.to_dict())


def result_lost(job: QueryResult) -> QueryResult:
    """Of one whose process died after the answer."""
    error = EnvironmentFault(
        "The query was answered, but the process ended before its result was on disk.",
        code="result_lost",
        hint="Run the query again.",
        retryable=True,
    )
    return replace(job, keep_error=error.to_dict())


def cancelled() -> Cancelled:
    return Cancelled("The query was cancelled.")


def ours(raised: Exception) -> PlutoDuckError:
    """What went wrong as an error of ours; anything else than that is a fault of the program's."""
    if isinstance(raised, PlutoDuckError):
        return raised
    _logger.exception("query failed", exc_info=raised)
    return InternalFault(f"{type(raised).__name__}: {raised}", hint="Please report this.")


def not_found(job_id: str) -> NotFound:
    return NotFound(
        f"There is no query {job_id!r}.", code="job_not_found", hint="Its id is in the answer that started it."
    )


def no_result(job: QueryResult) -> PlutoDuckError:
    """Why there is no file of a job's rows."""
    if job.keep_error:
        return EnvironmentFault(job.keep_error["message"], code=job.keep_error["code"], hint=job.keep_error["hint"])
    deleted = ", but its file was deleted" if job.status == "succeeded" else ""
    return NotFound(
        f"The result of {job.job_id} is not there: the query is {job.status}{deleted}.",
        code="result_not_found",
        hint="Wait for the query, or run it again.",
    )
