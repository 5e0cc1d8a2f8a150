"""Tasks of the Agent Protocol: what was set, in a text each; what became of it is the runs of its conversation.

A task begins nothing; each of its steps is a run. What must stay true: a text is written once and never changed, and is
kept where the runs are, so that whoever goes on with these has it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any

import orjson

from pluto_duck_backend.agent.runs import RunManager
from pluto_duck_backend.app.core.errors import Conflict, InvalidInput, NotFound
from pluto_duck_backend.app.core.ids import is_id, new_id
from pluto_duck_backend.app.core.principal import OWNER, Principal
from pluto_duck_backend.app.core.state import MemoryService
from pluto_duck_backend.app.services.execution.job import now

Run = dict[str, Any]
_SCOPE = "artifacts/tasks"
_ENDING = ".json"


@dataclass(frozen=True)
class Task:
    """`options` are what a run takes beside its question: agent, provider, model, max_rows, timeout_s."""

    task_id: str
    input: str
    who: str
    additional_input: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    created_at: str = ""

    @property
    def conversation_id(self) -> str:
        return f"task {self.task_id}"


class Tasks:
    """The tasks of one data root. Thread-safe."""

    def __init__(self, texts: MemoryService, runs: RunManager) -> None:
        self._texts = texts
        self._runs = runs
        self._stepping = threading.Lock()
        self._read = lru_cache(maxsize=1000)(self._stored)

    def create(self, text: str, additional: dict[str, Any], options: dict[str, Any], who: Principal = OWNER) -> Task:
        """Keep what is to be done. Raises EnvironmentFault where it cannot be written."""
        task = Task(new_id("task"), text, who.name, additional, options, now())
        self._texts.write(_SCOPE, f"{task.task_id}{_ENDING}", orjson.dumps(asdict(task)), instead_of="")
        return task

    def get(self, task_id: str, who: Principal = OWNER) -> Task:
        """Raises NotFound, also for one that `who` may not see."""
        task = self._read(task_id)
        if not who.may_see(task.who):
            raise _no_task(task_id)
        return task

    def every(self, who: Principal = OWNER) -> Iterator[Task]:
        """Those that `who` may see, newest first."""
        for entry in reversed(self._texts.entries(_SCOPE)):
            task = self._read(entry.name.removesuffix(_ENDING))
            if who.may_see(task.who):
                yield task

    def steps(self, task: Task) -> list[Run]:
        """Its runs, oldest first."""
        return [self._runs.get(each) for each in self._runs.of_conversation(task.conversation_id, task.who)]

    def step(self, task: Task, text: str, who: Principal = OWNER) -> Run:
        """Take the next step and wait for its end: the task's question, a reply to what came back, a next question.

        Raises NotFound for another's task, Conflict where a step runs or nothing is left to do, InvalidInput.
        """
        if task.who != who.name:
            raise _no_task(task.task_id)
        with self._stepping:
            question = _next(task, self.steps(task), text.strip())
            begun = self._runs.start(question, conversation_id=task.conversation_id, **task.options, who=who)
        for _ in self._runs.log(begun.run_id).follow(0):
            continue
        return self._runs.get(begun.run_id)

    def _stored(self, task_id: str) -> Task:
        if not is_id(task_id):
            raise _no_task(task_id)
        try:
            data, _ = self._texts.read(_SCOPE, f"{task_id}{_ENDING}")
        except NotFound as error:
            raise _no_task(task_id) from error
        return Task(**orjson.loads(data))


def _next(task: Task, taken: list[Run], text: str) -> str:
    """What the next step asks, with words of its own or without."""
    status = taken[-1]["status"] if taken else ""
    if status == "running":
        raise Conflict(
            f"A step of {task.task_id!r} is running.", code="step_running", hint=f"GET its steps/{taken[-1]['run_id']}."
        )
    question = text or ("" if taken else task.input)
    if question:
        return question
    if status in ("", "needs_input"):
        asked = taken[-1]["final"]["clarification"]["question"] if taken else "What is the question?"
        raise InvalidInput(f"The step needs an input. {asked}", code="input_needed", hint="Give it as `input`.")
    raise Conflict(
        f"Nothing is left to do of {task.task_id!r}: its last step is {status.replace('_', ' ')}.",
        code="task_over",
        hint="A step with an `input` goes on with the conversation.",
    )


def _no_task(task_id: str) -> NotFound:
    hint = "GET /ap/v1/agent/tasks lists those there are."
    return NotFound(f"There is no task {task_id!r}.", code="task_not_found", hint=hint)
