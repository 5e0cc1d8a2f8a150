"""The client over the server that owns the warehouse; `transport` makes the calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pluto_duck_backend.app.core.errors import RemoteError
from pluto_duck_backend.app.core.owner import Owner
from pluto_duck_cli.client import JobKind, Told, unheard
from pluto_duck_cli.transport import Transport, part, rest

if TYPE_CHECKING:
    from pluto_duck_backend.agent.charting import Kind
    from pluto_duck_backend.agent.reporting import ExportForm
    from pluto_duck_cli.agents import Agents
    from pluto_duck_cli.boards import Boards


class HttpClient:
    """A server, over loopback. With a `traceparent` its work is of the caller's trace."""

    def __init__(self, server: Owner, traceparent: str = "") -> None:
        self._server = Transport(server, traceparent)

    def ask(self, **request: Any) -> dict[str, Any]:
        return self._server.post("/agent/run", request)

    def events(self, run_id: str, after: int = 0) -> Iterator[dict[str, Any]]:
        return self._server.follow(f"/agent/{part(run_id)}/events", after)

    def run(self, run_id: str) -> dict[str, Any]:
        return self._server.get(f"/agent/{part(run_id)}")

    def runs(self, limit: int, before: str | None = None) -> list[dict[str, Any]]:
        page: list[dict[str, Any]] = self._server.get("/agent", limit=limit, before=before)["runs"]
        return page

    def usage(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._server.get("/agent/usage")["usage"]
        return found

    def cancel_run(self, run_id: str) -> None:
        self._server.post(f"/agent/{part(run_id)}/cancel")

    def export(self, run_id: str, form: ExportForm) -> Iterator[bytes]:
        return self._server.bytes(f"/agent/{part(run_id)}/export", form)

    def chart(self, job_id: str, kind: Kind | None = None) -> dict[str, Any]:
        return self._server.get(f"/query/{part(job_id)}/chart", kind=kind)

    def confirm_run(self, run_id: str, replace: bool, sql: str | None = None) -> dict[str, Any]:
        return self._server.post(f"/agent/{part(run_id)}/confirm", {"replace": replace, "sql": sql})

    def forget(self, name: str) -> dict[str, Any]:
        return self._server.send("DELETE", f"/memory/{part(name)}")

    def confirmed(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._server.get("/memory")["confirmed"]
        return found

    def query(self, **request: Any) -> dict[str, Any]:
        """The job keeps its id where the server is started again meanwhile, so it is waited for by that."""
        return self._ended(self._server.post("/query", request)["job_id"])

    def _ended(self, job_id: str) -> dict[str, Any]:
        try:
            job = self._server.awaited(f"/query/{part(job_id)}")
        except KeyboardInterrupt:
            self._server.post(f"/query/{part(job_id)}/cancel")
            raise
        if job["error"]:
            raise RemoteError.from_job(job)
        return job

    def result(self, job_id: str, form: str) -> Iterator[bytes]:
        return self._server.bytes(f"/query/{part(job_id)}/result", form)

    def ingest(self, request: dict[str, Any]) -> str:
        return str(self._server.post("/ingest", request)["job_id"])

    def dbt(self, command: str, options: dict[str, Any]) -> str:
        return str(self._server.post(f"/dbt/{part(command)}", options)["job_id"])

    def save_run(self, run_id: str, request: dict[str, Any]) -> dict[str, Any]:
        return self._server.post(f"/agent/{part(run_id)}/save", request)

    def scaffold(self, request: dict[str, Any]) -> dict[str, Any]:
        return self._server.post("/dbt/scaffold", request)

    def metrics(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._server.get("/metrics")["metrics"]
        return found

    def query_metrics(self, request: dict[str, Any]) -> dict[str, Any]:
        return self._ended(self._server.post("/metrics/query", request)["job_id"])

    def job(self, kind: JobKind, job_id: str) -> dict[str, Any]:
        return self._server.get(f"/{kind}/{part(job_id)}")

    def job_events(self, kind: JobKind, job_id: str) -> Iterator[dict[str, Any]]:
        return self._server.follow(f"/{kind}/{part(job_id)}/events", 0)

    def cancel_job(self, kind: JobKind, job_id: str) -> None:
        self._server.post(f"/{kind}/{part(job_id)}/cancel")

    def schema(self, table: str | None = None) -> dict[str, Any]:
        return self._server.get(f"/schema/{rest(table)}" if table else "/schema")

    def values(self, like: str, limit: int) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._server.get("/values", like=like, limit=limit)["values"]
        return found

    def sources(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._server.get("/ingest")["sources"]
        return found

    def actions(self, agent: str | None = None) -> dict[str, Any]:
        return self._server.get("/actions", agent=agent)

    def act(self, request: dict[str, Any], begun: Told = unheard, tell: Told = unheard) -> dict[str, Any]:
        """A call is not repeated where its server goes away: what it began might be done twice."""
        for event in self._server.stream("/actions", request):
            content: dict[str, Any] = event["content"]
            if event["subtype"] == "end":
                return content
            if event["subtype"] == "start":
                begun(event["call_id"])
            else:
                tell(content["message"])
        raise self._server.away(ConnectionError("the connection broke off"))

    def cancel_call(self, call_id: str) -> None:
        self._server.post(f"/actions/{part(call_id)}/cancel")

    @property
    def agents(self) -> Agents:
        from pluto_duck_cli.agents import HttpAgents

        return HttpAgents(self._server.send)

    @property
    def boards(self) -> Boards:
        from pluto_duck_cli.boards import HttpBoards

        return HttpBoards(self._server.send, lambda path: b"".join(self._server.bytes(path, "html")))

    def close(self) -> None:
        self._server.close()
