"""The metrics that dbt projects define: what there is, and queries by their definitions."""

from __future__ import annotations

from fastapi import APIRouter, Response

from pluto_duck_backend.agent.permits import may_see_jobs
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.api.answers.job_answers import JobId
from pluto_duck_backend.app.api.answers.table_answers import Metrics
from pluto_duck_backend.app.api.models import MetricBody
from pluto_duck_backend.app.api.openapi import documented
from pluto_duck_backend.app.api.responses import as_json
from pluto_duck_backend.app.api.safety import Who


def router(workspace: Workspace) -> APIRouter:
    routes = APIRouter(prefix="/metrics", tags=["metrics"])

    @routes.get("", responses=documented(model=Metrics))
    def every(who: Who) -> Response:
        """Each metric, its type and what it can be cut by."""
        may_see_jobs(who)
        return as_json({"metrics": workspace.metrics.every()})

    @routes.post("/query", status_code=202, responses=documented(404, status=202, model=JobId))
    def query(body: MetricBody, who: Who) -> Response:
        """Run the SQL of the definitions; follow the job below /query."""
        return as_json({"job_id": workspace.query_metrics(body.model_dump(), who)}, 202)

    return routes
