"""Says what will be done, before it is done."""

from __future__ import annotations

from langgraph.runtime import Runtime

from pluto_duck_backend.agent.events import PlannerEnd, ToolStart
from pluto_duck_backend.agent.state import AgentState, Tools


def planner(state: AgentState, runtime: Runtime[Tools]) -> AgentState:
    """Sets `plan`."""
    runtime.context.hold(ToolStart("planner"))
    steps = runtime.context.provider.plan(state["ask"])
    plan = [{"description": step, "status": "pending", "metadata": {"step": n}} for n, step in enumerate(steps, 1)]
    runtime.context.hold(PlannerEnd(plan))
    return {"plan": plan}
