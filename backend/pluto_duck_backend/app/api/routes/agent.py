"""Questions: start a run, look at it, follow it, cancel it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse

from pluto_duck_backend.agent.reporting import EXPORT_TYPES, ExportForm
from pluto_duck_backend.agent.runs import RunManager
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.api import sse
from pluto_duck_backend.app.api.answers.run_answers import Asset, Confirmed, Run, RunId, Runs, RunStarted, UsageSummary
from pluto_duck_backend.app.api.models import AskRequest, ConfirmRequest, SaveBody
from pluto_duck_backend.app.api.openapi import bytes_of, documented
from pluto_duck_backend.app.api.responses import as_json
from pluto_duck_backend.app.api.safety import Who

After = Annotated[int | None, Query(ge=0, le=2**53, description="Begin after this event.")]

_EXPORT = documented(404) | {200: bytes_of(*EXPORT_TYPES.values())}


def router(workspace: Workspace) -> APIRouter:
    """The calls below /agent."""
    routes = APIRouter(prefix="/agent", tags=["agent"])
    _begun_and_cancelled(routes, workspace.runs)
    _listed(routes, workspace)
    _one(routes, workspace.runs)
    _made_of_it(routes, workspace)
    return routes


def _begun_and_cancelled(routes: APIRouter, runs: RunManager) -> None:
    """Start and stop a run."""

    @routes.post("/run", status_code=202, responses=documented(404, status=202, model=RunStarted))
    def start(body: AskRequest, who: Who) -> Response:
        """Ask a question; the answer arrives at `events_url`."""
        return as_json(runs.start(**body.model_dump(), who=who).to_dict(), 202)

    @routes.post("/{run_id}/cancel", status_code=202, responses=documented(404, status=202, model=RunId))
    def cancel(run_id: str, who: Who) -> Response:
        """Stop a run; its running query is interrupted."""
        runs.cancel(run_id, who=who)
        return as_json({"run_id": run_id}, 202)


def _listed(routes: APIRouter, workspace: Workspace) -> None:
    """All runs, and what they have used."""

    @routes.get("", responses=documented(model=Runs))
    def every(
        who: Who,
        limit: Annotated[int, Query(ge=1, le=1000)] = 50,
        before: Annotated[str | None, Query(max_length=100)] = None,
    ) -> Response:
        """The runs, newest first; `next` is the `before` of the next page."""
        page = workspace.runs.list(limit, before, who)
        return as_json({"runs": page, "next": page[-1]["run_id"] if len(page) == limit else None})

    @routes.get("/usage", responses=documented(model=UsageSummary))
    def usage(who: Who) -> Response:
        """What models have used, by day, provider and model, the latest day first."""
        return as_json({"usage": workspace.usage(who)})


def _one(routes: APIRouter, runs: RunManager) -> None:
    """A run as it stands, and as it goes on."""

    @routes.get("/{run_id}", responses=documented(404, model=Run))
    def one(run_id: str, who: Who) -> Response:
        """A run with its final object or its error."""
        return as_json(runs.get(run_id, who))

    @routes.get("/{run_id}/events", response_class=Response, responses=sse.documented_stream())
    def events(run_id: str, request: Request, who: Who, after: After = None) -> Response:
        """The run's events as server-sent events; `Last-Event-ID` resumes."""
        return sse.follow(request, runs.log(run_id, who), after)


def _made_of_it(routes: APIRouter, workspace: Workspace) -> None:
    """What an answer becomes: a file, a part of a dbt project, an example."""

    @routes.get("/{run_id}/export", response_class=Response, responses=_EXPORT)
    def export(run_id: str, who: Who, format: ExportForm = "html") -> Response:
        """A succeeded run as a file: a report (html, md, xlsx) or its result alone (csv, parquet)."""
        headers = {"Content-Disposition": f'attachment; filename="{run_id}.{format}"'}
        chunks = workspace.export(run_id, format, who)
        return StreamingResponse(chunks, media_type=EXPORT_TYPES[format], headers=headers)

    @routes.post("/{run_id}/save", status_code=201, responses=documented(404, 409, status=201, model=Asset))
    def save(run_id: str, body: SaveBody, who: Who) -> Response:
        """Write a run's answer into a dbt project, as a model, a test, a metric or an analysis."""
        return as_json(workspace.save_run(run_id, body.model_dump(), who), 201)

    @routes.post("/{run_id}/confirm", responses=documented(404, 409, model=Confirmed))
    def confirm(run_id: str, body: ConfirmRequest, who: Who) -> Response:
        """Say that a run's answer is right, or what is: its question and the SQL are kept as an example."""
        return as_json(workspace.confirm(run_id, body.sql, replace=body.replace, who=who))
