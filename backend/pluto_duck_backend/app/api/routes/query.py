"""SQL, guarded and read-only: jobs, their previews and their full results."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from pluto_duck_backend.agent.charting import Kind
from pluto_duck_backend.agent.charting.images import IMAGE_TYPES, image_of
from pluto_duck_backend.agent.charting.themes import Theme, themed
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.api.answers.job_answers import JobId
from pluto_duck_backend.app.api.answers.query_answers import QueryJob, ResultWindow
from pluto_duck_backend.app.api.models import QueryRequest
from pluto_duck_backend.app.api.openapi import bytes_of, documented
from pluto_duck_backend.app.api.responses import as_json
from pluto_duck_backend.app.api.safety import Who
from pluto_duck_backend.app.api.waiting import Waiter
from pluto_duck_backend.app.core.ids import new_id
from pluto_duck_backend.app.services.execution.executor import QueryService
from pluto_duck_backend.app.services.execution.results import MEDIA_TYPES
from pluto_duck_backend.app.services.execution.windows import Window

_STARTED = documented(404, 408, 409, status=202, model=JobId) | documented(404, 408, 409, model=QueryJob)
_RESULT = documented(404) | {200: bytes_of(*MEDIA_TYPES.values())}
_CHART = documented(404) | {200: bytes_of("application/json", *IMAGE_TYPES.values())}

Wait = Annotated[bool, Query(description="Answer when done.")]


def router(workspace: Workspace) -> APIRouter:
    """The calls below /query."""
    routes = APIRouter(prefix="/query", tags=["query"])
    waiter = Waiter()
    _begun_and_cancelled(routes, workspace.queries, waiter)
    _one(routes, workspace.queries, waiter)
    _results(routes, workspace.queries)
    _charts(routes, workspace)
    return routes


def _begun_and_cancelled(routes: APIRouter, queries: QueryService, waiter: Waiter) -> None:
    """Start and stop a query."""

    @routes.post("", status_code=202, responses=_STARTED)
    async def start(request: Request, body: QueryRequest, who: Who, wait: Wait = False) -> Response:
        """Run SQL. With `wait` the answer is the ended job (200) or its problem, and going away cancels the query."""
        if not wait:
            return as_json({"job_id": queries.submit(**body.model_dump(), who=who).job_id}, 202)
        job_id = new_id("query")
        done = await waiter.long(
            request,
            lambda: queries.run(**body.model_dump(), who=who, job_id=job_id, until_kept=False),
            abandoned=lambda: queries.cancel(job_id),
        )
        return as_json(done.to_dict())

    @routes.post("/{job_id}/cancel", status_code=202, responses=documented(404, status=202, model=JobId))
    def cancel(job_id: str, who: Who) -> Response:
        """Interrupt a query."""
        queries.cancel(job_id, who)
        return as_json({"job_id": job_id}, 202)


def _one(routes: APIRouter, queries: QueryService, waiter: Waiter) -> None:
    """A query as it stands, or as it ended."""

    @routes.get("/{job_id}", responses=documented(404, model=QueryJob))
    async def one(request: Request, job_id: str, who: Who, wait: Wait = False) -> Response:
        """A job with the preview of its result; with `wait` once it has ended, also across a restart."""
        if wait:
            done = await waiter.long(request, lambda: queries.wait(job_id, who=who), abandoned=lambda: None)
            return as_json(done.to_dict())
        return as_json((await run_in_threadpool(queries.get, job_id, who)).to_dict())


def _results(routes: APIRouter, queries: QueryService) -> None:
    """What a query gave: whole, or some rows."""

    @routes.get("/{job_id}/result", response_class=Response, responses=_RESULT)
    def result(job_id: str, who: Who, format: Literal["json", "csv", "parquet", "arrow"] = "json") -> Response:
        """The full result, streamed."""
        media_type, chunks = queries.stream(job_id, format, who)
        return StreamingResponse(chunks, media_type=media_type)

    @routes.get("/{job_id}/rows", responses=documented(404, model=ResultWindow))
    def rows(
        job_id: str,
        who: Who,
        offset: Annotated[int, Query(ge=0, le=2**40)] = 0,
        limit: Annotated[int, Query(ge=0, le=10_000)] = 200,
        sort: Annotated[str, Query(max_length=1000, description="A column of the result.")] = "",
        descending: bool = False,
        filter: Annotated[str, Query(max_length=1000, description="Text that a cell must hold.")] = "",
    ) -> Response:
        """Some rows of a result, sorted and filtered where they lie."""
        return as_json(queries.window(job_id, Window(offset, limit, sort, descending, filter), who))


def _charts(routes: APIRouter, workspace: Workspace) -> None:
    """What a query gave, drawn."""

    @routes.get("/{job_id}/chart", response_class=Response, responses=_CHART)
    def chart(
        job_id: str,
        who: Who,
        kind: Annotated[Kind | None, Query(description="The kind wanted; none: the best.")] = None,
        format: Literal["json", "png", "svg"] = "json",
        theme: Theme = "light",
    ) -> Response:
        """The chart of a result: its Vega-Lite specification with a theme's colours, or an image of it."""
        spec = workspace.chart(job_id, kind, who)
        if format == "json":
            return as_json(themed(spec, theme))
        return Response(image_of(spec, format, theme), media_type=IMAGE_TYPES[format])
