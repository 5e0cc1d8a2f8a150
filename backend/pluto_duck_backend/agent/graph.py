"""The flow on one page.

    reasoning ──▶ planner ──┐
        ▲    ├──▶ schema ───┤
        │    ├──▶ sql ──────┤      the controller looks at what is known and chooses the next node;
        │    ├──▶ verifier ─┤      a failed verification drops the draft, so it chooses sql again,
        └────┴──────────────┘      up to a limit
             └──▶ finalize ──▶ end

Every node is one file with one public function: state in, the changed part of the state out. Events leave through
the graph's stream. The same graph runs for every provider.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from langgraph.graph import END, START, StateGraph

from pluto_duck_backend.agent.conversation import Ask
from pluto_duck_backend.agent.events import Event
from pluto_duck_backend.agent.nodes.finalize import finalize
from pluto_duck_backend.agent.nodes.planner import planner
from pluto_duck_backend.agent.nodes.reasoning import reasoning
from pluto_duck_backend.agent.nodes.schema import schema
from pluto_duck_backend.agent.nodes.sql import sql
from pluto_duck_backend.agent.nodes.verifier import verifier
from pluto_duck_backend.agent.state import AgentState, Tools

_WORKERS = {"planner": planner, "schema": schema, "sql": sql, "verifier": verifier}
_STEPS_PER_ATTEMPT = 4


@cache
def build() -> Any:
    """The compiled graph; one for the process, it holds no state."""
    graph = StateGraph(AgentState, context_schema=Tools)
    graph.add_node("reasoning", reasoning)
    graph.add_node("finalize", finalize)
    for name, node in _WORKERS.items():
        graph.add_node(name, node)
        graph.add_edge(name, "reasoning")
    graph.add_edge(START, "reasoning")
    graph.add_conditional_edges("reasoning", lambda state: state["next"], [*_WORKERS, "finalize"])
    graph.add_edge("finalize", END)
    return graph.compile()


def think(ask: Ask, tools: Tools) -> Iterator[Event]:
    """Answer one question, yielding its events up to the final message. Raises PlutoDuckError where it fails."""
    limit = 10 + _STEPS_PER_ATTEMPT * tools.max_attempts
    yield from build().stream(
        {"ask": ask, "failed": []}, context=tools, stream_mode="custom", config={"recursion_limit": limit}
    )
