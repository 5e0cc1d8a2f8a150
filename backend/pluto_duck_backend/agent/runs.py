"""Start, follow and cancel runs; the only writer of their event logs.

`start` writes `run.start` and returns before the graph begins; a worker thread runs the graph, which tells the log its
events, and ends it with exactly one `run.end` or `run.error`. Logs that a dead process left open `recover` ends.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import asdict, dataclass, replace
from functools import lru_cache, partial
from itertools import islice
from typing import Any

import orjson

from pluto_duck_backend.agent.agents.service import Agents, Assigned
from pluto_duck_backend.agent.cancel import CancelToken
from pluto_duck_backend.agent.conversation import MAX_QUESTION, Ask, Turn, others_in, understand
from pluto_duck_backend.agent.deadlines import Deadlines
from pluto_duck_backend.agent.elsewhere import Elsewhere
from pluto_duck_backend.agent.event_log import EventLog, shape
from pluto_duck_backend.agent.events import Event, RunChunk, RunEnd, RunError, RunStart, Status
from pluto_duck_backend.agent.models.meter import Meter
from pluto_duck_backend.agent.providers.contract import Lookups, Provider
from pluto_duck_backend.agent.state import Tools
from pluto_duck_backend.agent.steps.sandbox import Limits
from pluto_duck_backend.agent.wishes import Wishes
from pluto_duck_backend.app.core import counts, spans
from pluto_duck_backend.app.core.errors import (
    Cancelled,
    EnvironmentFault,
    InternalFault,
    InvalidInput,
    NotFound,
    PlutoDuckError,
    QueryTimeout,
    Refused,
)
from pluto_duck_backend.app.core.ids import is_id, new_id
from pluto_duck_backend.app.core.principal import OWNER, ROLES, Principal
from pluto_duck_backend.app.core.state import Session, SessionService
from pluto_duck_backend.app.services.execution.executor import QueryService
from pluto_duck_backend.app.services.transformation.provenance import ProvenanceOf, no_provenance

Records = list[dict[str, Any]]
Ids = list[str]
Turns = list[Turn]
LookupsFor = Callable[[Principal, str, "dict[str, Any] | None"], "Lookups | None"]
MAX_CONVERSATION = 200
_WORKERS = 8
_REMEMBERED_ROWS = 10
_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class RunHandle:
    """What a caller gets at once."""

    run_id: str
    conversation_id: str

    def to_dict(self) -> dict[str, str]:
        return {
            "run_id": self.run_id,
            "conversation_id": self.conversation_id,
            "events_url": f"/api/v1/agent/{self.run_id}/events",
        }


@dataclass
class _Live:
    log: EventLog
    token: CancelToken
    conversation_id: str


@dataclass(frozen=True)
class _Work:
    """What a worker is handed; `wanted` are the provider and the model that the asker named, or None."""

    run_id: str
    begun: RunStart
    assigned: Assigned
    provider: Provider
    turns: Turns
    wanted: tuple[str | None, str | None]


class RunManager:
    """All runs of one data root. Thread-safe."""

    def __init__(
        self,
        sessions: SessionService,
        wishes: Wishes,
        queries: QueryService,
        agents: Agents,
        provider_for: Callable[[str | None, str | None, Assigned], Provider],
        meter_for: Callable[[str, Assigned], Meter],
        provenance_for: Callable[[Principal], ProvenanceOf] = lambda who: no_provenance,
        lookups_for: LookupsFor = lambda who, run_id, approval: None,
    ) -> None:
        self._sessions = sessions
        self._wishes = wishes
        self._elsewhere = Elsewhere()
        self._queries = queries
        self._agents = agents
        self._provider_for = provider_for
        self._meter_for = meter_for
        self._provenance_for = provenance_for
        self._lookups_for = lookups_for
        self._live: dict[str, _Live] = {}
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(_WORKERS, thread_name_prefix="run")
        self._deadlines = Deadlines("deadlines of runs")
        self._finished = lru_cache(maxsize=64)(self._load)

    def start(
        self,
        question: str,
        *,
        conversation_id: str | None = None,
        provider: str | None = None,
        model: str | None = None,
        max_rows: int | None = None,
        timeout_s: float | None = None,
        agent: str | None = None,
        who: Principal = OWNER,
    ) -> RunHandle:
        """Begin answering. Raises InvalidInput for a question, conversation, provider or agent that is not usable.

        A `conversation_id` of the caller's own making begins one; NotFound for one of ours that nobody began.
        """
        question = _usable_question(question)
        given, conversation_id = conversation_id, _usable_conversation(conversation_id)
        turns = self._turns(conversation_id, who) if given else []
        if given and is_id(given) and not turns:
            raise _no_conversation(given)
        assigned = self._agents.assign(agent or _agent_of(turns), who)
        chosen = self._provider_for(provider, model, assigned)
        handle = RunHandle(new_id("run"), conversation_id)
        seen = assigned.who
        begun = RunStart(
            *(question, conversation_id, chosen.name, chosen.model, max_rows, timeout_s),
            *(seen.name, seen.rights, seen.agent, seen.role),
        )
        live = _Live(EventLog.create(self._sessions, handle.run_id), CancelToken(), conversation_id)
        self._begin(live, begun)
        self._think_on(live, _Work(handle.run_id, begun, assigned, chosen, turns, (provider, model)))
        return handle

    def _begin(self, live: _Live, begun: RunStart) -> None:
        """Known as live before it is written, so that `recover` takes it for nobody's who died."""
        run_id = live.log.owner_id
        with self._lock:
            self._live[run_id] = live
        try:
            live.log.append(begun)
        except BaseException:
            with self._lock:
                del self._live[run_id]
            raise

    def _think_on(self, live: _Live, work: _Work) -> None:
        """Hand the run to a worker."""
        with self._lock:
            self._live[work.run_id] = live
        self._pool.submit(copy_context().run, self._answer, live, work, time.perf_counter())

    def _answer(self, live: _Live, work: _Work, started: float) -> None:
        self._queries.expect()
        timeout_s = work.begun.timeout_s or work.assigned.settings.agent.timeout_s
        late = self._deadlines.after(timeout_s, partial(live.token.cancel, _too_slow(timeout_s)))
        try:
            ended = self._traced(live, work, started)
            took_s = time.perf_counter() - started
            live.log.end(ended, RunError, lambda end: _count(end, took_s, work.begun.provider))
        finally:
            late.forget()
            with self._lock:
                if live.log.is_on_disk:
                    del self._live[work.run_id]

    def _traced(self, live: _Live, work: _Work, started: float) -> RunEnd | RunError:
        """As `_ended`, in a span that tells how it ended."""
        told = {"gen_ai.operation.name": "invoke_agent", "pluto_duck.run.id": work.run_id}
        with spans.span("run", {**told, "pluto_duck.provider": work.begun.provider}) as span:
            span.quote("pluto_duck.question", work.begun.question)
            ended = self._ended(live, work, started)
            span.tell({"pluto_duck.run.status": _status_of(ended)})
            if isinstance(ended, RunError):
                span.fail(ended.code)
        return ended

    def _ended(self, live: _Live, work: _Work, started: float) -> RunEnd | RunError:
        """The terminal event that fits how the run ended, with what models have used."""
        meter = self._meter_for(work.run_id, work.assigned)
        try:
            work = self._with_agent(work, live.log)
            meter = self._meter_for(work.run_id, work.assigned)
            ask = understand(work.begun.question, work.turns)
            status = _think(ask, self._tools(live, work, ask, meter, started))
            ended: RunEnd | RunError = RunEnd(status) if status else _no_end()
        except Cancelled:
            ended = RunEnd("cancelled")
        except PlutoDuckError as error:
            ended = RunError(**error.to_dict(), refused=isinstance(error, Refused))
        except Exception as error:
            _logger.exception("run failed")
            fault = InternalFault(f"{type(error).__name__}: {error}", hint="Please report this.")
            ended = RunError(**fault.to_dict())
        return replace(ended, usage=meter.used.to_dict()) if meter.used.calls else ended

    def _with_agent(self, work: _Work, log: EventLog) -> _Work:
        """The work as the agent's whose scope fits best, where none was named and there are some."""
        who = work.assigned.who
        if who.agent:
            return work
        ask = understand(work.begun.question, work.turns)
        choice = self._agents.choose(ask, who)
        if choice is None:
            return work
        log.append(RunChunk(choice.why, agent=choice.agent, bids=[asdict(bid) for bid in choice.bids]))
        assigned = self._agents.assign(choice.agent or None, who)
        return replace(work, assigned=assigned, provider=self._provider_for(*work.wanted, assigned))

    def _tools(self, live: _Live, work: _Work, ask: Ask, meter: Meter, started: float) -> Tools:
        own = work.assigned.settings.agent
        return Tools(
            emit=live.log.append,
            hold=live.log.hold,
            provider=work.provider,
            queries=self._queries,
            token=live.token,
            run_id=work.run_id,
            who=work.assigned.who,
            meter=meter,
            max_rows=own.max_rows if work.begun.max_rows is None else work.begun.max_rows,
            max_attempts=own.max_attempts + work.provider.further_attempts,
            provenance=self._provenance_for(work.assigned.who),
            started=started,
            max_steps=own.max_steps,
            sandbox=Limits(own.python_s, own.python_mb),
            lookups=self._lookups_for(work.assigned.who, work.run_id, ask.approval),
        )

    def cancel(self, run_id: str, reason: PlutoDuckError | None = None, who: Principal = OWNER) -> None:
        """End a run; one that has ended stays as it is.

        One that another process answers ends when that one hears of it. Raises NotFound for an unknown id.
        """
        self.log(run_id, who)
        with self._lock:
            live = self._live.get(run_id)
        if live:
            live.token.cancel(reason)
        elif self.log(run_id).is_followed:
            self._wishes.make(run_id)

    def hear(self) -> None:
        """End the runs of this process that others wish to end."""
        with self._lock:
            live = set(self._live)
        for run_id in self._wishes.taken(live) if live else ():
            self.cancel(run_id)

    def forget_wishes(self) -> None:
        """Remove the wishes whose runs are over."""
        self._wishes.forget(lambda run_id: not EventLog.load(self._sessions, run_id).is_followed)

    def log(self, run_id: str, who: Principal = OWNER) -> EventLog:
        """The event log of a run, live or from disk. Raises NotFound, also for one that `who` may not see."""
        with self._lock:
            live = self._live.get(run_id)
        log = live.log if live else self._elsewhere.kept_up(self._finished(run_id))
        if not who.sees_all_work and not who.may_see(_owner_of(log.events()[0])):
            raise _not_found(run_id)
        return log

    def _load(self, run_id: str) -> EventLog:
        if is_id(run_id) and (log := EventLog.load(self._sessions, run_id)).last_seq:
            return log
        raise _not_found(run_id)

    def get(self, run_id: str, who: Principal = OWNER) -> dict[str, Any]:
        """The run as `GET /agent/{run_id}` shows it."""
        events = self.log(run_id, who).events()
        last = events[-1]
        final = next((each["content"] for each in reversed(events) if _is(each, "message", "final")), None)
        failed = _is(last, "run", "error")
        error = {name: last["content"][name] for name in ("code", "message", "hint", "retryable")} if failed else None
        return {**_summary(events[0], last), "agent": _agent_in(events), "final": final, "error": error}

    def meant(self, run_id: str, who: Principal = OWNER) -> Ask:
        """What a run's message asked, within its conversation."""
        run = self.get(run_id, who)
        return understand(run["question"], self._turns(run["conversation_id"], who, before=run_id))

    def list(self, limit: int = 50, before: str | None = None, who: Principal = OWNER) -> Records:
        """Summaries, newest first, of runs older than the run `before`."""
        stored = (self._ends(each) for each in self._sessions.latest(before))
        mine = (_summary(first, last) for first, last in stored if who.may_see(_owner_of(first)))
        return list(islice(mine, limit))

    def _ends(self, session: Session) -> tuple[dict[str, Any], dict[str, Any]]:
        """The first and the last event of a run; of one that is live its log knows."""
        with self._lock:
            live = self._live.get(session.session_id)
        events = live.log.events() if live else []
        return (events[0], events[-1]) if events else (orjson.loads(session.first), orjson.loads(session.last))

    def recover(self, *, resume: bool = False, but: Collection[str] = ()) -> Ids:
        """Deal with the logs that a dead process left open; returns the runs' ids.

        Each ends as interrupted. With `resume` it goes on instead, once, unless it is one of `but`.
        """
        left_open = self._left_open()
        for run_id in left_open:
            if not (resume and run_id not in but and self._resume(run_id)):
                self._end_interrupted(run_id)
        return left_open

    def _left_open(self) -> Ids:
        found = self._sessions.left_open()
        with self._lock:
            return [run_id for run_id in found if run_id not in self._live]

    def _resume(self, run_id: str) -> bool:
        """Answer a question anew in its own log; False where that was tried before or cannot be."""
        log = EventLog.reopen(self._sessions, run_id)
        events = log.events()
        if not events or any(_is(event, "run", "chunk") and event["content"].get("resumed") for event in events):
            return False
        begun = RunStart(**events[0]["content"])
        who = _asker(begun)
        turns = self._turns(begun.conversation_id, who, before=run_id)
        assigned = self._agents.assign(None, who)
        wanted = begun.provider, begun.model
        log.append(RunChunk("The server was started again; the question is answered anew.", resumed=True))
        work = _Work(run_id, begun, assigned, self._provider_for(*wanted, assigned), turns, wanted)
        self._think_on(_Live(log, CancelToken(), begun.conversation_id), work)
        return True

    def _end_interrupted(self, run_id: str) -> None:
        """A log without a whole first event never was a run: nobody can have seen it."""
        log = EventLog.reopen(self._sessions, run_id)
        if not log.last_seq:
            self._sessions.delete(run_id)
        elif not log.ended:
            log.append(RunError(**_interrupted().to_dict()))

    def stop(self) -> None:
        """End what still runs, truthfully: with `run.error`, code `interrupted`."""
        with self._lock:
            running = list(self._live)
        for run_id in running:
            self.cancel(run_id, _interrupted())

    def close(self) -> None:
        """Stop, and wait until every log has its last event."""
        self.stop()
        self._pool.shutdown(wait=True)
        self._deadlines.close()
        self._elsewhere.close()

    def _turns(self, conversation_id: str, who: Principal, before: str = "") -> Turns:
        """The earlier runs of a conversation, oldest first; those before the run `before` where it is given."""
        mine = self.of_conversation(conversation_id, who.name)
        return [_turn(self.get(run_id)) for run_id in mine if not before or run_id < before]

    def beside(self, run_id: str, who: Principal = OWNER) -> Ids:
        """All runs of a run's conversation, oldest first. Raises NotFound, also for one that `who` may not see."""
        begun = self.log(run_id, who).events()[0]
        return self.of_conversation(begun["content"]["conversation_id"], _owner_of(begun))

    def of_conversation(self, conversation_id: str, owner: str) -> Ids:
        """The runs of `owner`'s conversation, oldest first."""
        return self._sessions.of_thread(_thread(conversation_id, owner))


