"""Picks the tables, columns and stored values the question needs, and shows them."""

from __future__ import annotations

from langgraph.runtime import Runtime

from pluto_duck_backend.agent.events import SchemaEnd, ToolStart
from pluto_duck_backend.agent.state import AgentState, Tools


def schema(state: AgentState, runtime: Runtime[Tools]) -> AgentState:
    """Sets `view`."""
    runtime.stream_writer(ToolStart("schema"))
    view = runtime.context.provider.link(state["ask"], runtime.context.run(runtime.stream_writer))
    runtime.stream_writer(SchemaEnd(view.tables, view.values))
    return {"view": view}
