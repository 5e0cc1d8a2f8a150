"""What answers are held against: a LangGraph run of five nodes that do nothing, in process and served as events.

`python -m tests.benchmarks._bare PORT` serves it: POST starts a run, GET streams an event a node and closes.
"""

from __future__ import annotations

import sys
import uuid
from collections.abc import AsyncIterator
from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph

NODES = ("one", "two", "three", "four", "five")


class State(TypedDict):
    """All that the nodes know."""

    n: int


def five_nodes() -> Any:
    """The compiled graph."""
    graph = StateGraph(State)
    for name in NODES:
        graph.add_node(name, lambda state: {"n": state["n"] + 1})
    for before, after in zip([START, *NODES], [*NODES, END], strict=True):
        graph.add_edge(before, after)
    return graph.compile()


def serve(port: int) -> None:
    """Until the process is ended."""
    import uvicorn
    from fastapi import FastAPI
    from sse_starlette import EventSourceResponse

    app, graph, started = FastAPI(), five_nodes(), set[str]()

    @app.post("/run", status_code=202)
    def start() -> dict[str, str]:
        run_id = uuid.uuid4().hex
        started.add(run_id)
        return {"run_id": run_id}

    @app.get("/run/{run_id}/events")
    async def events(run_id: str) -> EventSourceResponse:
        started.remove(run_id)

        async def told() -> AsyncIterator[dict[str, Any]]:
            async for update in graph.astream({"n": 0}, stream_mode="updates"):
                yield {"data": str(update)}

        return EventSourceResponse(told())

    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")


if __name__ == "__main__":
    serve(int(sys.argv[1]))
