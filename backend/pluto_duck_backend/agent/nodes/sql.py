"""Has the provider write SQL, knowing what failed so far."""

from __future__ import annotations

from langgraph.runtime import Runtime

from pluto_duck_backend.agent.events import SqlEnd, ToolStart
from pluto_duck_backend.agent.nodes.verifier import standing
from pluto_duck_backend.agent.providers.contract import CannotAnswer, Clarify, Draft
from pluto_duck_backend.agent.state import AgentState, Tools
from pluto_duck_backend.app.core.errors import Refused


def sql(state: AgentState, runtime: Runtime[Tools]) -> AgentState:
    """Sets `draft`, or `outcome` where there is nothing to run.

    A provider that has no further idea after a failure ends the run with that failure: the data may well hold
    the answer, so "cannot answer" would be untrue, unless all that was tried is forbidden. One that has nothing better
    than a suspicious result stands by it; one that sees by it that it cannot answer, or must ask, says so.
    """
    attempt = len(state["failed"]) + 1
    runtime.context.emit(ToolStart("sql", attempt))
    run = runtime.context.run(len(state["failed"]))
    reply = runtime.context.provider.write_sql(state["ask"], state["view"], state["failed"], run)
    if isinstance(reply, Draft) and not reply.steps:
        reply = runtime.context.provider.weigh(state["ask"], reply, run)
    doubted = state.get("doubted")
    if doubted and _stands(doubted.draft, reply):
        return standing(doubted, runtime.context, is_insisted=_is_said_again(doubted.draft, reply))
    if isinstance(reply, Draft):
        runtime.context.hold(SqlEnd(reply.sql, attempt, list(reply.reading), reply.confidence))
        return {"draft": reply}
    if not doubted and any(not isinstance(each.error, Refused) for each in state["failed"]):
        raise state["failed"][-1].error
    runtime.context.hold(SqlEnd("", attempt))
    return {"outcome": reply}


def _is_said_again(doubted: Draft, reply: Draft | Clarify | CannotAnswer) -> bool:
    """Whether its writer, told what is suspicious, wrote it once more."""
    return isinstance(reply, Draft) and reply.sql == doubted.sql and reply.provider == doubted.provider


def _stands(doubted: Draft, reply: Draft | Clarify | CannotAnswer) -> bool:
    """Whether nothing better has come than the suspicious result.

    That it cannot be answered, or is to be asked back, is better where it is said by whoever wrote it; another may only
    have no further idea.
    """
    if isinstance(reply, Draft):
        return bool(reply.problem) or reply.sql == doubted.sql
    return reply.provider != doubted.provider
