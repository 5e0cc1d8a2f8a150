"""Ingestion and dbt: long jobs with events of their own."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from pluto_duck_backend.agent.permits import may_see_jobs
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.api import sse, uploads
from pluto_duck_backend.app.api.answers.job_answers import (
    DbtNodeDetails,
    Graph,
    Job,
    JobId,
    JobIds,
    Jobs,
    Recipes,
    Scaffold,
    Sources,
)
from pluto_duck_backend.app.api.models import DbtBody, IngestBody, ScaffoldBody
from pluto_duck_backend.app.api.openapi import documented
from pluto_duck_backend.app.api.responses import as_json
from pluto_duck_backend.app.api.routes.agent import After
from pluto_duck_backend.app.api.safety import Who
from pluto_duck_backend.app.services.ingestion import recipes
from pluto_duck_backend.app.services.transformation import dag
from pluto_duck_backend.app.services.transformation.invocation import COMMANDS

_STARTED = documented(status=202, model=JobId)
_BYTES = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
_FILE = {"requestBody": {"required": True, "content": _BYTES}}

Command = Annotated[str, Path(json_schema_extra={"enum": list(COMMANDS)})]


def jobs_router(workspace: Workspace) -> APIRouter:
    routes = APIRouter(prefix="/jobs", tags=["jobs"])

    @routes.get("", responses=documented(model=Jobs))
    def every(
        who: Who,
        limit: Annotated[int, Query(ge=1, le=1000)] = 50,
        before: Annotated[str | None, Query(max_length=100)] = None,
    ) -> Response:
        """Loads and dbt commands, newest first; `next` is the `before` of the next page."""
        may_see_jobs(who)
        page = workspace.jobs.every(limit, before)
        return as_json({"jobs": page, "next": page[-1]["job_id"] if len(page) == limit else None})

    return routes


def ingest_router(workspace: Workspace) -> APIRouter:
    """The calls below /ingest."""
    routes = APIRouter(prefix="/ingest", tags=["ingest"])
    _add_loads(routes, workspace)
    _add_recipes(routes, workspace)
    _add_job_routes(routes, workspace)
    return routes


def _add_loads(routes: APIRouter, workspace: Workspace) -> None:
    """Load a source or a file; what was loaded."""

    @routes.post("", status_code=202, responses=_STARTED)
    def start(body: IngestBody, who: Who) -> Response:
        """Load a source into a table."""
        return as_json({"job_id": workspace.ingest(body.model_dump(), who)}, 202)

    @routes.post("/upload", status_code=202, responses=_STARTED, openapi_extra=_FILE)
    async def upload(
        request: Request,
        who: Who,
        name: Annotated[str, Query(max_length=200, description="The file's name; its ending says what it is.")],
        target: Annotated[str | None, Query(max_length=200, description="The table; none: from the name.")] = None,
        mode: Literal["replace", "append"] = "replace",
    ) -> Response:
        """Load the file that is the body into a table."""
        may_see_jobs(who)
        path = await uploads.keep(request.stream(), workspace.paths.uploads, name)
        wanted = {"connector": "auto", "config": {"path": str(path)}, "target": target, "mode": mode}
        return as_json({"job_id": await run_in_threadpool(workspace.ingest, wanted, who)}, 202)

    @routes.get("", responses=documented(model=Sources))
    def sources(who: Who) -> Response:
        """What came from where, and when."""
        may_see_jobs(who)
        return as_json({"sources": workspace.ingestion.sources()})


def _add_recipes(routes: APIRouter, workspace: Workspace) -> None:
    """Loads that are written down."""

    @routes.get("/recipes", responses=documented(model=Recipes))
    def known_recipes(who: Who) -> Response:
        """The loads that are written down."""
        may_see_jobs(who)
        return as_json({"recipes": recipes.names(workspace.paths)})

    @routes.post("/recipes/{name}", status_code=202, responses=documented(404, status=202, model=JobIds))
    def start_recipe(name: str, who: Who) -> Response:
        """Do the loads of a recipe, each a job."""
        return as_json({"job_ids": workspace.ingest_recipe(name, who)}, 202)


def dbt_router(workspace: Workspace) -> APIRouter:
    """The calls below /dbt."""
    routes = APIRouter(prefix="/dbt", tags=["dbt"])
    _add_commands(routes, workspace)
    _add_graph(routes, workspace)
    _add_job_routes(routes, workspace)
    return routes


def _add_commands(routes: APIRouter, workspace: Workspace) -> None:
    """dbt's own commands, and ours that writes staging models."""

    @routes.post("/scaffold", status_code=201, responses=documented(404, 409, status=201, model=Scaffold))
    def scaffold(who: Who, body: ScaffoldBody | None = None) -> Response:
        """Write sources and staging models for loaded tables, with tests that hold on the data."""
        return as_json(workspace.scaffold((body or ScaffoldBody()).model_dump(), who), 201)

    @routes.post("/{command}", status_code=202, responses=_STARTED)
    def start(command: Command, who: Who, body: DbtBody | None = None) -> Response:
        """Run a dbt command; its SQL runs in the process that owns the warehouse."""
        return as_json({"job_id": workspace.run_dbt(command, (body or DbtBody()).model_dump(), who)}, 202)


def _add_graph(routes: APIRouter, workspace: Workspace) -> None:
    """What the project makes and reads."""

    @routes.get("/graph", responses=documented(model=Graph))
    def graph(who: Who) -> Response:
        """What the project makes and reads: nodes with their inputs, last build and tests."""
        may_see_jobs(who)
        return as_json({"nodes": dag.graph(workspace.paths)})

    @routes.get("/graph/{node}", responses=documented(404, model=DbtNodeDetails))
    def node(node: str, who: Who) -> Response:
        """One node with its columns, SQL and tests."""
        may_see_jobs(who)
        return as_json(dag.node(workspace.paths, node))


def _add_job_routes(routes: APIRouter, workspace: Workspace) -> None:
    """A job of either kind: as it stands, its events, its end."""

    @routes.get("/{job_id}", responses=documented(404, model=Job))
    def one(job_id: str, who: Who) -> Response:
        """A job with its result or its error."""
        may_see_jobs(who)
        return as_json(workspace.jobs.get(job_id))

    @routes.get("/{job_id}/events", response_class=Response, responses=sse.documented_stream())
    def events(job_id: str, request: Request, who: Who, after: After = None) -> Response:
        """The job's events as server-sent events; `Last-Event-ID` resumes."""
        may_see_jobs(who)
        return sse.follow(request, workspace.jobs.log(job_id), after)

    @routes.post("/{job_id}/cancel", status_code=202, responses=documented(404, status=202, model=JobId))
    def cancel(job_id: str, who: Who) -> Response:
        """Stop a job; what it had not committed is undone."""
        may_see_jobs(who)
        workspace.jobs.cancel(job_id)
        return as_json({"job_id": job_id}, 202)
