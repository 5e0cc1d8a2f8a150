"""What the graph knows while it answers one question. Nodes read it and return the part they changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypedDict

from pluto_duck_backend.agent.conversation import Ask
from pluto_duck_backend.agent.events import Decision
from pluto_duck_backend.agent.providers.contract import (
    Attempt,
    CannotAnswer,
    Clarify,
    Draft,
    Provider,
    SchemaView,
)
from pluto_duck_backend.app.core.errors import Cancelled, PlutoDuckError
from pluto_duck_backend.app.core.principal import Principal
from pluto_duck_backend.app.services.execution.executor import QueryResult, QueryService


class AgentState(TypedDict, total=False):
    """One run's knowledge, from question to outcome."""

    ask: Ask
    #   the question as understood within its conversation
    next: Decision
    #   the node the controller chose
    plan: list[dict[str, Any]]
    #   the planner's steps: description, status, metadata
    view: SchemaView
    #   the tables, columns and values the question needs
    draft: Draft | None
    #   the SQL to verify; None where it must be written anew
    failed: list[Attempt]
    #   the attempts that failed verification, oldest first
    result: QueryResult | None
    #   the verified result: its job really ran
    outcome: Clarify | CannotAnswer | None
    #   why there is no SQL to run: the user is asked, or told that the data cannot answer
    done: bool
    #   the final message is written


@dataclass
class CancelToken:
    """Set from another thread to end a run: nodes check it, and it interrupts the query that runs."""

    reason: PlutoDuckError | None = None
    _on_cancel: list[Callable[[], object]] = field(default_factory=list)

    def cancel(self, reason: PlutoDuckError | None = None) -> None:
        """End the run with `reason`; the first one given stays."""
        self.reason = self.reason or reason or Cancelled("The run was cancelled.")
        for interrupt in list(self._on_cancel):
            interrupt()

    def check(self) -> None:
        """Raises the reason once cancelled."""
        if self.reason:
            raise self.reason

    def call(self, interrupt: Callable[[], object]) -> None:
        """Have `interrupt` called on cancellation (at once where that has happened)."""
        self._on_cancel.append(interrupt)
        if self.reason:
            interrupt()

    def forget(self, interrupt: Callable[[], object]) -> None:
        self._on_cancel.remove(interrupt)


@dataclass(frozen=True)
class Tools:
    """What nodes may use; the same for every provider."""

    provider: Provider
    queries: QueryService
    token: CancelToken
    run_id: str
    who: Principal
    max_rows: int
    max_attempts: int
    started: float
    #   time.perf_counter() at the run's start
