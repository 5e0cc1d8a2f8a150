"""Writes the final message: the answer, the question back, or why there is none."""

from __future__ import annotations

import time
from typing import Any

from langgraph.runtime import Runtime

from pluto_duck_backend.agent.charting import CHART_ROWS, Spec, chart_of
from pluto_duck_backend.agent.conversation import rather
from pluto_duck_backend.agent.events import MessageChunk, MessageFinal
from pluto_duck_backend.agent.markdown import escaped
from pluto_duck_backend.agent.providers.contract import Answer, Clarify, Draft, Signed
from pluto_duck_backend.agent.state import AgentState, Tools
from pluto_duck_backend.agent.suggesting import next_messages
from pluto_duck_backend.app.services.execution.executor import QueryResult


def finalize(state: AgentState, runtime: Runtime[Tools]) -> AgentState:
    """Sets `status`; the final object is told with the run's end."""
    final = _without_sql(state, runtime) if state.get("outcome") else _with_result(state, runtime)
    runtime.context.hold(final)
    return {"status": final.status}


def _with_result(state: AgentState, runtime: Runtime[Tools]) -> MessageFinal:
    draft, result = state["draft"], state["result"]
    assert draft is not None
    assert result is not None
    answer = Answer(state["ask"], draft, result, tuple(state["failed"]))
    pieces = runtime.context.provider.compose(answer, runtime.context.run())
    known = runtime.context.provenance(result.tables)
    chart = _chart(state["ask"].as_meant, result, runtime.context)
    return MessageFinal(
        status="succeeded",
        answer=_stream(pieces, runtime),
        sql=result.sql,
        job_id=result.job_id,
        columns=result.columns,
        rows=result.rows,
        row_count=result.row_count or 0,
        truncated=result.truncated,
        chart=chart,
        next=[*map(rather, draft.others), *next_messages(result, chart, state["view"].tables)],
        confidence=round(draft.confidence, 4),
        caveats=[*_caveats(state, draft, result, runtime.context), *known.caveats],
        steps=[each.to_dict() for each in draft.taken],
        reading=[*draft.reading, *(each.line() for each in draft.taken), *known.lines],
        **_who(runtime.context, draft),
    )


def _chart(question: str, result: QueryResult, tools: Tools) -> Spec | None:
    if result.truncated:
        tools.emit()  # the other rows are read from a file
    rows = tools.queries.first_rows(result, CHART_ROWS, tools.who)
    return chart_of(question, result.columns, rows, result.row_count or 0, sql=result.sql)


def _without_sql(state: AgentState, runtime: Runtime[Tools]) -> MessageFinal:
    outcome, caveats = state["outcome"], list(dict.fromkeys(runtime.context.caveats))
    assert outcome is not None
    if isinstance(outcome, Clarify):
        lines = [outcome.question, *(f"{n}. {option}" for n, option in enumerate(outcome.options, 1))]
        clarification: dict[str, Any] = {"question": outcome.question, "options": list(outcome.options)}
        if outcome.approval:
            clarification["approval"] = outcome.approval
        text = _stream([escaped("\n".join(lines))], runtime)
        return MessageFinal(
            "needs_input", text, caveats=caveats, clarification=clarification, **_who(runtime.context, outcome)
        )
    text = _stream([escaped(outcome.message)], runtime)
    return MessageFinal("cannot_answer", text, caveats=caveats, **_who(runtime.context, outcome))


def _stream(pieces: Any, runtime: Runtime[Tools]) -> str:
    """Holds each piece, which whoever makes the next one tells where that takes time; returns the whole."""
    text = ""
    for piece in pieces:
        runtime.context.token.check()
        if piece:
            runtime.context.hold(MessageChunk(piece))
            text += piece
    return text


def _caveats(state: AgentState, draft: Draft, result: QueryResult, tools: Tools) -> list[str]:
    caveats = list(dict.fromkeys([*tools.caveats, *draft.assumptions, *_of_steps(draft)]))
    if result.row_count == 0 and not tools.caveats:
        caveats.append("No rows match; check the filters in the SQL.")
    failed = [each for each in state["failed"] if each.error.code != "result_doubtful"]
    if failed:
        caveats.append(f"{len(failed)} earlier attempt{'s' * (len(failed) > 1)} failed verification.")
    return caveats


def _of_steps(draft: Draft) -> list[str]:
    return [told for each in draft.taken for told in each.told]


def _who(tools: Tools, decided: Signed) -> dict[str, Any]:
    """Who answered, and what that used."""
    used, elapsed = tools.meter.used, round((time.perf_counter() - tools.started) * 1000, 3)
    usage = {
        "input_tokens": used.input_tokens,
        "output_tokens": used.output_tokens,
        "cost_usd": round(used.cost_usd, 6),
        "elapsed_ms": elapsed,
    }
    if decided.provider:
        return {"provider": decided.provider, "model": decided.model, "usage": usage}
    return {"provider": tools.provider.name, "model": tools.provider.model, "usage": usage}
