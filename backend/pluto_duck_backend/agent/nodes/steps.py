"""Takes the steps that a draft plans, in order, each over the results of those before it."""

from __future__ import annotations

import time
from dataclasses import replace

from langgraph.runtime import Runtime

from pluto_duck_backend.agent.events import PlannerEnd, StepEnd, StepStart
from pluto_duck_backend.agent.findings.finding import caveats
from pluto_duck_backend.agent.providers.contract import Attempt, Draft
from pluto_duck_backend.agent.state import AgentState, Tools
from pluto_duck_backend.agent.steps import planning
from pluto_duck_backend.agent.steps.step import Step, Taken
from pluto_duck_backend.agent.steps.taking import mend, take
from pluto_duck_backend.app.core.errors import Cancelled, PlutoDuckError
from pluto_duck_backend.app.core.ids import new_id


def steps(state: AgentState, runtime: Runtime[Tools]) -> AgentState:
    """Sets `draft` to the last query with all steps `taken`, and weighed; or drops it and adds to `failed`."""
    draft, attempt = state["draft"], len(state["failed"]) + 1
    assert draft is not None
    runtime.context.emit(PlannerEnd(_plan(draft)))
    taken: dict[str, Taken] = {}
    try:
        tables = [table["table"] for table in state["view"].tables]
        planning.check(draft.steps, tables, runtime.context.max_steps)
        for step in draft.steps:
            taken[step.name] = _take(step, taken, attempt, runtime)
        sql, mended = mend(draft.sql, taken, runtime.context)
    except Cancelled:
        raise
    except PlutoDuckError as error:
        runtime.context.token.check()
        return {"draft": None, "failed": [*state["failed"], Attempt(draft, error)]}
    assumed = (*draft.assumptions, *caveats(mended))
    done = replace(draft, sql=sql, written=draft, taken=tuple(taken.values()), assumptions=assumed)
    return {"draft": runtime.context.provider.weigh(state["ask"], done, runtime.context.run(len(state["failed"])))}


def _take(step: Step, taken: dict[str, Taken], attempt: int, runtime: Runtime[Tools]) -> Taken:
    job_id, began = new_id("query"), time.perf_counter()
    runtime.context.emit(StepStart(step.name, step.kind, step.purpose, attempt))
    try:
        done = take(step, taken, job_id, runtime.context)
    except PlutoDuckError as error:
        error.message = f"{error.message} (step {step.name})"
        runtime.context.emit(StepEnd(step.name, step.kind, attempt, _ms(began), step.text, error=error.to_dict()))
        raise
    rows, told = done.row_count, list(done.told)
    runtime.context.emit(
        StepEnd(step.name, step.kind, attempt, _ms(began), step.text, done.sql, job_id, done.columns, rows, told)
    )
    return done


def _ms(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 3)


def _plan(draft: Draft) -> list[dict[str, object]]:
    """The plan as the planner's event tells it, the query that answers last."""
    lines = [(f"{step.name}: {step.purpose or step.kind}", step.kind) for step in draft.steps]
    lines.append((draft.title or "Answer from these steps", "query"))
    return [
        {"description": text, "status": "pending", "metadata": {"step": n, "kind": kind}}
        for n, (text, kind) in enumerate(lines, 1)
    ]
