"""SQL, guarded and read-only: jobs, their previews and their full results."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from fastapi.responses import StreamingResponse

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.api.models import QueryRequest
from pluto_duck_backend.app.api.responses import as_json


def router(workspace: Workspace) -> APIRouter:
    routes = APIRouter(prefix="/query", tags=["query"])
    queries = workspace.queries

    @routes.post("", status_code=202)
    def start(body: QueryRequest, wait: Annotated[bool, Query(description="Answer when done.")] = False) -> Response:
        """Run SQL; with `wait` the answer is the job when it has ended (200), or the problem it ended with."""
        if wait:
            return as_json(queries.run(**body.model_dump()).to_dict())
        return as_json({"job_id": queries.submit(**body.model_dump()).job_id}, 202)

    @routes.get("/{job_id}")
    def one(job_id: str) -> Response:
        """A job with the preview of its result."""
        return as_json(queries.get(job_id).to_dict())

    @routes.get("/{job_id}/result")
    def result(job_id: str, format: Literal["json", "csv", "parquet", "arrow"] = "json") -> Response:
        """The full result, streamed."""
        media_type, chunks = queries.stream(job_id, format)
        return StreamingResponse(chunks, media_type=media_type)

    @routes.post("/{job_id}/cancel", status_code=202)
    def cancel(job_id: str) -> Response:
        """Interrupt a query."""
        queries.cancel(job_id)
        return as_json({"job_id": job_id}, 202)

    return routes
