"""The flow on one page.

    reasoning ──▶ planner ──┐
        ▲    ├──▶ schema ───┤
        │    ├──▶ sql ──────┤      the controller looks at what is known and chooses the next node;
        │    ├──▶ verifier ─┤      a failed verification drops the draft, so it chooses sql again,
        └────┴──────────────┘      up to a limit; what a draft plans to do first is done by steps
             └──▶ finalize ──▶ end

The controller is the way out of every node: it names the next one in the node's own Command, which costs less than an
edge that reads the state again, and far less than a node of its own. Every node is one file with one public function:
state in, the changed part of the state out. Events leave through `tools.emit` as they happen, since LangGraph's own
stream takes a thread for each node and one that waits. The same graph runs for every provider.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command
from langsmith import tracing_context

from pluto_duck_backend.agent.conversation import Ask
from pluto_duck_backend.agent.events import Status
from pluto_duck_backend.agent.nodes.finalize import finalize
from pluto_duck_backend.agent.nodes.planner import planner
from pluto_duck_backend.agent.nodes.reasoning import reasoning
from pluto_duck_backend.agent.nodes.schema import schema
from pluto_duck_backend.agent.nodes.sql import sql
from pluto_duck_backend.agent.nodes.steps import steps
from pluto_duck_backend.agent.nodes.verifier import verifier
from pluto_duck_backend.agent.state import AgentState, Tools
from pluto_duck_backend.app.core import spans

_WORKERS = {"planner": planner, "schema": schema, "sql": sql, "steps": steps, "verifier": verifier}
Node = Callable[[AgentState, Runtime[Tools]], AgentState]
_STEPS_PER_ATTEMPT = 3
_OBSOLETE = ("LANGCHAIN_TRACING", "LANGCHAIN_HANDLER")
#   variables of an earlier langchain, which refuses to run untraced where one of them is set


@cache
def build() -> Any:
    """The compiled graph; one for the process, it holds no state."""
    for name in _OBSOLETE:
        os.environ.pop(name, None)
    graph = StateGraph(AgentState, context_schema=Tools)
    graph.add_node("finalize", _in_span("finalize", finalize))
    for name, node in _WORKERS.items():
        graph.add_node(name, _then_reasoning(_in_span(name, node)), destinations=(*_WORKERS, "finalize"))
    graph.add_conditional_edges(START, reasoning, [*_WORKERS, "finalize"])
    graph.add_edge("finalize", END)
    return graph.compile()


def _in_span(name: str, node: Node) -> Any:
    def told(state: AgentState, runtime: Runtime[Tools]) -> AgentState:
        with spans.span(f"node {name}", {"pluto_duck.node": name}):
            return node(state, runtime)

    return told


def _then_reasoning(node: Node) -> Any:
    """The node, and after it the controller, which sees what the node changed."""

    def worked(state: AgentState, runtime: Runtime[Tools]) -> Command[Any]:
        changed = node(state, runtime)
        return Command(update=changed, goto=reasoning({**state, **changed}, runtime))

    return worked


def think(ask: Ask, tools: Tools) -> Status | None:
    """Answer one question, telling its events up to the final message; returns how it ended.

    Raises PlutoDuckError where it fails. A tracing variable of the environment was set for other programs: nothing of
    a question leaves by it.
    """
    limit = 10 + _STEPS_PER_ATTEMPT * tools.max_attempts
    with tracing_context(enabled=False):
        ended = build().invoke(
            {"ask": ask, "failed": []}, context=tools, config={"recursion_limit": limit}, output_keys=["status"]
        )
    status: Status | None = ended.get("status")
    return status
