"""Loading data and running dbt for a client of the protocol: progress while it works, cancelled where the call is."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal

import anyio
import anyio.from_thread
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolResult, ToolAnnotations
from pydantic import Field

from pluto_duck_backend.app.core.errors import PlutoDuckError
from pluto_duck_cli.client import Client, JobKind
from pluto_duck_cli.mcp_server import results
from pluto_duck_cli.mcp_server.calling import Threads
from pluto_duck_cli.working import work

_WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=True)
_DBT = Literal["run", "test", "build", "seed", "snapshot", "compile", "ls", "show"]
_SHOWN_OF_NODE = ("node", "status", "message", "rows", "failing_rows")


def add(server: MCPServer[Any], threads: Threads) -> None:
    """The tools that change the warehouse, on `server`."""

    @server.tool(title="Load a file or a URL into a table", annotations=_WRITES)
    async def ingest(
        context: Context[Any, Any],
        source: Annotated[str, Field(min_length=1, description="A path of the server's machine, or a URL.")],
        table: Annotated[str | None, Field(description="`name` or `schema.name`; none: the source's name.")] = None,
        mode: Literal["replace", "append", "incremental", "merge"] = "replace",
        key: Annotated[list[str] | None, Field(description="merge: the columns that name a row.")] = None,
        cursor: Annotated[str | None, Field(description="incremental: the column that rises.")] = None,
    ) -> CallToolResult:
        """Load data; a failed load changes nothing. Gives the tables with their rows, and warnings."""
        asked = {"connector": "auto", "target": table, "mode": mode, "key": key, "cursor": cursor}
        request = {**asked, "config": {"url" if "://" in source else "path": source}}
        return await _Job(threads, context, "ingest", lambda client: client.ingest(request)).result(_loaded)

    @server.tool(title="Run dbt", annotations=_WRITES)
    async def dbt(
        context: Context[Any, Any],
        command: _DBT,
        select: Annotated[str | None, Field(description="dbt's selection, such as +orders or tag:nightly.")] = None,
        full_refresh: bool = False,
    ) -> CallToolResult:
        """Run a dbt command on the project of the data root; each node's status, what fails with its rows' query."""
        options = {"select": select, "full_refresh": full_refresh}
        return await _Job(threads, context, "dbt", lambda client: client.dbt(command, options)).result(_built)


class _Job:
    """One job of one call of a tool."""

    def __init__(
        self, threads: Threads, context: Context[Any, Any], kind: JobKind, start: Callable[[Client], str]
    ) -> None:
        self._threads = threads
        self._context = context
        self._kind = kind
        self._start = start
        self._job_id = ""
        self._told = 0
        self._is_over = False

    async def result(self, shown: Callable[[dict[str, Any]], dict[str, Any]]) -> CallToolResult:
        """What the job has done when it has ended; a call that is cancelled cancels it."""
        try:
            return results.of_data(shown(await self._threads.work(self._follow)))
        except PlutoDuckError as fault:
            return results.of_fault(fault)
        except anyio.get_cancelled_exc_class():
            self._is_over = True
            if self._job_id:
                await self._threads.finish(lambda client: client.cancel_job(self._kind, self._job_id))
            raise

    def _follow(self, client: Client) -> dict[str, Any]:
        self._job_id = self._start(client)
        if self._is_over:  # cancelled before there was a job to cancel
            client.cancel_job(self._kind, self._job_id)
        return work(client, self._kind, self._job_id, self._tell)

    def _tell(self, event: dict[str, Any]) -> None:
        message = event["content"].get("message") or event["content"].get("node")
        if message and not self._is_over:
            self._told += 1
            anyio.from_thread.run(partial(self._context.report_progress, self._told, message=str(message)))


def _loaded(job: dict[str, Any]) -> dict[str, Any]:
    return {"job_id": job["job_id"], "status": job["status"], **job["result"]}


def _built(job: dict[str, Any]) -> dict[str, Any]:
    """Of each node what the model needs; how it ended is dbt's exit code."""
    result = job["result"]
    nodes = [{name: node.get(name) for name in _SHOWN_OF_NODE} for node in result["nodes"]]
    ended = {name: result[name] for name in ("exit_code", "message", "output")}
    return {"job_id": job["job_id"], "status": job["status"], **ended, "nodes": nodes}
