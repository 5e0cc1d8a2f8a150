"""Prompts: ways of working with the tools that a person can pick in their client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, Prompt
from pydantic import Field

_ANSWER = """Answer this question about my data with the tools of Pluto-Duck: {question}

1. Call `ask` with the question as it stands.
2. If it comes back with `needs_input`, put its question and options to me; do not choose yourself.
3. Look at `reading`, `caveats` and `confidence`. Where they do not fit what I asked, look at `schema` and `values`, and
   write SQL of your own with `query`.
4. Answer in a sentence or two with the figures, then give the SQL that ran and its `job_id`. Say what was assumed.
   If the data cannot answer, say so and name the nearest thing that it can."""

_EXPLORE = """Tell me what is in {what}, with the tools of Pluto-Duck.

Call `schema` for the tables, then for each that matters `schema` with its name; `metrics` lists what is defined.
Say in plain words what one row of each table is, how the tables belong together, which periods they cover, and what
looks wrong (empty columns, values in several spellings, keys that repeat). End with five questions worth asking, and
why."""

_CHECK = """Check the answer of the run {run_id} for me.

Read `pluto-duck://runs/{run_id}` and `pluto-duck://runs/{run_id}/events`. Say what was asked, how it was read, and what
the SQL does, step by step. Then write SQL of your own that should give the same figures by another way, run it with
`query`, and compare. Name each difference, its cause, and which of the two I should believe."""


class KnownPrompts:
    """The library's middleware: what it would call an internal error is told by its name."""

    def __init__(self, server: MCPServer[Any]) -> None:
        self._server = server

    async def __call__(self, ctx: Any, call_next: Any) -> Any:
        if ctx.method == "prompts/get":
            problem = self._problem(ctx.params or {}, await self._server.list_prompts())
            if problem:
                raise MCPError(INVALID_PARAMS, problem)
        return await call_next(ctx)

    def _problem(self, params: Mapping[str, Any], known: Sequence[Prompt]) -> str:
        name, given = params.get("name"), params.get("arguments") or {}
        taken = {each.name: each.arguments or [] for each in known}
        if name not in taken:
            return f"There is no prompt {name!r}. There are: {', '.join(taken)}."
        names = [each.name for each in taken[name]]
        missing = [each.name for each in taken[name] if each.required and each.name not in given]
        strange = [each for each in given if each not in names]
        if missing:
            return f"The prompt {name} needs {', '.join(missing)}."
        return f"The prompt {name} takes no {', '.join(strange)}. It takes {', '.join(names)}." if strange else ""


def add(server: MCPServer[Any]) -> None:
    """Every prompt, on `server`."""
    server.middleware.append(KnownPrompts(server))

    @server.prompt(title="Answer with proof")
    def answer(question: Annotated[str, Field(description="What you want to know, in plain words.")]) -> str:
        """Answer a question about the data with the figures, the SQL and what was assumed."""
        return _ANSWER.format(question=question)

    @server.prompt(title="What is in the data?")
    def explore(table: Annotated[str, Field(description="A table; empty: all of them.")] = "") -> str:
        """Describe the data in plain words, say what looks wrong, and what could be asked."""
        return _EXPLORE.format(what=f"the table {table}" if table else "my warehouse")

    @server.prompt(title="Check an answer")
    def check(run_id: Annotated[str, Field(description="The run's id, as `ask` gives it.")]) -> str:
        """Work an earlier answer out by another way and compare."""
        return _CHECK.format(run_id=run_id)
