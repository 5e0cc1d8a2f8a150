"""The tools: each takes what its types say, calls the client, and gives back a result or an error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolResult, InputRequiredResult, ToolAnnotations
from pydantic import Field

from pluto_duck_backend.app.core.errors import PlutoDuckError
from pluto_duck_cli.asking import Question
from pluto_duck_cli.client import Client
from pluto_duck_cli.mcp_server import questions, results
from pluto_duck_cli.mcp_server.calling import Threads

_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_ASKS = ToolAnnotations(read_only_hint=True)
_SHOWN_OF_JOB = ("job_id", "status", "sql", "columns", "rows", "row_count", "truncated", "elapsed_ms")
Rows = Annotated[int, Field(ge=0, le=1000, description="So many rows at most.")]
Texts = Annotated[list[str] | None, Field(description="Names as `metrics` lists them.")]


def add(server: MCPServer[Any], threads: Threads, provider: str | None, model: str | None) -> None:
    """Every tool, on `server`."""
    _add_ask(server, threads, provider, model)
    _add_data(server, threads)
    _add_metrics(server, threads)


def _add_ask(server: MCPServer[Any], threads: Threads, provider: str | None, model: str | None) -> None:
    @server.tool(title="Ask the data", annotations=_ASKS)
    async def ask(
        context: Context[Any, Any],
        question: Annotated[str, Field(min_length=1, description="In plain words, or the answer to a question back.")],
        conversation: Annotated[str | None, Field(description="The `conversation` of an earlier call.")] = None,
        max_rows: Rows = 100,
        agent: Annotated[str | None, Field(description="Who answers; empty: whose scope fits best.")] = None,
    ) -> CallToolResult | InputRequiredResult:
        """Answer a question about the data, with SQL, rows and confidence; needs_input: call again with a choice."""
        try:
            asked = Question(question, conversation, provider, model, max_rows, agent=agent)
            return await questions.ask(asked, threads, context)
        except PlutoDuckError as fault:
            return results.of_fault(fault)


def _add_data(server: MCPServer[Any], threads: Threads) -> None:
    @server.tool(title="Run SQL, read-only", annotations=_READS)
    async def query(
        sql: Annotated[str, Field(description="One SELECT in DuckDB's SQL.")],
        max_rows: Rows = 100,
        timeout_s: Annotated[float | None, Field(gt=0, description="Seconds it may take.")] = None,
    ) -> CallToolResult:
        """Run SQL that reads; the first rows, how many there are, and the job's id."""
        return await _called(
            threads, lambda client: _job(client.query(sql=sql, max_rows=max_rows, timeout_s=timeout_s))
        )

    @server.tool(title="Tables and columns", annotations=_READS)
    async def schema(
        table: Annotated[str | None, Field(description="`name` or `schema.name`; none: all tables.")] = None,
    ) -> CallToolResult:
        """Tables with columns, types, keys, comments and row counts; of one table also statistics and samples."""
        return await _called(threads, lambda client: client.schema(table))

    @server.tool(title="Stored values like a text", annotations=_READS)
    async def values(
        like: Annotated[str, Field(min_length=1, max_length=200, description="What it is called; misspelt, too.")],
        limit: Annotated[int, Field(ge=1, le=100)] = 20,
    ) -> CallToolResult:
        """Where a name is stored and how it is spelt there, before it goes into a condition."""
        return await _called(threads, lambda client: {"values": client.values(like, limit)})


def _add_metrics(server: MCPServer[Any], threads: Threads) -> None:
    @server.tool(title="Metrics that dbt defines", annotations=_READS)
    async def metrics(
        names: Texts = None,
        by: Annotated[list[str] | None, Field(description="Dimensions, or grains.")] = None,
        grain: Annotated[str | None, Field(description="day, week, month, quarter or year.")] = None,
        where: Annotated[list[str] | None, Field(description="Conditions on dimensions, in SQL.")] = None,
        order: Annotated[list[str] | None, Field(description="A metric or dimension; -NAME falls.")] = None,
        start: Annotated[str | None, Field(description="The first day, as 2025-01-31.")] = None,
        end: Annotated[str | None, Field(description="The last day.")] = None,
        max_rows: Rows = 100,
    ) -> CallToolResult:
        """Without names: each metric and what it can be cut by. With names: their figures, by their definitions."""
        asked: dict[str, Any] = {"metrics": names or [], "by": by or [], "where": where or [], "order": order or []}
        asked |= {"grain": grain, "start": start, "end": end}
        if not names:
            return await _called(threads, lambda client: {"metrics": client.metrics()})
        return await _called(threads, lambda client: _job(client.query_metrics({**asked, "max_rows": max_rows})))


def _job(job: dict[str, Any]) -> dict[str, Any]:
    """Of a job what the model needs: what it costs to read is paid with each call."""
    return {name: job[name] for name in _SHOWN_OF_JOB}


async def _called(threads: Threads, work: Callable[[Client], dict[str, Any]]) -> CallToolResult:
    """What `work` finds; an error of ours becomes the tool's."""

    try:
        return results.of_data(await threads.work(work))
    except PlutoDuckError as fault:
        return results.of_fault(fault)
