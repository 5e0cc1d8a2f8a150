"""Whether the server is up."""

from __future__ import annotations

from fastapi import APIRouter, Response

from pluto_duck_backend import __version__
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.api.answers.setting_answers import Health
from pluto_duck_backend.app.api.openapi import documented
from pluto_duck_backend.app.api.responses import as_json


def router(workspace: Workspace) -> APIRouter:
    routes = APIRouter()

    @routes.get("/health", tags=["health"], responses=documented(model=Health))
    def health() -> Response:
        """`ok` while the warehouse answers."""
        with workspace.warehouse.read() as session:
            session.row("SELECT 1")
        return as_json({"status": "ok", "version": __version__, "warehouse": str(workspace.paths.warehouse)})

    return routes
