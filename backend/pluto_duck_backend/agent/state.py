"""What the graph knows while it answers one question. Nodes read it and return the part they changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypedDict

from pluto_duck_backend.agent.cancel import CancelToken
from pluto_duck_backend.agent.conversation import Ask
from pluto_duck_backend.agent.events import Emit, Status
from pluto_duck_backend.agent.models.meter import Meter
from pluto_duck_backend.agent.providers.contract import (
    Attempt,
    CannotAnswer,
    Clarify,
    Doubted,
    Draft,
    Lookups,
    Provider,
    RunContext,
    SchemaView,
)
from pluto_duck_backend.agent.steps.sandbox import Limits
from pluto_duck_backend.app.core.principal import Principal
from pluto_duck_backend.app.services.execution.executor import QueryResult, QueryService
from pluto_duck_backend.app.services.transformation.provenance import ProvenanceOf


class AgentState(TypedDict, total=False):
    """One run's knowledge, from question to outcome."""

    ask: Ask
    #   the question as understood within its conversation
    plan: list[dict[str, Any]]
    #   the planner's steps: description, status, metadata
    view: SchemaView
    #   the tables, columns and values the question needs
    draft: Draft | None
    #   the SQL to verify; None where it must be written anew
    failed: list[Attempt]
    #   the attempts that failed verification, oldest first
    doubted: Doubted
    #   the first result that looked suspicious; the model was asked once more
    result: QueryResult | None
    #   the verified result: its job really ran
    outcome: Clarify | CannotAnswer | None
    #   why there is no SQL to run: the user is asked, or told that the data cannot answer
    status: Status
    #   how it ended; the final message is written


@dataclass(frozen=True)
class Tools:
    """What nodes may use; the same for every provider."""

    emit: Emit
    #   tells an event as it happens
    hold: Emit
    #   tells one with those that follow at once, since each write and each reader woken costs; who is about to take
    #   time, as a model does, emits what is held
    provider: Provider
    queries: QueryService
    token: CancelToken
    run_id: str
    who: Principal
    max_rows: int
    max_attempts: int
    provenance: ProvenanceOf
    #   what dbt knows of the tables that a query read
    started: float
    #   time.perf_counter() at the run's start
    meter: Meter = field(default_factory=Meter)
    #   what calls to models have used
    caveats: list[str] = field(default_factory=list)
    #   what the provider wants the user to know
    max_steps: int = 8
    sandbox: Limits = field(default_factory=Limits)
    #   what a step's Python may use
    lookups: Lookups | None = None
    #   the tools from outside that the run's agent has

    def run(self, failed: int = 0) -> RunContext:
        """What the provider is told of the run, in which `failed` attempts have failed."""
        last = failed + 1 >= self.max_attempts
        given = (self.run_id, self.who, self.token, self.emit, self.hold, self.meter, self.caveats)
        return RunContext(*given, last, self.lookups)
