"""The flow on one page.

    reasoning ──▶ planner ──┐
        ▲    ├──▶ schema ───┤
        │    ├──▶ sql ──────┤      the controller looks at what is known and chooses the next node;
        │    ├──▶ verifier ─┤      a failed verification drops the draft, so it chooses sql again,
        └────┴──────────────┘      up to a limit; what a draft plans to do first is done by steps
             └──▶ finalize ──▶ end

The controller is the way out of every node. What it names further down the page follows at once, in the same superstep
of LangGraph: nothing is kept or traced between two nodes, and a superstep costs as much as a query. A way back up, as
after a failed verification, is a Command to LangGraph, which counts them. What is known goes from superstep to
superstep as one value, since LangGraph looks at each value of a state in each of them. Every node is one file with one
public function: state in, the changed part of the state out. Events leave through `tools.emit` as they happen, since
LangGraph's own stream takes a thread for each node and one that waits. The same graph runs for every provider.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Any, TypedDict

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

Node = Callable[[AgentState, Runtime[Tools]], AgentState]
_NODES: dict[str, Node] = {
    "planner": planner,
    "schema": schema,
    "sql": sql,
    "steps": steps,
    "verifier": verifier,
    "finalize": finalize,
}
#   in the order in which they follow each other
_ORDER = {name: n for n, name in enumerate(_NODES)}
_OBSOLETE = ("LANGCHAIN_TRACING", "LANGCHAIN_HANDLER")
#   variables of an earlier langchain, which refuses to run untraced where one of them is set


class Walk(TypedDict):
    """What LangGraph keeps."""

    known: AgentState


@cache
def build() -> Any:
    """The compiled graph; one for the process, it holds no state."""
    for name in _OBSOLETE:
        os.environ.pop(name, None)
    graph = StateGraph(Walk, context_schema=Tools)
    graph.add_node("reasoning", _begin, destinations=(*_NODES, END))
    for name in _NODES:
        graph.add_node(name, _from(name), destinations=(*_NODES, END))
    graph.add_edge(START, "reasoning")
    return graph.compile()


def _begin(state: Walk, runtime: Runtime[Tools]) -> Command[Any]:
    return _on(reasoning(state["known"], runtime), state["known"], runtime)


def _from(name: str) -> Any:
    def walked(state: Walk, runtime: Runtime[Tools]) -> Command[Any]:
        return _on(name, state["known"], runtime)

    return walked


def _on(name: str, known: AgentState, runtime: Runtime[Tools]) -> Command[Any]:
    """From the node `name` on, as far as the page goes down; then back, or to the end."""
    while True:
        known = AgentState({**known, **_in_span(name, known, runtime)})
        if name == "finalize":
            return Command(update=Walk(known=known), goto=END)
        done, name = name, reasoning(known, runtime)
        if _ORDER[name] <= _ORDER[done]:
            return Command(update=Walk(known=known), goto=name)


def _in_span(name: str, state: AgentState, runtime: Runtime[Tools]) -> AgentState:
    with spans.span(f"node {name}", {"pluto_duck.node": name}):
        return _NODES[name](state, runtime)


def think(ask: Ask, tools: Tools) -> Status | None:
    """Answer one question, telling its events up to the final message; returns how it ended.

    Raises PlutoDuckError where it fails. A tracing variable of the environment was set for other programs: nothing of
    a question leaves by it.
    """
    config = {"recursion_limit": 1 + tools.max_attempts, "max_concurrency": 1}  # else it asks how many processors
    begun = Walk(known={"ask": ask, "failed": []})
    with tracing_context(enabled=False, parent=False):  # a parent is looked for unless it is said that there is none
        known = build().invoke(begun, context=tools, config=config, output_keys="known")
    status: Status | None = known.get("status")
    return status
