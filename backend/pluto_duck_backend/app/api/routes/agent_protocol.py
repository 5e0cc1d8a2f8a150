"""The Agent Protocol, version 1: tasks, their steps, their artifacts."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response
from fastapi.responses import StreamingResponse

from pluto_duck_backend.agent.reporting import EXPORT_TYPES
from pluto_duck_backend.agent.tasks import Run, Task
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.api.answers.protocol_answers import (
    ProtocolArtifacts,
    ProtocolStep,
    ProtocolSteps,
    ProtocolTask,
    ProtocolTasks,
)
from pluto_duck_backend.app.api.models import StepBody, TaskBody
from pluto_duck_backend.app.api.openapi import bytes_of, documented
from pluto_duck_backend.app.api.protocol_views import FORMS, artifacts_of, paged, step_view, task_view
from pluto_duck_backend.app.api.responses import as_json
from pluto_duck_backend.app.api.roles import permitted
from pluto_duck_backend.app.api.safety import Who
from pluto_duck_backend.app.api.waiting import Waiter
from pluto_duck_backend.app.core.errors import NotFound

Page = Annotated[int, Query(ge=1, le=1_000_000, description="Counted from 1.")]
Size = Annotated[int, Query(ge=1, le=1000, description="Items of a page.")]
_FILE = documented(404) | {200: bytes_of(*(EXPORT_TYPES[each] for each in FORMS))}


def router(workspace: Workspace) -> APIRouter:
    routes = APIRouter(prefix="/ap/v1/agent/tasks", tags=["agent protocol"], dependencies=[Depends(permitted)])
    _add_tasks(routes, workspace)
    _add_steps(routes, workspace)
    _add_artifacts(routes, workspace)
    return routes


def _add_tasks(routes: APIRouter, workspace: Workspace) -> None:
    tasks = workspace.tasks

    @routes.post("", responses=documented(404, model=ProtocolTask))
    def create(who: Who, body: TaskBody | None = None) -> Response:
        """Set a task; its first step begins it. `additional_input` takes what a question does: agent, max_rows, …"""
        given = body or TaskBody()
        options = given.options()
        workspace.agents.assign(options.get("agent"), who)
        made = tasks.create((given.input or "").strip(), given.additional_input or {}, options, who)
        return as_json(task_view(made, []))

    @routes.get("", responses=documented(model=ProtocolTasks))
    def every(who: Who, current_page: Page = 1, page_size: Size = 10) -> Response:
        """The tasks, newest first."""
        found = [*tasks.every(who)]
        return as_json(paged("tasks", found, current_page, page_size, lambda each: task_view(each, tasks.steps(each))))

    @routes.get("/{task_id}", responses=documented(404, model=ProtocolTask))
    def one(task_id: str, who: Who) -> Response:
        """A task with all its artifacts."""
        task = tasks.get(task_id, who)
        return as_json(task_view(task, tasks.steps(task)))


def _add_steps(routes: APIRouter, workspace: Workspace) -> None:
    tasks, waiter = workspace.tasks, Waiter()

    @routes.get("/{task_id}/steps", responses=documented(404, model=ProtocolSteps))
    def every(task_id: str, who: Who, current_page: Page = 1, page_size: Size = 10) -> Response:
        """The steps taken so far, the first one first."""
        task = tasks.get(task_id, who)
        return as_json(paged("steps", tasks.steps(task), current_page, page_size, partial(step_view, task)))

    @routes.post("/{task_id}/steps", responses=documented(404, 409, model=ProtocolStep))
    async def take(task_id: str, who: Who, body: StepBody | None = None) -> Response:
        """Take the next step, and answer when it is done; it goes on where the client goes away."""
        text = (body.input if body else None) or ""

        def taken() -> tuple[Task, Run]:
            task = tasks.get(task_id, who)
            return task, tasks.step(task, text, who)

        return as_json(step_view(*await waiter.run(taken)))

    @routes.get("/{task_id}/steps/{step_id}", responses=documented(404, model=ProtocolStep))
    def one(task_id: str, step_id: str, who: Who) -> Response:
        """A step: a question, and what came of it."""
        task = tasks.get(task_id, who)
        return as_json(step_view(task, _found(step_id, tasks.steps(task))))


def _add_artifacts(routes: APIRouter, workspace: Workspace) -> None:
    tasks = workspace.tasks

    @routes.get("/{task_id}/artifacts", responses=documented(404, model=ProtocolArtifacts))
    def every(task_id: str, who: Who, current_page: Page = 1, page_size: Size = 10) -> Response:
        """What the steps have made."""
        found = [each for run in tasks.steps(tasks.get(task_id, who)) for each in artifacts_of(run)]
        return as_json(paged("artifacts", found, current_page, page_size, lambda each: each))

    @routes.get("/{task_id}/artifacts/{artifact_id}", response_class=Response, responses=_FILE)
    def one(task_id: str, artifact_id: str, who: Who) -> Response:
        """An artifact as a file: the report of an answer (md), its result (csv)."""
        run_id, _, ending = artifact_id.rpartition(".")
        run = _found(run_id, tasks.steps(tasks.get(task_id, who)))
        form = next((each for each in FORMS if each == ending), None)
        if form is None:
            raise NotFound(f"There is no artifact {artifact_id!r}.", code="artifact_not_found")
        headers = {"Content-Disposition": f'attachment; filename="{run["run_id"]}.{form}"'}
        chunks = workspace.export(run["run_id"], form, who)
        return StreamingResponse(chunks, media_type=EXPORT_TYPES[form], headers=headers)


def _found(step_id: str, steps: list[Run]) -> Run:
    found = next((each for each in steps if each["run_id"] == step_id), None)
    if found is None:
        raise NotFound(f"There is no step {step_id!r} of this task.", code="step_not_found")
    return found
