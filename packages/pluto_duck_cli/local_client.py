"""The client over the workspace of this process."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pluto_duck_backend.app.core.errors import RemoteError
from pluto_duck_backend.app.core.ids import new_id
from pluto_duck_cli.client import JobKind, Told, unheard

if TYPE_CHECKING:
    from pluto_duck_backend.agent.charting import Kind
    from pluto_duck_backend.agent.reporting import ExportForm
    from pluto_duck_backend.agent.workspace import Workspace
    from pluto_duck_cli.agents import Agents
    from pluto_duck_cli.boards import Boards


class LocalClient:
    """The workspace of this process."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace

    def ask(self, **request: Any) -> dict[str, Any]:
        return self.workspace.runs.start(**request).to_dict()

    def events(self, run_id: str, after: int = 0) -> Iterator[dict[str, Any]]:
        return self.workspace.runs.log(run_id).follow(after)

    def run(self, run_id: str) -> dict[str, Any]:
        return self.workspace.runs.get(run_id)

    def runs(self, limit: int, before: str | None = None) -> list[dict[str, Any]]:
        return self.workspace.runs.list(limit, before)

    def usage(self) -> list[dict[str, Any]]:
        return self.workspace.usage()

    def cancel_run(self, run_id: str) -> None:
        self.workspace.runs.cancel(run_id)

    def export(self, run_id: str, form: ExportForm) -> Iterator[bytes]:
        return (bytes(chunk) for chunk in self.workspace.export(run_id, form))

    def chart(self, job_id: str, kind: Kind | None = None) -> dict[str, Any]:
        return self.workspace.chart(job_id, kind)

    def confirm_run(self, run_id: str, replace: bool, sql: str | None = None) -> dict[str, Any]:
        return self.workspace.confirm(run_id, sql, replace=replace)

    def forget(self, name: str) -> dict[str, Any]:
        return self.workspace.memory.forget(name).to_dict()

    def confirmed(self) -> list[dict[str, Any]]:
        return [each.to_dict() for each in self.workspace.memory.every()]

    def query(self, **request: Any) -> dict[str, Any]:
        return self.workspace.queries.run(**request).to_dict()

    def result(self, job_id: str, form: str) -> Iterator[bytes]:
        return self.workspace.queries.stream(job_id, form)[1]

    def ingest(self, request: dict[str, Any]) -> str:
        return self.workspace.ingest(request)

    def dbt(self, command: str, options: dict[str, Any]) -> str:
        return self.workspace.run_dbt(command, options)

    def save_run(self, run_id: str, request: dict[str, Any]) -> dict[str, Any]:
        return self.workspace.save_run(run_id, request)

    def scaffold(self, request: dict[str, Any]) -> dict[str, Any]:
        return self.workspace.scaffold(request)

    def metrics(self) -> list[dict[str, Any]]:
        return self.workspace.metrics.every()

    def query_metrics(self, request: dict[str, Any]) -> dict[str, Any]:
        job = self.workspace.queries.wait(self.workspace.query_metrics(request)).to_dict()
        if job["error"]:
            raise RemoteError.from_job(job)
        return job

    def job(self, kind: JobKind, job_id: str) -> dict[str, Any]:
        return self.workspace.jobs.get(job_id)

    def job_events(self, kind: JobKind, job_id: str) -> Iterator[dict[str, Any]]:
        return self.workspace.jobs.log(job_id).follow()

    def cancel_job(self, kind: JobKind, job_id: str) -> None:
        self.workspace.jobs.cancel(job_id)

    def schema(self, table: str | None = None) -> dict[str, Any]:
        catalog = self.workspace.catalog
        return catalog.describe_table(table) if table else catalog.describe()

    def values(self, like: str, limit: int) -> list[dict[str, Any]]:
        return self.workspace.catalog.values_like(like, limit)

    def sources(self) -> list[dict[str, Any]]:
        return self.workspace.ingestion.sources()

    def actions(self, agent: str | None = None) -> dict[str, Any]:
        return self.workspace.actions.every(agent=agent)

    def act(self, request: dict[str, Any], begun: Told = unheard, tell: Told = unheard) -> dict[str, Any]:
        call_id = new_id("call")
        done = self.workspace.actions.call(
            *(request["name"], request["arguments"]),
            timeout_s=request.get("timeout_s"),
            key=request.get("idempotency_key"),
            agent=request.get("agent"),
            approved=request.get("approved", False),
            call_id=call_id,
            begun=lambda: begun(call_id),
            tell=tell,
        )
        return done.to_dict()

    def cancel_call(self, call_id: str) -> None:
        self.workspace.actions.cancel(call_id)

    @property
    def agents(self) -> Agents:
        return self.workspace.agents

    @property
    def boards(self) -> Boards:
        return self.workspace.boards

    def close(self) -> None:
        self.workspace.close()
