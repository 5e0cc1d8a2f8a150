"""What Prometheus reads of a running server."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Response

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.api.openapi import bytes_of, documented
from pluto_duck_backend.app.api.roles import permitted_at_root
from pluto_duck_backend.app.core import counts


def router(workspace: Workspace) -> APIRouter:
    routes = APIRouter(tags=["observability"], dependencies=[Depends(permitted_at_root)])

    @routes.get(
        "/metrics", response_class=Response, responses={**documented(), 200: bytes_of("text/plain")}, name="prometheus"
    )
    def told() -> Response:
        """What was counted since the process started, in Prometheus's text format."""
        waiting, running = workspace.queries.load()
        return Response(counts.exposition(waiting, running), media_type=counts.MEDIA_TYPE)

    return routes