def _think(ask: Ask, tools: Tools) -> Status | None:
    """LangGraph takes seconds to import, so it is loaded when the first question is answered."""
    from pluto_duck_backend.agent.graph import think

    return think(ask, tools)


def _count(end: Event, took_s: float, provider: str) -> None:
    counts.RUNS.add(took_s, _status_of(end), provider)


def _status_of(end: Event) -> str:
    return end.status if isinstance(end, RunEnd) else "failed"


def _no_end() -> RunError:
    return RunError(**InternalFault("The graph ended without a final message.").to_dict())


def _check_text(question: object) -> None:
    """Python hands on what no terminal and no JSON does: other things than text, and half a character."""
    if not isinstance(question, str):
        raise InvalidInput(
            f"The question {question!r} is no text.", code="question_no_text", hint="Ask something, in plain words."
        )
    if question.encode(errors="replace").decode() != question:
        raise InvalidInput(
            f"The question {question[:100]!a} holds half a character.",
            code="question_no_text",
            hint="Read it as UTF-8 where it comes from.",
        )


def _usable_question(question: str) -> str:
    _check_text(question)
    text = question.strip()
    if not text:
        raise InvalidInput("The question is empty.", code="empty_question", hint="Ask something, in plain words.")
    if len(text) > MAX_QUESTION:
        raise InvalidInput(
            f"The question has {len(text):,} characters; at most {MAX_QUESTION:,} are read.",
            code="question_too_long",
            hint="Ask in a few sentences.",
        )
    return text


