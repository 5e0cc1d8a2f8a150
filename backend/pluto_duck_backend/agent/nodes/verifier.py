"""Runs the SQL, guarded and read-only, and records what came of it."""

from __future__ import annotations

import time

from langgraph.runtime import Runtime

from pluto_duck_backend.agent.events import ToolStart, VerifierEnd
from pluto_duck_backend.agent.providers.contract import Attempt, Draft
from pluto_duck_backend.agent.state import AgentState, Tools
from pluto_duck_backend.app.core.errors import Cancelled, PlutoDuckError, QueryFailed
from pluto_duck_backend.app.core.ids import new_id
from pluto_duck_backend.app.services.execution.executor import QueryResult


def verifier(state: AgentState, runtime: Runtime[Tools]) -> AgentState:
    """Sets `result`, or drops the draft and adds to `failed`."""
    draft, attempt = state["draft"], len(state["failed"]) + 1
    assert draft is not None
    job_id, began = new_id("query"), time.perf_counter()
    runtime.stream_writer(ToolStart("verifier", attempt, draft.sql))
    if not draft.problem:
        runtime.context.meter.add_query()
    try:
        result = _run(draft, job_id, runtime.context)
    except Cancelled:
        raise
    except PlutoDuckError as error:
        runtime.stream_writer(_end(job_id, attempt, began, error=error))
        return {"draft": None, "failed": [*state["failed"], Attempt(draft, error)]}
    runtime.stream_writer(_end(job_id, attempt, began, result=result))
    return {"result": result}


def _run(draft: Draft, job_id: str, tools: Tools) -> QueryResult:
    if draft.problem:
        raise QueryFailed(draft.problem, code="draft_unusable", hint="The SQL was not run.")

    def interrupt() -> None:
        tools.queries.cancel(job_id)

    try:
        with tools.token.interrupting(interrupt):
            return tools.queries.run(
                draft.sql, job_id=job_id, run_id=tools.run_id, max_rows=tools.max_rows, who=tools.who
            )
    except Cancelled:
        tools.token.check()
        raise


def _end(
    job_id: str, attempt: int, began: float, *, result: QueryResult | None = None, error: PlutoDuckError | None = None
) -> VerifierEnd:
    return VerifierEnd(
        job_id=job_id,
        result_table=f"{job_id}.parquet" if result else None,
        rows_affected=result.row_count if result else None,
        error=error.to_dict() if error else None,
        elapsed_ms=round((time.perf_counter() - began) * 1000, 3),
        attempt=attempt,
    )
