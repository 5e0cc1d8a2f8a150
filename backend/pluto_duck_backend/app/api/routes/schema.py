"""What is in the warehouse."""

from __future__ import annotations

from fastapi import APIRouter, Response

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.api.answers import Table, Tables
from pluto_duck_backend.app.api.openapi import documented
from pluto_duck_backend.app.api.responses import as_json
from pluto_duck_backend.app.api.safety import Who


def router(workspace: Workspace) -> APIRouter:
    routes = APIRouter(prefix="/schema", tags=["schema"])

    @routes.get("", responses=documented(model=Tables))
    def every(who: Who) -> Response:
        """Tables with columns, types, keys, comments and row counts."""
        return as_json(workspace.catalog_of(who).describe())

    @routes.get("/{table}", responses=documented(404, model=Table))
    def one(table: str, who: Who) -> Response:
        """One table (`name` or `schema.name`) with statistics."""
        return as_json(workspace.catalog_of(who).describe_table(table))

    return routes
