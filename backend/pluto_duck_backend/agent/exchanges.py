"""A question with what came back and the replies to it: several runs of one conversation that end with one outcome.

A2A and Agent Protocol call it a task. It is derived from the runs' logs, so that any process can go on with it; its id
is that of its first run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pluto_duck_backend.agent.runs import RunManager
from pluto_duck_backend.app.core.principal import OWNER, Principal

Run = dict[str, Any]
_ASKS_BACK = "needs_input"


@dataclass(frozen=True)
class Exchange:
    """`runs`, oldest first: all but the last asked back."""

    runs: tuple[Run, ...]

    @property
    def task_id(self) -> str:
        return str(self.runs[0]["run_id"])

    @property
    def conversation_id(self) -> str:
        return str(self.runs[0]["conversation_id"])

    @property
    def last(self) -> Run:
        return self.runs[-1]

    @property
    def status(self) -> str:
        """The last run's: running, succeeded, needs_input, cannot_answer, cancelled or failed."""
        return str(self.last["status"])


def exchange_of(runs: RunManager, run_id: str, who: Principal = OWNER) -> Exchange:
    """What the run belongs to. Raises NotFound, also for one that `who` may not see."""
    ids = runs.beside(run_id, who)
    found = [runs.get(each, who) for each in ids]
    begin = end = ids.index(run_id)
    while begin and found[begin - 1]["status"] == _ASKS_BACK:
        begin -= 1
    while end + 1 < len(found) and found[end]["status"] == _ASKS_BACK:
        end += 1
    return Exchange(tuple(found[begin : end + 1]))


def first_runs(summaries: list[Run]) -> list[str]:
    """Of runs as `RunManager.list` gives them, newest first, those that begin an exchange."""
    before: dict[str, str] = {}
    first = []
    for run in reversed(summaries):
        if before.get(run["conversation_id"]) != _ASKS_BACK:
            first.append(run["run_id"])
        before[run["conversation_id"]] = run["status"]
    return first[::-1]
