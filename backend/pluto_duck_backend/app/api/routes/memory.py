"""What people confirmed."""

from __future__ import annotations

from fastapi import APIRouter, Response

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.api.answers.run_answers import Confirmed, Memory
from pluto_duck_backend.app.api.openapi import documented
from pluto_duck_backend.app.api.responses import as_json
from pluto_duck_backend.app.api.safety import Who


def router(workspace: Workspace) -> APIRouter:
    routes = APIRouter(prefix="/memory", tags=["memory"])

    @routes.get("", responses=documented(model=Memory))
    def every(who: Who) -> Response:
        """The confirmed questions with their SQL; those that the schema has left behind say why."""
        return as_json({"confirmed": [each.to_dict() for each in workspace.memory.every(who)]})

    @routes.delete("/{name}", responses=documented(404, model=Confirmed))
    def forget(name: str, who: Who) -> Response:
        """Forget a confirmed question by the name of its file; the answer is what it held."""
        return as_json(workspace.memory.forget(name, who).to_dict())

    return routes
