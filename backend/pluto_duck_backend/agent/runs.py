"""Start, follow and cancel runs; the only writer of their event logs.

`start` writes `run.start` and returns before the graph begins; a worker thread has the run answered (`answering`), and
ends it with exactly one `run.end` or `run.error`. Logs that a dead process left open `recover` ends.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice
from typing import Any

import orjson

from pluto_duck_backend.agent.answering import Answering, Work, status_of
from pluto_duck_backend.agent.askable import no_conversation, usable_conversation, usable_question
from pluto_duck_backend.agent.conversation import Ask, Turn, understand
from pluto_duck_backend.agent.deadlines import Deadlines
from pluto_duck_backend.agent.elsewhere import Elsewhere
from pluto_duck_backend.agent.ending import ending
from pluto_duck_backend.agent.event_log import EventLog
from pluto_duck_backend.agent.events import Event, RunChunk, RunError, RunStart
from pluto_duck_backend.agent.run_views import asker, is_event, owner_of, run_of, summary, thread_of, turn_of
from pluto_duck_backend.agent.wishes import Wishes
from pluto_duck_backend.app.core import counts
from pluto_duck_backend.app.core.errors import Conflict, EnvironmentFault, NotFound, PlutoDuckError, QueryTimeout
from pluto_duck_backend.app.core.ids import is_id, new_id
from pluto_duck_backend.app.core.principal import OWNER, Principal
from pluto_duck_backend.app.core.state import Session, SessionService

Records = list[dict[str, Any]]
Ids = list[str]
Turns = list[Turn]
_WORKERS = 8
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


class RunManager:
    """All runs of one data root. Thread-safe."""

    def __init__(self, sessions: SessionService, wishes: Wishes, answering: Answering) -> None:
        self._sessions = sessions
        self._wishes = wishes
        self._answering = answering
        self._elsewhere = Elsewhere()
        self._live: dict[str, Work] = {}
        self._lock = threading.Lock()
        self._is_closed = False
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
        EnvironmentFault after `close`.
        """
        question = usable_question(question)
        conversation, turns = self._conversation(conversation_id, who)
        assigned = self._answering.agents.assign(agent or _agent_of(turns), who)
        chosen = self._answering.provider_for(provider, model, assigned)
        seen = assigned.who
        begun = RunStart(
            *(question, conversation, chosen.name, chosen.model, max_rows, timeout_s),
            *(seen.name, seen.rights, seen.agent, seen.role),
        )
        log = EventLog.create(self._sessions, new_id("run"))
        work = Work(log, begun, assigned, chosen, turns, (provider, model))
        self._begin(work)
        self._think_on(work)
        return RunHandle(work.run_id, conversation)

    def _conversation(self, given: str | None, who: Principal) -> tuple[str, Turns]:
        conversation_id = usable_conversation(given)
        turns = self._turns(conversation_id, who) if given else []
        if given and is_id(given) and not turns:
            raise no_conversation(given)
        return conversation_id, turns

    def _begin(self, work: Work) -> None:
        """Known as live before it is written, so that `recover` takes it for nobody's who died."""
        with self._lock:
            if self._is_closed:
                raise ending()
            self._live[work.run_id] = work
        try:
            work.log.append(work.begun)
        except BaseException:
            with self._lock:
                del self._live[work.run_id]
            raise

    def _think_on(self, work: Work) -> None:
        """Hand the run to a worker; one that comes while this process ends is ended as those that run."""
        with self._lock:
            self._live[work.run_id] = work
            if not self._is_closed:
                self._pool.submit(copy_context().run, self._answer, work)
                return
        work.token.cancel(_interrupted())
        self._answer(work)

    def _answer(self, work: Work) -> None:
        self._answering.queries.expect()
        late = self._deadlines.after(work.timeout_s, partial(work.token.cancel, _too_slow(work.timeout_s)))
        try:
            ended = self._answering.end_of(work)
            took_s = time.perf_counter() - work.started
            work.log.end(ended, RunError, lambda end: _count(end, took_s, work.begun.provider))
        finally:
            late.forget()
            with self._lock:
                if work.log.is_on_disk:
                    del self._live[work.run_id]

    def cancel(self, run_id: str, reason: PlutoDuckError | None = None, who: Principal = OWNER) -> None:
        """End a run; one that has ended stays as it is.

        One that another process answers ends when that one hears of it. Raises NotFound for an unknown id.
        """
        log = self.log(run_id, who)
        with self._lock:
            live = self._live.get(run_id)
        if live:
            live.token.cancel(reason)
        elif log.is_followed:
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
        if not who.sees_all_work and not who.may_see(owner_of(log.events()[0])):
            raise _not_found(run_id)
        return log

    def _load(self, run_id: str) -> EventLog:
        if is_id(run_id) and (log := EventLog.load(self._sessions, run_id)).last_seq:
            return log
        raise _not_found(run_id)

    def get(self, run_id: str, who: Principal = OWNER) -> dict[str, Any]:
        """The run as `GET /agent/{run_id}` shows it."""
        return run_of(self.log(run_id, who).events())

    def meant(self, run_id: str, who: Principal = OWNER) -> Ask:
        """What a run's message asked, within its conversation."""
        run = self.get(run_id, who)
        return understand(run["question"], self._turns(run["conversation_id"], who, before=run_id))

    def list(self, limit: int = 50, before: str | None = None, who: Principal = OWNER) -> Records:
        """Summaries, newest first, of runs older than the run `before`."""
        stored = (self._ends(each) for each in self._sessions.latest(before))
        mine = (summary(first, last) for first, last in stored if who.may_see(owner_of(first)))
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
            with contextlib.suppress(NotFound, Conflict):  # another process has dealt with it first
                self._recover(EventLog.reopen(self._sessions, run_id), may_resume=resume and run_id not in but)
        return left_open

    def _recover(self, log: EventLog, *, may_resume: bool) -> None:
        """A log without a whole first event never was a run: nobody can have seen it."""
        if not log.last_seq:
            log.close()
            self._sessions.delete(log.owner_id)
        elif not log.ended and not (may_resume and self._resume(log)):
            log.append(RunError(**_interrupted().to_dict()))

    def _left_open(self) -> Ids:
        found = self._sessions.left_open()
        with self._lock:
            return [run_id for run_id in found if run_id not in self._live]

    def _resume(self, log: EventLog) -> bool:
        """Answer a question anew in its own log; False where that was tried before or cannot be."""
        events = log.events()
        if any(is_event(event, "run", "chunk") and event["content"].get("resumed") for event in events):
            return False
        try:
            work = self._work_again(log, RunStart(**events[0]["content"]))
        except PlutoDuckError as error:
            _logger.warning("%s is not answered anew: %s", log.owner_id, error.message)
            return False
        log.append(RunChunk("The server was started again; the question is answered anew.", resumed=True))
        self._think_on(work)
        return True

    def _work_again(self, log: EventLog, begun: RunStart) -> Work:
        """Raises what keeps it from being answered: its agent or provider may be gone."""
        who, wanted = asker(begun), (begun.provider, begun.model)
        turns = self._turns(begun.conversation_id, who, before=log.owner_id)
        assigned = self._answering.agents.assign(None, who)
        return Work(log, begun, assigned, self._answering.provider_for(*wanted, assigned), turns, wanted)

    def stop(self) -> None:
        """End what still runs, truthfully: with `run.error`, code `interrupted`."""
        with self._lock:
            running = list(self._live)
        for run_id in running:
            self.cancel(run_id, _interrupted())

    def close(self) -> None:
        """Stop, and wait until every log has its last event; nothing is begun any more."""
        with self._lock:
            self._is_closed = True
        self.stop()
        self._pool.shutdown(wait=True)
        self._deadlines.close()
        self._elsewhere.close()

    def _turns(self, conversation_id: str, who: Principal, before: str = "") -> Turns:
        """The earlier runs of a conversation, oldest first; those before the run `before` where it is given."""
        mine = self.of_conversation(conversation_id, who.name)
        return [turn_of(self.get(run_id)) for run_id in mine if not before or run_id < before]

    def beside(self, run_id: str, who: Principal = OWNER) -> Ids:
        """All runs of a run's conversation, oldest first. Raises NotFound, also for one that `who` may not see."""
        begun = self.log(run_id, who).events()[0]
        return self.of_conversation(begun["content"]["conversation_id"], owner_of(begun))

    def of_conversation(self, conversation_id: str, owner: str) -> Ids:
        """The runs of `owner`'s conversation, oldest first."""
        return self._sessions.of_thread(thread_of(conversation_id, owner))


def _agent_of(turns: Turns) -> str | None:
    """A conversation stays with the agent that has answered last."""
    return turns[-1].agent if turns else None


def _count(end: Event, took_s: float, provider: str) -> None:
    counts.RUNS.add(took_s, status_of(end), provider)


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


def _not_found(run_id: str) -> NotFound:
    return NotFound(
        f"There is no run {run_id!r}.",
        code="run_not_found",
        hint="`pluto-duck runs list` shows the runs there are.",
    )
