"""Writes the final message: the answer, the question back, or why there is none."""

from __future__ import annotations

import time
from typing import Any

from langgraph.runtime import Runtime

from pluto_duck_backend.agent.events import MessageChunk, MessageFinal
from pluto_duck_backend.agent.providers.contract import Answer, Clarify, Draft
from pluto_duck_backend.agent.state import AgentState, Tools
from pluto_duck_backend.app.services.execution.executor import QueryResult


def finalize(state: AgentState, runtime: Runtime[Tools]) -> AgentState:
    """Sets `done`; the final object has been yielded."""
    final = _without_sql(state, runtime) if state.get("outcome") else _with_result(state, runtime)
    runtime.stream_writer(final)
    return {"done": True}


def _with_result(state: AgentState, runtime: Runtime[Tools]) -> MessageFinal:
    draft, result = state["draft"], state["result"]
    assert draft is not None
    assert result is not None
    pieces = runtime.context.provider.compose(Answer(state["ask"], draft, result, tuple(state["failed"])))
    return MessageFinal(
        status="succeeded",
        answer=_stream(pieces, runtime),
        sql=result.sql,
        job_id=result.job_id,
        columns=result.columns,
        rows=result.rows,
        row_count=result.row_count or 0,
        truncated=result.truncated,
        confidence=round(draft.confidence, 4),
        caveats=_caveats(state, draft, result),
        reading=list(draft.reading),
        **_who(runtime.context),
    )


def _without_sql(state: AgentState, runtime: Runtime[Tools]) -> MessageFinal:
    outcome = state["outcome"]
    if isinstance(outcome, Clarify):
        lines = [outcome.question, *(f"{n}. {option}" for n, option in enumerate(outcome.options, 1))]
        clarification = {"question": outcome.question, "options": list(outcome.options)}
        text = _stream(["\n".join(lines)], runtime)
        return MessageFinal(status="needs_input", answer=text, clarification=clarification, **_who(runtime.context))
    assert outcome is not None
    return MessageFinal(status="cannot_answer", answer=_stream([outcome.message], runtime), **_who(runtime.context))


def _stream(pieces: Any, runtime: Runtime[Tools]) -> str:
    """Yields each piece as it is written; returns the whole."""
    text = ""
    for piece in pieces:
        runtime.context.token.check()
        if piece:
            runtime.stream_writer(MessageChunk(piece))
            text += piece
    return text


def _caveats(state: AgentState, draft: Draft, result: QueryResult) -> list[str]:
    caveats = list(draft.assumptions)
    if result.row_count == 0:
        caveats.append("No rows match; check the filters in the SQL.")
    if state["failed"]:
        caveats.append(f"{len(state['failed'])} earlier attempt(s) failed verification.")
    return caveats


def _who(tools: Tools) -> dict[str, Any]:
    elapsed = round((time.perf_counter() - tools.started) * 1000, 3)
    usage = {"input_tokens": 0, "output_tokens": 0, "cost_usd": 0.0, "elapsed_ms": elapsed}
    return {"provider": tools.provider.name, "model": tools.provider.model, "usage": usage}
