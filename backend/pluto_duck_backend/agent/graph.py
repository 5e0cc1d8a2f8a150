"""The flow on one page.

    reasoning ──▶ planner ──┐
        ▲    ├──▶ schema ───┤
        │    ├──▶ sql ──────┤      the controller looks at what is known and chooses the next node;
        │    ├──▶ verifier ─┤      a failed verification drops the draft, so it chooses sql again,
        └────┴──────────────┘      up to a limit; what a draft plans to do first is done by steps
             └──▶ finalize ──▶ end

LangGraph runs the page as one node, in one superstep: nothing is kept, traced or interrupted between two nodes of ours,
and a superstep costs as much as a query. So the graph is said in LangGraph's own terms, a node that reads one channel
and writes another, since the START, the branches and the Commands of a StateGraph are supersteps and channels of their
own. Every node is one file with one public function: state in, the changed part of the state out. Events leave through
`tools.emit` as they happen, since LangGraph's own stream takes a thread for each node and one that waits. The same
graph runs for every provider.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Any

from langchain_core.runnables import Runnable, RunnableConfig
from langgraph.channels import LastValue
from langgraph.pregel import NodeBuilder, Pregel
from langgraph.runtime import Runtime, get_runtime
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
_OBSOLETE = ("LANGCHAIN_TRACING", "LANGCHAIN_HANDLER")
#   variables of an earlier langchain, which refuses to run untraced where one of them is set


class _Page(Runnable[AgentState, AgentState]):
    """From the first node to the last. A plain function would be traced by LangGraph, which takes time."""

    def invoke(self, input: AgentState, config: RunnableConfig | None = None, **kwargs: Any) -> AgentState:
        known, runtime = input, get_runtime(Tools)
        while "status" not in known:
            name = reasoning(known, runtime)
            known = AgentState({**known, **_in_span(name, known, runtime)})
        return known


@cache
def build() -> Pregel:
    """The compiled graph; one for the process, it holds no state."""
    for name in _OBSOLETE:
        os.environ.pop(name, None)
    return Pregel(
        nodes={"page": NodeBuilder().subscribe_only("begun").do(_Page()).write_to("over")},
        channels={"begun": LastValue(AgentState), "over": LastValue(AgentState)},
        input_channels="begun",
        output_channels="over",
        context_schema=Tools,
    )


def _in_span(name: str, state: AgentState, runtime: Runtime[Tools]) -> AgentState:
    with spans.span(f"node {name}", {"pluto_duck.node": name}):
        return _NODES[name](state, runtime)


def think(ask: Ask, tools: Tools) -> Status | None:
    """Answer one question, telling its events up to the final message; returns how it ended.

    Raises PlutoDuckError where it fails. A tracing variable of the environment was set for other programs: nothing of
    a question leaves by it.
    """
    config = RunnableConfig(max_concurrency=1)  # else it asks how many processors there are
    begun = AgentState(ask=ask, failed=[])
    with tracing_context(enabled=False, parent=False):  # a parent is looked for unless it is said that there is none
        known = build().invoke(begun, context=tools, config=config)
    status: Status | None = known.get("status")
    return status
