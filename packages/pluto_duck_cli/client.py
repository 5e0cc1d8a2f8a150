"""What commands call: the workspace in this process, or the server that owns the warehouse. Same methods, same results.

Results are the contract's JSON as Python values; events are iterators that end with the run or job.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Literal, Protocol
from urllib.parse import quote

from pluto_duck_backend.app.core.config import Settings
from pluto_duck_backend.app.core.errors import EnvironmentFault, RemoteError
from pluto_duck_backend.app.core.owner import Owner, find_server
from pluto_duck_cli import render

if TYPE_CHECKING:
    from pluto_duck_backend.agent.charting import Kind
    from pluto_duck_backend.agent.event_log import EventLog
    from pluto_duck_backend.agent.reporting import ExportForm
    from pluto_duck_backend.agent.workspace import Workspace
    from pluto_duck_cli.agents import Agents
    from pluto_duck_cli.boards import Boards

JobKind = Literal["ingest", "dbt"]
_RECONNECTS = 20
_RECONNECT_S = 0.5


def _quietly(told: str) -> None:
    """Nobody listens."""


def _part(name: str) -> str:
    """A name as one part of an address, whatever it holds; of a slash, which no name of ours has, its code is told."""
    return _whole(name.replace("/", "%2F"))


def _whole(name: str) -> str:
    """A name as the rest of an address, with the slashes that a table's may have."""
    return quote(name, safe="").replace(".", "%2E")


class Client(Protocol):
    """Everything the command line can ask for."""

    def ask(self, **request: Any) -> dict[str, Any]: ...
    def events(self, run_id: str, after: int = 0) -> Iterator[dict[str, Any]]: ...
    def run(self, run_id: str) -> dict[str, Any]: ...
    def runs(self, limit: int, before: str | None = None) -> list[dict[str, Any]]: ...
    def usage(self) -> list[dict[str, Any]]: ...
    def cancel_run(self, run_id: str) -> None: ...
    def export(self, run_id: str, form: ExportForm) -> Iterator[bytes]: ...
    def chart(self, job_id: str, kind: Kind | None = None) -> dict[str, Any]: ...
    def confirm_run(self, run_id: str, replace: bool, sql: str | None = None) -> dict[str, Any]: ...
    def forget(self, name: str) -> dict[str, Any]: ...
    def confirmed(self) -> list[dict[str, Any]]: ...
    def query(self, **request: Any) -> dict[str, Any]: ...
    def result(self, job_id: str, form: str) -> Iterator[bytes]: ...
    def ingest(self, request: dict[str, Any]) -> str: ...
    def dbt(self, command: str, options: dict[str, Any]) -> str: ...
    def metrics(self) -> list[dict[str, Any]]: ...
    def query_metrics(self, request: dict[str, Any]) -> dict[str, Any]: ...
    def save_run(self, run_id: str, request: dict[str, Any]) -> dict[str, Any]: ...
    def scaffold(self, request: dict[str, Any]) -> dict[str, Any]: ...
    def job(self, kind: JobKind, job_id: str) -> dict[str, Any]: ...
    def job_events(self, kind: JobKind, job_id: str) -> Iterator[dict[str, Any]]: ...
    def cancel_job(self, kind: JobKind, job_id: str) -> None: ...
    def schema(self, table: str | None = None) -> dict[str, Any]: ...
    def values(self, like: str, limit: int) -> list[dict[str, Any]]: ...
    def sources(self) -> list[dict[str, Any]]: ...
    def actions(self, agent: str | None = None) -> dict[str, Any]: ...
    def act(
        self, request: dict[str, Any], begun: Callable[[str], None] = ..., tell: Callable[[str], None] = ...
    ) -> dict[str, Any]: ...
    def cancel_call(self, call_id: str) -> None: ...
    @property
    def agents(self) -> Agents: ...
    @property
    def boards(self) -> Boards: ...
    def close(self) -> None: ...


@contextlib.contextmanager
def connect(settings: Settings) -> Iterator[Client]:
    """Through the server that owns the root's warehouse, else in this process, waiting where another holds it."""
    server = find_server(settings.paths)
    client: Client = HttpClient(server) if server else _local(settings)
    try:
        yield client
    finally:
        client.close()


def _local(settings: Settings) -> LocalClient:
    from pluto_duck_backend.agent.workspace import Workspace

    return LocalClient(Workspace.open(settings, on_wait=render.talk))


