"""Calls of actions: who may, what it takes, how long, once per key, and the line in the audit log.

What was never begun raises (no such action, a role too small, arguments that do not fit); what was begun ends with a
result, which has an error where it failed. Thread-safe.
"""

from __future__ import annotations

import contextlib
import json
import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextvars import copy_context
from functools import partial
from typing import TYPE_CHECKING, Any

from pluto_duck_backend.agent.actions import registry
from pluto_duck_backend.agent.actions.contract import Action, Call, Details, Result
from pluto_duck_backend.agent.actions.keys import Once
from pluto_duck_backend.agent.cancel import CancelToken
from pluto_duck_backend.agent.outside.away import as_told
from pluto_duck_backend.app.core import counts
from pluto_duck_backend.app.core.errors import (
    Cancelled,
    Conflict,
    EnvironmentFault,
    InternalFault,
    NotFound,
    PlutoDuckError,
    QueryTimeout,
    Refused,
)
from pluto_duck_backend.app.core.ids import new_id
from pluto_duck_backend.app.core.principal import OWNER, Principal
from pluto_duck_backend.app.services.execution.audit import action_outcome

if TYPE_CHECKING:
    from pluto_duck_backend.agent.workspace import Workspace

_GRACE_S = 5.0
"""How long an action that is to end may take to do so before its caller is answered all the same."""
_logger = logging.getLogger(__name__)
Tell = Callable[[str], None]


def _quietly(message: str) -> None:
    """Nobody listens."""


class Actions:
    """The actions over one workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._once = Once(workspace.places.beside_sessions, lambda: workspace.places.process_name)
        self._live: dict[str, Call] = {}
        self._lock = threading.Lock()

    def every(self, who: Principal = OWNER, agent: str | None = None) -> Details:
        """`{actions, away}`: what `who` may have done, with the tools of the agent's servers; those that are away.

        Raises NotFound, InvalidInput, Refused for the agent.
        """
        who = self._workspace.agents.assign(agent, who).who
        outside = self._workspace.outside.offered(who.agent)
        every = [*registry.installed().values(), *outside.tools.values()]
        away = [{"server": name, **as_told(error, who).to_dict()} for name, error in outside.away.items()]
        return {"actions": [each.to_dict() for each in every if self.may(who, each)], "away": away}

    def may(self, who: Principal, action: Action) -> bool:
        """Whether `who` may have it done, approved where that is needed."""
        try:
            self._check(who, action)
        except Refused:
            return False
        return True

    def call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        who: Principal = OWNER,
        timeout_s: float | None = None,
        key: str | None = None,
        agent: str | None = None,
        approved: bool = False,
        call_id: str | None = None,
        begun: Callable[[], None] = lambda: None,
        tell: Tell = _quietly,
    ) -> Result:
        """Have an action done and wait for it; with a `key` once, however often it is called.

        `agent`: whose tools there are, too. From `begun` on it can be cancelled by its `call_id`. Raises NotFound,
        Refused, InvalidInput, and Conflict for a key that was used for something else, or a call to be `approved`.
        """
        named = call_id or new_id("call")
        try:
            who = self._workspace.agents.assign(agent, who).who
            action, taken = self._checked(name, arguments, who, approved)
            limit_s = min(timeout_s or action.timeout_s, action.timeout_s)
            call = Call(self._workspace, who, CancelToken(), tell)
            work = partial(self._begun, named, call, begun, partial(_within, limit_s, call, action, taken))
            done = self._once.do(key, who.name, _request(name, arguments, who), work, limit_s + _GRACE_S)
        except PlutoDuckError as error:
            self._audit(who, name, named, Result.failed(error))
            raise as_told(error, who) from error
        self._audit(who, name, named, done)
        return done

    def _begun(self, call_id: str, call: Call, begun: Callable[[], None], work: Callable[[], Result]) -> Result:
        """What the work gives; meanwhile the call can be cancelled."""
        with self._listed(call_id, call):
            begun()
            return work()

    def cancel(self, call_id: str, who: Principal = OWNER) -> None:
        """End a call. Raises NotFound for one that is not running, or is another's."""
        with self._lock:
            call = self._live.get(call_id)
        if call is None or not who.may_see(call.who.name):
            raise NotFound(f"No call {call_id!r} is running.", code="call_not_found", hint="It may have ended.")
        call.token.cancel(Cancelled("The call was cancelled."))

    def stop(self) -> None:
        """End all that runs, truthfully."""
        with self._lock:
            running = list(self._live.values())
        for call in running:
            call.token.cancel(_stopped())

    def _checked(
        self, name: str, arguments: Mapping[str, Any], who: Principal, approved: bool
    ) -> tuple[Action, Details]:
        is_outside = who.agent and "." in name
        action = self._workspace.outside.get(who.agent, name) if is_outside else registry.get(name)
        self._check(who, action)
        if action.approval and not approved:
            raise _unapproved(action, arguments)
        return action, action.taken(arguments)

    def _check(self, who: Principal, action: Action) -> None:
        Call(self._workspace, who).require(action.role, f"the action {action.name}")
        self._workspace.agents.check_tool(action.name, who)

    @contextlib.contextmanager
    def _listed(self, call_id: str, call: Call) -> Iterator[None]:
        with self._lock:
            self._live[call_id] = call
        try:
            yield
        finally:
            with self._lock:
                del self._live[call_id]

    def _audit(self, who: Principal, name: str, call_id: str, done: Result) -> None:
        """Count a call and write it down; what is not the name of an action is only written."""
        known = name if name in registry.installed() else "server_tool" if "." in name and who.agent else "unknown"
        counts.ACTIONS.add(known, action_outcome(done.error))
        self._write(who, name, call_id, done)

    def _write(self, who: Principal, name: str, call_id: str, done: Result) -> None:
        """What has been done is not undone where the log cannot be written; the server's own log says so."""
        try:
            self._workspace.queries.audit.action(who, name, call_id, done.error)
        except EnvironmentFault as fault:
            _logger.error("the action %s by %s is not in the audit log: %s", name, who.name, fault)


