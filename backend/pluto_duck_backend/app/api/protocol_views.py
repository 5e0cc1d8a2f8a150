"""How tasks, steps and artifacts look in the Agent Protocol; and its pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from pluto_duck_backend.agent.actions.asking import of_run
from pluto_duck_backend.agent.reporting import ExportForm
from pluto_duck_backend.agent.tasks import Run, Task

FORMS: tuple[ExportForm, ...] = ("md", "csv")
"""What each answer comes as: a report, and its result alone."""
_RUNS_ON = ("running", "needs_input")
Json = dict[str, Any]
Each = TypeVar("Each")


def task_view(task: Task, runs: Sequence[Run]) -> Json:
    artifacts = [each for run in runs for each in artifacts_of(run)]
    said = {"task_id": task.task_id, "input": task.input, "additional_input": task.additional_input}
    return {**said, "artifacts": artifacts}


def step_view(task: Task, run: Run) -> Json:
    """A run as a step; `additional_output` has its final object, or its error."""
    is_running = run["status"] == "running"
    result = None if is_running else of_run(run)
    return {
        "task_id": task.task_id,
        "step_id": run["run_id"],
        "name": run["status"].replace("_", " "),
        "input": run["question"],
        "additional_input": {},
        "status": "running" if is_running else "completed",
        "output": result.content if result else None,
        "additional_output": {**result.details, "error": result.error} if result else {},
        "artifacts": artifacts_of(run),
        "is_last": run["status"] not in _RUNS_ON,
    }


def artifacts_of(run: Run) -> list[Json]:
    if run["status"] != "succeeded":
        return []
    return [
        {
            "artifact_id": f"{run['run_id']}.{form}",
            "agent_created": True,
            "file_name": f"{run['run_id']}.{form}",
            "relative_path": None,
            "created_at": run["ended_at"],
        }
        for form in FORMS
    ]


def paged(name: str, items: Sequence[Each], page: int, size: int, view: Callable[[Each], Any]) -> Json:
    """A page of `items`, its number counted from 1; only what is on it is looked at."""
    shown = [view(each) for each in items[(page - 1) * size : page * size]]
    pages = -(-len(items) // size)
    counted = {"total_items": len(items), "total_pages": pages, "current_page": page, "page_size": size}
    return {name: shown, "pagination": counted}
