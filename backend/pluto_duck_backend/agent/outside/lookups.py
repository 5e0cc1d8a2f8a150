"""What one run's model may do with the tools of its agent's servers: so many calls, each through the registry.

A call that a person must approve ends the run with that question; the reply's run does the very call that was shown,
and goes on with what was found before. A server that is away is told, and nothing else changes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

from pluto_duck_backend.agent.actions.calling import Actions
from pluto_duck_backend.agent.actions.contract import Result
from pluto_duck_backend.agent.cancel import CancelToken
from pluto_duck_backend.agent.events import Emit, LookupEnd, LookupStart, RunChunk
from pluto_duck_backend.agent.outside.away import as_told
from pluto_duck_backend.agent.outside.service import OutsideTools
from pluto_duck_backend.agent.outside.tools import ServerTool
from pluto_duck_backend.agent.providers.contract import Clarify, Looked, Offer
from pluto_duck_backend.app.core.errors import PlutoDuckError
from pluto_duck_backend.app.core.ids import new_id
from pluto_duck_backend.app.core.principal import Principal

MOST_CALLS = 6
APPROVE, DECLINE = "Yes, call it", "No, go on without it"
_TOLD = 6_000
#   characters of a result that a model is told
_MODEL_NAME = re.compile(r"[^A-Za-z0-9_-]")
_SHORT = 300
_UNSEEN = {"action_timeout", "call_cut_off", "key_at_work", "key_cut_off"}
_DECLINED = "The person did not approve this call. Go on without it."


class Lookups:
    """One run's. `approval`: what the earlier run asked for, and whether the person said yes."""

    def __init__(
        self,
        outside: OutsideTools,
        actions: Callable[[], Actions],
        who: Principal,
        run_id: str,
        approval: dict[str, Any] | None,
    ) -> None:
        self._outside = outside
        self._actions = actions
        self._who = who
        self._run_id = run_id
        self._approval = approval
        self._tools: dict[str, ServerTool] | None = None
        self.done: list[Looked] = []

    def begin(self, token: CancelToken, emit: Emit, caveats: list[str]) -> None:
        """Find out what there is, once, and do what was approved."""
        if self._tools is not None:
            return
        found = self._outside.offered(self._who.agent, token)
        self._tools = {_model_name(name): tool for name, tool in found.tools.items() if self._may(tool)}
        for error in (as_told(each, self._who) for each in found.away.values()):
            emit(RunChunk(error.message))
            caveats.append(f"{error.message} The answer goes without it.")
        if self._approval:
            self._go_on(self._approval, token, emit, caveats)

    def offers(self) -> list[Offer]:
        """What the model may call now; nothing once it has called often enough."""
        if len(self.done) >= MOST_CALLS:
            return []
        return [Offer(name, tool.description, tool.input_schema) for name, tool in (self._tools or {}).items()]

    def look(
        self, name: str, arguments: dict[str, Any], token: CancelToken, emit: Emit, caveats: list[str]
    ) -> Clarify | None:
        """Do a call of the model's, and remember what came of it; or the question whether it may be done."""
        tool = (self._tools or {})[name]
        if tool.approval:
            return self._question(tool, arguments)
        self._call(tool.name, arguments, token, emit, caveats, approved=False)
        return None

    def _may(self, tool: ServerTool) -> bool:
        return self._actions().may(self._who, tool)

    def _question(self, tool: ServerTool, arguments: dict[str, Any]) -> Clarify:
        asked = json.dumps(arguments, ensure_ascii=False)
        before = [each.to_dict() for each in self.done]
        approval = {"tool": tool.name, "arguments": arguments, "before": before}
        question = f"May {self._who.agent} call {tool.name} with {asked}?{self._told_before(tool, arguments)}"
        return Clarify(question, (APPROVE, DECLINE), approval=approval)

    def _told_before(self, tool: ServerTool, arguments: dict[str, Any]) -> str:
        """That a person is asked for the same call once more, which may have been done."""
        name = _model_name(tool.name)
        same = [each for each in self.done if (each.name, each.arguments) == (name, arguments)]
        return f" This very call has come up before: {_short(same[-1].told)}" if same else ""

    def _go_on(self, approval: dict[str, Any], token: CancelToken, emit: Emit, caveats: list[str]) -> None:
        self.done = [Looked(**each) for each in approval["before"]]
        if approval["choice"] != APPROVE:
            self.done.append(Looked(_model_name(approval["tool"]), approval["arguments"], _DECLINED))
            return
        self._call(approval["tool"], approval["arguments"], token, emit, caveats, approved=True)

    def _call(
        self,
        name: str,
        arguments: dict[str, Any],
        token: CancelToken,
        emit: Emit,
        caveats: list[str],
        *,
        approved: bool,
    ) -> None:
        emit(LookupStart(name, arguments))
        done = self._result(name, arguments, token, approved=approved)
        token.check()
        told = done.content if len(done.content) <= _TOLD else f"{done.content[:_TOLD]}…"
        self.done.append(Looked(_model_name(name), arguments, told))
        emit(LookupEnd(name, told, done.error))
        caveats.append(f"{name} was called, which is outside of the data{_failed(done)}.")

    def _result(self, name: str, arguments: dict[str, Any], token: CancelToken, *, approved: bool) -> Result:
        """Through the registry: role, time, audit. What is approved is done once, also where the run is begun again."""
        actions, call_id = self._actions(), new_id("call")
        key = f"{self._run_id} approved" if approved else None
        with token.interrupting(partial(_end, actions, call_id)):
            try:
                return actions.call(name, arguments, who=self._who, key=key, approved=approved, call_id=call_id)
            except PlutoDuckError as error:
                return Result.failed(error)


def _end(actions: Actions, call_id: str) -> None:
    try:
        actions.cancel(call_id)
    except PlutoDuckError:
        return  # it had ended


def _failed(done: Result) -> str:
    """How a call ended that gave nothing; of one that was cut off nobody knows."""
    if done.error is None:
        return ""
    if done.error["code"] in _UNSEEN:
        return f", and its end was not seen ({done.error['code']}): look there whether it was done"
    return f", and failed ({done.error['code']})"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHORT else f"{line[:_SHORT]}…"


def _model_name(name: str) -> str:
    """What models may call a tool: letters, digits, _ and -."""
    return _MODEL_NAME.sub("_", name.replace(".", "__", 1))[:64]