def _usable_conversation(conversation_id: str | None) -> str:
    if conversation_id is None:
        return new_id("conv")
    if not conversation_id.strip() or len(conversation_id) > MAX_CONVERSATION:
        raise InvalidInput(
            f"conversation_id {conversation_id[:40]!r} must have 1 to {MAX_CONVERSATION} characters.",
            code="bad_conversation",
            hint="Leave it out to begin one.",
        )
    return conversation_id


def _no_conversation(conversation_id: str) -> NotFound:
    return NotFound(
        f"There is no conversation {conversation_id!r}.",
        code="conversation_not_found",
        hint="Leave it out to begin one; `pluto-duck runs list --json` has each run's conversation_id.",
    )


def _is(event: dict[str, Any], kind: str, subtype: str) -> bool:
    return bool(event["type"] == kind and event["subtype"] == subtype)


def _summary(first: dict[str, Any], last: dict[str, Any]) -> dict[str, Any]:
    status = _status(last)
    return {
        "run_id": first["run_id"],
        "conversation_id": first["content"]["conversation_id"],
        "question": first["content"]["question"],
        "status": status,
        "created_at": first["timestamp"],
        "ended_at": None if status == "running" else last["timestamp"],
        "usage": None if status == "running" else last["content"].get("usage"),
    }


