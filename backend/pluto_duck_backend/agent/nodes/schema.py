"""Picks the tables, columns and stored values the question needs, and shows them."""

from __future__ import annotations

from langgraph.runtime import Runtime

from pluto_duck_backend.agent.events import SchemaEnd, ToolStart
from pluto_duck_backend.agent.state import AgentState, Tools


def schema(state: AgentState, runtime: Runtime[Tools]) -> AgentState:
    """Sets `view`."""
    runtime.context.hold(ToolStart("schema"))
    view = runtime.context.provider.link(state["ask"], runtime.context.run())
    runtime.context.hold(SchemaEnd(view.tables, view.values))
    return {"view": view}
