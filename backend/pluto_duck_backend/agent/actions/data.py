"""What is in the warehouse: tables, stored values, SQL that only reads, metrics."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from pydantic import Field

from pluto_duck_backend.agent.actions.contract import Call, Details, action
from pluto_duck_backend.agent.permits import may_see_jobs
from pluto_duck_backend.app.core.errors import RemoteError

_SHOWN_OF_JOB = ("job_id", "status", "sql", "columns", "rows", "row_count", "truncated", "elapsed_ms")
_LONG_S = 3600.0
Rows = Annotated[int, Field(ge=0, le=1000, description="So many rows at most.")]
Texts = Annotated[list[str] | None, Field(description="Names as `metrics` lists them.")]


@action("Tables and columns", "viewer")
def schema(
    call: Call,
    table: Annotated[str | None, Field(description="`name` or `schema.name`; none: all tables.")] = None,
) -> Details:
    """Tables with columns, types, keys, comments and row counts; of one table also statistics and samples."""
    catalog = call.workspace.catalog_of(call.who)
    return catalog.describe_table(table) if table else catalog.describe()


@action("Stored values like a text", "viewer")
def values(
    call: Call,
    like: Annotated[str, Field(min_length=1, max_length=200, description="What it is called; misspelt, too.")],
    limit: Annotated[int, Field(ge=1, le=100)] = 20,
) -> Details:
    """Where a name is stored and how it is spelt there, before it goes into a condition."""
    return {"values": call.workspace.catalog_of(call.who).values_like(like, limit)}


@action("Run SQL, read-only", "analyst", timeout_s=_LONG_S)
def query(
    call: Call,
    sql: Annotated[str, Field(description="One SELECT in DuckDB's SQL.")],
    max_rows: Rows = 100,
    timeout_s: Annotated[float | None, Field(gt=0, le=86_400, description="Seconds it may take.")] = None,
) -> Details:
    """Run SQL that reads; the first rows, how many there are, and the job's id."""
    job = call.workspace.queries.submit(sql, max_rows=max_rows, timeout_s=timeout_s, who=call.who)
    return _ended(call, job.job_id)


@action("Metrics that dbt defines", "viewer", timeout_s=_LONG_S)
def metrics(
    call: Call,
    names: Texts = None,
    by: Annotated[list[str] | None, Field(description="Dimensions, or grains.")] = None,
    grain: Annotated[str | None, Field(description="day, week, month, quarter or year.")] = None,
    where: Annotated[list[str] | None, Field(description="Conditions on dimensions, in SQL.")] = None,
    order: Annotated[list[str] | None, Field(description="A metric or dimension; -NAME falls.")] = None,
    start: Annotated[str | None, Field(description="The first day, as 2025-01-31.")] = None,
    end: Annotated[str | None, Field(description="The last day.")] = None,
    max_rows: Rows = 100,
) -> Details:
    """Without names: each metric and what it can be cut by. With names (an analyst's): their figures by definition."""
    if not names:
        may_see_jobs(call.who)
        return {"metrics": call.workspace.metrics.every()}
    call.require("analyst", "asking for a metric's figures")
    asked: dict[str, Any] = {"metrics": names, "by": by or [], "where": where or [], "order": order or []}
    asked |= {"grain": grain, "start": start, "end": end, "max_rows": max_rows}
    return _ended(call, call.workspace.query_metrics(asked, call.who))


def _ended(call: Call, job_id: str) -> Details:
    """Of a job that has ended what a model needs: what it costs to read is paid with each call."""
    queries = call.workspace.queries
    with call.token.interrupting(partial(queries.cancel, job_id)):
        job = queries.wait(job_id, who=call.who).to_dict()
    if job["error"]:
        raise RemoteError.from_job(job)
    return {name: job[name] for name in _SHOWN_OF_JOB}