class LocalClient:
    """The workspace of this process."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace

    def ask(self, **request: Any) -> dict[str, Any]:
        return self.workspace.runs.start(**request).to_dict()

    def events(self, run_id: str, after: int = 0) -> Iterator[dict[str, Any]]:
        return _until_end(self.workspace.runs.log(run_id), after)

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
        return _until_end(self.workspace.jobs.log(job_id), 0)

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

    def act(
        self, request: dict[str, Any], begun: Callable[[str], None] = _quietly, tell: Callable[[str], None] = _quietly
    ) -> dict[str, Any]:
        from pluto_duck_backend.app.core.ids import new_id

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


def _until_end(log: EventLog, after: int) -> Iterator[dict[str, Any]]:
    return log.follow(after)


class HttpClient:
    """The server that owns the warehouse, over loopback. With a `traceparent` its work is of the caller's trace."""

    def __init__(self, server: Owner, traceparent: str = "") -> None:
        import ssl

        import httpx

        self._errors = httpx.HTTPError
        headers = {"Authorization": f"Bearer {server.token}"} if server.token else {}
        headers |= {"traceparent": traceparent} if traceparent else {}
        self._http = httpx.Client(
            base_url=server.address,
            headers=headers,
            timeout=httpx.Timeout(None),
            trust_env=False,
            verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),  # plain HTTP: no certificates to read from the disk
        )
        self._server = server

    def ask(self, **request: Any) -> dict[str, Any]:
        return self._post("/agent/run", request)

    def events(self, run_id: str, after: int = 0) -> Iterator[dict[str, Any]]:
        return self._follow(f"/agent/{_part(run_id)}/events", after)

    def run(self, run_id: str) -> dict[str, Any]:
        return self._get(f"/agent/{_part(run_id)}")

    def runs(self, limit: int, before: str | None = None) -> list[dict[str, Any]]:
        page: list[dict[str, Any]] = self._get("/agent", limit=limit, before=before)["runs"]
        return page

    def usage(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._get("/agent/usage")["usage"]
        return found

    def cancel_run(self, run_id: str) -> None:
        self._post(f"/agent/{_part(run_id)}/cancel")

    def export(self, run_id: str, form: ExportForm) -> Iterator[bytes]:
        return self._bytes(f"/agent/{_part(run_id)}/export", form)

    def chart(self, job_id: str, kind: Kind | None = None) -> dict[str, Any]:
        return self._get(f"/query/{_part(job_id)}/chart", kind=kind)

    def confirm_run(self, run_id: str, replace: bool, sql: str | None = None) -> dict[str, Any]:
        return self._post(f"/agent/{_part(run_id)}/confirm", {"replace": replace, "sql": sql})

    def forget(self, name: str) -> dict[str, Any]:
        return self._send("DELETE", f"/memory/{_part(name)}")

    def confirmed(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._get("/memory")["confirmed"]
        return found

    def query(self, **request: Any) -> dict[str, Any]:
        """The job keeps its id where the server is started again meanwhile, so it is waited for by that."""
        return self._ended(self._post("/query", request)["job_id"])

    def _ended(self, job_id: str) -> dict[str, Any]:
        try:
            job = self._waited_for(job_id)
        except KeyboardInterrupt:
            self._post(f"/query/{_part(job_id)}/cancel")
            raise
        if job["error"]:
            raise RemoteError.from_job(job)
        return job

    def _waited_for(self, job_id: str) -> dict[str, Any]:
        for _ in range(_RECONNECTS):
            try:
                return self._get(f"/query/{_part(job_id)}", wait=True)
            except EnvironmentFault as error:
                if error.code != "server_away":
                    raise
                time.sleep(_RECONNECT_S)
        raise self._away(ConnectionError("the connection breaks off again and again"))

    def result(self, job_id: str, form: str) -> Iterator[bytes]:
        return self._bytes(f"/query/{_part(job_id)}/result", form)

    def _bytes(self, path: str, form: str) -> Iterator[bytes]:
        try:
            with self._http.stream("GET", f"/api/v1{path}", params={"format": form}) as answer:
                if answer.is_error:
                    answer.read()
                    self._read(answer)
                yield from answer.iter_bytes()
        except self._errors as error:
            raise self._away(error) from error

    def ingest(self, request: dict[str, Any]) -> str:
        return str(self._post("/ingest", request)["job_id"])

    def dbt(self, command: str, options: dict[str, Any]) -> str:
        return str(self._post(f"/dbt/{command}", options)["job_id"])

    def save_run(self, run_id: str, request: dict[str, Any]) -> dict[str, Any]:
        return self._post(f"/agent/{_part(run_id)}/save", request)

    def scaffold(self, request: dict[str, Any]) -> dict[str, Any]:
        return self._post("/dbt/scaffold", request)

    def metrics(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._get("/metrics")["metrics"]
        return found

    def query_metrics(self, request: dict[str, Any]) -> dict[str, Any]:
        return self._ended(self._post("/metrics/query", request)["job_id"])

    def job(self, kind: JobKind, job_id: str) -> dict[str, Any]:
        return self._get(f"/{kind}/{job_id}")

    def job_events(self, kind: JobKind, job_id: str) -> Iterator[dict[str, Any]]:
        return self._follow(f"/{kind}/{job_id}/events", 0)

    def cancel_job(self, kind: JobKind, job_id: str) -> None:
        self._post(f"/{kind}/{job_id}/cancel")

    def schema(self, table: str | None = None) -> dict[str, Any]:
        return self._get(f"/schema/{_whole(table)}" if table else "/schema")

    def values(self, like: str, limit: int) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._get("/values", like=like, limit=limit)["values"]
        return found

    def sources(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._get("/ingest")["sources"]
        return found

    def actions(self, agent: str | None = None) -> dict[str, Any]:
        return self._get("/actions", agent=agent)

    def act(
        self, request: dict[str, Any], begun: Callable[[str], None] = _quietly, tell: Callable[[str], None] = _quietly
    ) -> dict[str, Any]:
        """A call is not repeated where its server goes away: what it began might be done twice."""
        for event in self._streamed("POST", "/actions", params={"stream": True}, json=request):
            content: dict[str, Any] = event["content"]
            if event["subtype"] == "end":
                return content
            if event["subtype"] == "start":
                begun(event["call_id"])
            else:
                tell(content["message"])
        raise self._away(ConnectionError("the connection broke off"))

    def cancel_call(self, call_id: str) -> None:
        self._post(f"/actions/{call_id}/cancel")

    @property
    def agents(self) -> Agents:
        from pluto_duck_cli.agents import HttpAgents

        return HttpAgents(self._send)

    @property
    def boards(self) -> Boards:
        from pluto_duck_cli.boards import HttpBoards

        return HttpBoards(self._send, lambda path: b"".join(self._bytes(path, "html")))

    def close(self) -> None:
        self._http.close()

    def _get(self, path: str, **params: Any) -> dict[str, Any]:
        kept = {name: value for name, value in params.items() if value is not None}
        return self._send("GET", path, params=kept)

    def _post(self, path: str, body: dict[str, Any] | None = None, **params: Any) -> dict[str, Any]:
        return self._send("POST", path, json=body or {}, params=params)

    def _send(self, method: str, path: str, **more: Any) -> dict[str, Any]:
        try:
            return self._read(self._http.request(method, f"/api/v1{path}", **more))
        except self._errors as error:
            raise self._away(error) from error

    def _away(self, error: Exception) -> EnvironmentFault:
        return EnvironmentFault(
            f"The server at {self._server.address} (process {self._server.pid}) does not answer: {error}",
            code="server_away",
            hint="Start it again with `pluto-duck serve`.",
            retryable=True,
        )

    def _read(self, answer: Any) -> dict[str, Any]:
        if answer.is_error:
            is_problem = "json" in answer.headers.get("content-type", "")
            problem = answer.json() if is_problem else {"status": answer.status_code, "detail": answer.text[:500]}
            raise RemoteError.from_problem(problem)
        read: dict[str, Any] = answer.json()
        return read

    def _follow(self, path: str, after: int) -> Iterator[dict[str, Any]]:
        """Events in order, reconnecting where the connection breaks, until the terminal one."""
        position = after
        for _ in range(_RECONNECTS):
            with contextlib.suppress(self._errors):
                for event in self._connection("GET", path, headers={"Last-Event-ID": str(position)}):
                    position = event["seq"]
                    yield event
                    if event["type"] in ("run", "job") and event["subtype"] in ("end", "error"):
                        return
        raise self._away(ConnectionError("the event stream breaks off again and again"))

    def _streamed(self, method: str, path: str, **more: Any) -> Iterator[dict[str, Any]]:
        try:
            yield from self._connection(method, path, **more)
        except self._errors as error:
            raise self._away(error) from error

    def _connection(self, method: str, path: str, **more: Any) -> Iterator[dict[str, Any]]:
        import orjson

        with self._http.stream(method, f"/api/v1{path}", **more) as answer:
            if answer.is_error:
                answer.read()
                self._read(answer)
            for line in answer.iter_lines():
                if line.startswith("data: "):
                    yield orjson.loads(line[6:])
