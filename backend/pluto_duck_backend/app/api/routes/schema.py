"""What is in the warehouse."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.api.answers.table_answers import Table, Tables, Values
from pluto_duck_backend.app.api.openapi import documented
from pluto_duck_backend.app.api.responses import as_json
from pluto_duck_backend.app.api.safety import Who


def router(workspace: Workspace) -> APIRouter:
    routes = APIRouter(tags=["schema"])

    @routes.get("/schema", responses=documented(model=Tables))
    def every(who: Who) -> Response:
        """Tables with columns, types, keys, comments and row counts."""
        return as_json(workspace.catalog_of(who).describe())

    @routes.get("/schema/{table:path}", responses=documented(404, model=Table))
    def one(table: str, who: Who) -> Response:
        """One table (`name` or `schema.name`) with statistics."""
        return as_json(workspace.catalog_of(who).describe_table(table))

    @routes.get("/values", responses=documented(model=Values))
    def values(
        who: Who,
        like: Annotated[str, Query(max_length=200, description="What the value is called; misspelt, too.")],
        limit: Annotated[int, Query(ge=1, le=100)] = 20,
    ) -> Response:
        """Stored texts like a text, with the columns that hold them."""
        return as_json({"values": workspace.catalog_of(who).values_like(like, limit)})

    return routes
