"""The work of a run: who answers it, the graph with its tools, and the event that fits how it ended.

`RunManager` hands it a run that has begun, in a worker thread. What must stay true: whatever happens, one terminal
event comes back, with what models have used.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from pluto_duck_backend.agent.agents.service import Agents, Assigned
from pluto_duck_backend.agent.cancel import CancelToken
from pluto_duck_backend.agent.conversation import Ask, Turn, understand
from pluto_duck_backend.agent.event_log import EventLog
from pluto_duck_backend.agent.events import Event, RunChunk, RunEnd, RunError, RunStart, Status
from pluto_duck_backend.agent.models.meter import Meter
from pluto_duck_backend.agent.providers.contract import Lookups, Provider
from pluto_duck_backend.agent.state import Tools
from pluto_duck_backend.agent.steps.sandbox import Limits
from pluto_duck_backend.app.core import spans
from pluto_duck_backend.app.core.errors import Cancelled, InternalFault, PlutoDuckError, Refused
from pluto_duck_backend.app.core.principal import Principal
from pluto_duck_backend.app.services.execution.executor import QueryService
from pluto_duck_backend.app.services.transformation.provenance import ProvenanceOf

_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Work:
    """A run that has begun; `wanted` are the provider and the model that the asker named, or None."""

    log: EventLog
    begun: RunStart
    assigned: Assigned
    provider: Provider
    turns: list[Turn]
    wanted: tuple[str | None, str | None]
    token: CancelToken = field(default_factory=CancelToken)
    started: float = field(default_factory=time.perf_counter)

    @property
    def run_id(self) -> str:
        return self.log.owner_id

    @property
    def timeout_s(self) -> float:
        return self.begun.timeout_s or self.assigned.settings.agent.timeout_s


@dataclass
class Answering:
    """What runs are answered with, by whom they work for. Thread-safe."""

    queries: QueryService
    agents: Agents
    provider_for: Callable[[str | None, str | None, Assigned], Provider]
    meter_for: Callable[[str, Assigned], Meter]
    provenance_for: Callable[[Principal], ProvenanceOf]
    lookups_for: Callable[[Principal, str, dict[str, Any] | None], Lookups | None]

    def end_of(self, work: Work) -> RunEnd | RunError:
        """Answer a run, in a span of its own; returns its terminal event."""
        told = {"gen_ai.operation.name": "invoke_agent", "pluto_duck.run.id": work.run_id}
        with spans.span("run", {**told, "pluto_duck.provider": work.begun.provider}) as span:
            span.quote("pluto_duck.question", work.begun.question)
            ended = self._ended(work)
            span.tell({"pluto_duck.run.status": status_of(ended)})
            if isinstance(ended, RunError):
                span.fail(ended.code)
        return ended

    def _ended(self, work: Work) -> RunEnd | RunError:
        meter = self.meter_for(work.run_id, work.assigned)
        try:
            ask = understand(work.begun.question, work.turns)
            work = self._with_agent(work, ask)
            meter = self.meter_for(work.run_id, work.assigned)
            ended = self._thought(work, ask, meter)
        except Cancelled:
            ended = RunEnd("cancelled")
        except PlutoDuckError as error:
            ended = RunError(**error.to_dict(), refused=isinstance(error, Refused))
        except Exception as error:
            _logger.exception("run failed")
            ended = _fault(f"{type(error).__name__}: {error}", hint="Please report this.")
        return replace(ended, usage=meter.used.to_dict()) if meter.used.calls else ended

    def _thought(self, work: Work, ask: Ask, meter: Meter) -> RunEnd | RunError:
        status = _think(ask, self._tools(work, ask, meter))
        return RunEnd(status) if status else _fault("The graph ended without a final message.")

    def _with_agent(self, work: Work, ask: Ask) -> Work:
        """The work as the agent's whose scope fits best, where none was named and there are some."""
        who = work.assigned.who
        if who.agent:
            return work
        choice = self.agents.choose(ask, who)
        if choice is None:
            return work
        work.log.append(RunChunk(choice.why, agent=choice.agent, bids=[asdict(bid) for bid in choice.bids]))
        assigned = self.agents.assign(choice.agent or None, who)
        return replace(work, assigned=assigned, provider=self.provider_for(*work.wanted, assigned))

    def _tools(self, work: Work, ask: Ask, meter: Meter) -> Tools:
        own, who = work.assigned.settings.agent, work.assigned.who
        return Tools(
            emit=work.log.append,
            hold=work.log.hold,
            provider=work.provider,
            queries=self.queries,
            token=work.token,
            run_id=work.run_id,
            who=who,
            meter=meter,
            max_rows=own.max_rows if work.begun.max_rows is None else work.begun.max_rows,
            max_attempts=own.max_attempts + work.provider.further_attempts,
            provenance=self.provenance_for(who),
            started=work.started,
            max_steps=own.max_steps,
            sandbox=Limits(own.python_s, own.python_mb),
            lookups=self.lookups_for(who, work.run_id, ask.approval),
        )


def _think(ask: Ask, tools: Tools) -> Status | None:
    """LangGraph takes seconds to import, so it is loaded when the first question is answered."""
    from pluto_duck_backend.agent.graph import think

    return think(ask, tools)


def _fault(message: str, hint: str = "") -> RunError:
    return RunError(**InternalFault(message, hint=hint).to_dict())


def status_of(end: Event) -> str:
    return end.status if isinstance(end, RunEnd) else "failed"
