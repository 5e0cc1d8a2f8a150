"""The controller: chooses the next node from what is known so far."""

from __future__ import annotations

from langgraph.runtime import Runtime

from pluto_duck_backend.agent.events import Decision, ReasoningChunk, ReasoningEnd, ReasoningStart
from pluto_duck_backend.agent.state import AgentState, Tools


def reasoning(state: AgentState, runtime: Runtime[Tools]) -> Decision:
    """The next node. Raises the last verification's error when the attempts are used up."""
    tools = runtime.context
    tools.token.check()
    decision, why = _decide(state, tools.max_attempts)
    tools.hold(ReasoningStart(decision), ReasoningChunk(decision, why), ReasoningEnd(decision))
    return decision


def _decide(state: AgentState, max_attempts: int) -> tuple[Decision, str]:
    failed = state["failed"]
    if state.get("result"):
        return "finalize", "The result is verified."
    if state.get("outcome"):
        return "finalize", "There is no SQL to run; the user must hear why."
    draft = state.get("draft")
    if draft and draft.steps and not draft.taken:
        return "steps", f"One query is not enough; {len(draft.steps)} steps come first."
    if draft:
        return "verifier", "The SQL is written; run it and look at the result."
    if len(failed) >= max_attempts:
        raise failed[-1].error
    if failed:
        return "sql", f"Attempt {len(failed)} failed: {failed[-1].error.message.splitlines()[0]}"
    if "plan" not in state:
        return "planner", "Nothing is planned yet."
    if "view" not in state:
        return "schema", "The tables and values the question names are not known yet."
    return "sql", "The schema is known; write the SQL."