def _status(last: dict[str, Any]) -> str:
    if _is(last, "run", "error"):
        return "failed"
    return str(last["content"]["status"]) if _is(last, "run", "end") else "running"


def _interrupted() -> PlutoDuckError:
    return EnvironmentFault(
        "The process that answered this question ended before it was done.",
        code="interrupted",
        hint="Ask the question again.",
        retryable=True,
    )


def _too_slow(timeout_s: float) -> PlutoDuckError:
    return QueryTimeout(
        f"The run took longer than {timeout_s:g} s.",
        code="run_timeout",
        hint="Ask for less, or give a longer timeout_s.",
        retryable=True,
    )


def _thread(conversation_id: str, owner: str) -> str:
    """A conversation is its user's own."""
    return orjson.dumps([conversation_id, owner]).decode()


RUN_SHAPE = shape(lambda first: _thread(first["content"]["conversation_id"], _owner_of(first)))
"""What a session service must know of runs."""


def _asker(begun: RunStart) -> Principal:
    """Who a run works for, with the role of then, which its agent's tools ask for; the least one where none is told."""
    role = next((each for each in ROLES if each == begun.role), ROLES[0])
    return Principal(begun.who, begun.rights, role, begun.agent)


def _owner_of(first: dict[str, Any]) -> str:
    return str(first["content"].get("who", OWNER.name))


def _agent_in(events: Records) -> str | None:
    """The agent that answers a run: named at its start, or chosen after it."""
    told = (event["content"].get("agent") for event in events if event["type"] == "run")
    return next(filter(None, told), None)


def _agent_of(turns: Turns) -> str | None:
    """A conversation stays with the agent that has answered last."""
    return turns[-1].agent if turns else None


def _not_found(run_id: str) -> NotFound:
    return NotFound(
        f"There is no run {run_id!r}.",
        code="run_not_found",
        hint="`pluto-duck runs list` shows the runs there are.",
    )


def _turn(run: dict[str, Any]) -> Turn:
    final = run["final"] or {}
    clarification = final.get("clarification") or {}
    return Turn(
        run["question"],
        run["status"],
        tuple(clarification.get("options", ())),
        final.get("sql"),
        clarification.get("question", ""),
        tuple(str(column["name"]) for column in final.get("columns", ())),
        tuple(map(tuple, final.get("rows", ())[:_REMEMBERED_ROWS])),
        final.get("row_count", 0),
        run["agent"],
        clarification.get("approval"),
        others_in(final.get("next", ())),
    )
