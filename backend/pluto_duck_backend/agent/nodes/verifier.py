"""Runs the SQL, guarded and read-only, looks at the result, and records what came of it.

A result that looks suspicious goes back to the model once, with the facts; it stands where nothing better comes.
"""

from __future__ import annotations

import time
from dataclasses import replace

from langgraph.runtime import Runtime

from pluto_duck_backend.agent.events import ToolStart, VerifierEnd
from pluto_duck_backend.agent.findings.finding import caveats
from pluto_duck_backend.agent.providers.contract import Attempt, Doubted, Draft
from pluto_duck_backend.agent.querying import run_query
from pluto_duck_backend.agent.state import AgentState, Tools
from pluto_duck_backend.app.core.errors import Cancelled, PlutoDuckError, QueryFailed
from pluto_duck_backend.app.core.ids import new_id
from pluto_duck_backend.app.services.execution.executor import QueryResult

_DOUBTED, _INSISTED = 0.5, 0.8
#   how much of its confidence a draft keeps whose result looks suspicious, and one written again in view of that


def verifier(state: AgentState, runtime: Runtime[Tools]) -> AgentState:
    """Sets `result`, or drops the draft and adds to `failed`, with `doubted` where a result is kept in reserve."""
    draft, attempt = state["draft"], len(state["failed"]) + 1
    assert draft is not None
    job_id, began = new_id("query"), time.perf_counter()
    runtime.context.emit(ToolStart("verifier", attempt, draft.sql))
    if not draft.problem:
        runtime.context.meter.add_query()
    try:
        result = _run(draft, job_id, runtime.context)
    except Cancelled:
        raise
    except PlutoDuckError as error:
        runtime.context.hold(_end(job_id, attempt, began, error=error))
        if "doubted" in state:
            return standing(state["doubted"], runtime.context)
        return {"draft": None, "failed": [*state["failed"], Attempt(draft, error)]}
    runtime.context.hold(_end(job_id, attempt, began, result=result))
    return _looked_at(state, draft, result, runtime.context)


def standing(doubted: Doubted, tools: Tools, *, is_insisted: bool = False) -> AgentState:
    """The suspicious result after all, with what is suspicious of it as caveats."""
    tools.caveats.extend(doubted.told)
    kept = _INSISTED if is_insisted else _DOUBTED
    return {"draft": _less_sure(doubted.draft, kept), "result": doubted.result}


def _looked_at(state: AgentState, draft: Draft, result: QueryResult, tools: Tools) -> AgentState:
    findings = tools.provider.look(state["ask"], result)
    told = tuple(caveats(findings))
    doubts = tools.provider.seen([each for each in findings if each.weight == "doubt"])
    may_retry = "doubted" not in state and len(state["failed"]) + 1 < tools.max_attempts
    if doubts and may_retry:
        doubt = QueryFailed(doubts, code="result_doubtful")
        failed = [*state["failed"], Attempt(draft, doubt)]
        return {"draft": None, "failed": failed, "doubted": Doubted(draft, result, told)}
    tools.caveats.extend(told)
    if any(each.weight == "doubt" for each in findings):
        return {"draft": _less_sure(draft), "result": result}
    return {"result": result}


def _less_sure(draft: Draft, kept: float = _DOUBTED) -> Draft:
    """A draft whose result looks suspicious; it is believed half as much, unless its writer stands by it."""
    return replace(draft, confidence=round(draft.confidence * kept, 3))


def _run(draft: Draft, job_id: str, tools: Tools) -> QueryResult:
    if draft.problem:
        raise draft.problem
    return run_query(draft.sql, job_id, tools)


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
