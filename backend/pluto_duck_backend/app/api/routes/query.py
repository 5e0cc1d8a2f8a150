"""SQL, guarded and read-only: jobs, their previews and their full results."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.api.answers import JobId, QueryJob
from pluto_duck_backend.app.api.models import QueryRequest
from pluto_duck_backend.app.api.openapi import bytes_of, documented
from pluto_duck_backend.app.api.responses import as_json
from pluto_duck_backend.app.api.waiting import Waiter
from pluto_duck_backend.app.core.ids import new_id
from pluto_duck_backend.app.services.execution.results import MEDIA_TYPES

_STARTED = documented(404, 408, 409, status=202, model=JobId) | documented(404, 408, 409, model=QueryJob)
_RESULT = documented(404) | {200: bytes_of(*MEDIA_TYPES.values())}


def router(workspace: Workspace) -> APIRouter:
    routes = APIRouter(prefix="/query", tags=["query"])
    queries = workspace.queries
    waiter = Waiter()

    @routes.post("", status_code=202, responses=_STARTED)
    async def start(
        request: Request, body: QueryRequest, wait: Annotated[bool, Query(description="Answer when done.")] = False
    ) -> Response:
        """Run SQL. With `wait` the answer is the ended job (200) or its problem, and going away cancels the query."""
        if not wait:
            return as_json({"job_id": queries.submit(**body.model_dump()).job_id}, 202)
        job_id = new_id("query")
        done = await waiter.long(
            request,
            lambda: queries.run(**body.model_dump(), job_id=job_id),
            abandoned=lambda: queries.cancel(job_id),
        )
        return as_json(done.to_dict())

    @routes.get("/{job_id}", responses=documented(404, model=QueryJob))
    def one(job_id: str) -> Response:
        """A job with the preview of its result."""
        return as_json(queries.get(job_id).to_dict())

    @routes.get("/{job_id}/result", response_class=Response, responses=_RESULT)
    def result(job_id: str, format: Literal["json", "csv", "parquet", "arrow"] = "json") -> Response:
        """The full result, streamed."""
        media_type, chunks = queries.stream(job_id, format)
        return StreamingResponse(chunks, media_type=media_type)

    @routes.post("/{job_id}/cancel", status_code=202, responses=documented(404, status=202, model=JobId))
    def cancel(job_id: str) -> Response:
        """Interrupt a query."""
        queries.cancel(job_id)
        return as_json({"job_id": job_id}, 202)

    return routes