def _request(name: str, arguments: Mapping[str, Any], who: Principal) -> Details:
    """What a key stands for; agents may call servers by the same name."""
    return {"name": name, "arguments": dict(arguments), **({"agent": who.agent} if "." in name else {})}


def _unapproved(action: Action, arguments: Mapping[str, Any]) -> PlutoDuckError:
    asked = json.dumps(dict(arguments), ensure_ascii=False, default=str)
    return Conflict(
        f"A person must approve {action.name} with {asked[:2_000]}.",
        code="approval_needed",
        hint="Where one does, call it again with approved: true; on the command line with --yes.",
    )


def _within(limit_s: float, call: Call, action: Action, taken: Details) -> Result:
    """The result, in a thread of its own, so that the caller is answered in time whatever the action does."""
    woken, results = threading.Event(), list[Result]()

    def work() -> None:
        results.append(_outcome(call, action, taken))
        woken.set()

    thread = threading.Thread(target=copy_context().run, args=(work,), name=f"action {action.name}", daemon=True)
    with call.token.interrupting(woken.set):
        thread.start()
        if not woken.wait(limit_s):
            call.token.cancel(_too_slow(action, limit_s))
        thread.join(_GRACE_S)
    return results[0] if results else Result.failed(call.token.reason or _too_slow(action, limit_s))


def _outcome(call: Call, action: Action, taken: Details) -> Result:
    """What the work gives, or fails with; of one that was ended the reason why."""
    try:
        return action.do(call, taken)
    except PlutoDuckError as error:
        return Result.failed(call.token.reason or as_told(error, call.who))
    except Exception as error:
        _logger.exception("the action %s failed", action.name)
        return Result.failed(
            InternalFault(f"{action.name}: {type(error).__name__}: {error}", hint="Please report this.")
        )


def _too_slow(action: Action, limit_s: float) -> PlutoDuckError:
    return QueryTimeout(
        f"The action {action.name} took longer than {limit_s:g} s.",
        code="action_timeout",
        hint="Ask for less, or give a longer timeout_s; what it changes may still be at work.",
        retryable=not action.writes,
    )


def _stopped() -> PlutoDuckError:
    return EnvironmentFault(
        "The server ended before the action was done.", code="interrupted", hint="Call it again.", retryable=True
    )
