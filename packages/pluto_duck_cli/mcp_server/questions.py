"""Asking a question for a client of the protocol: progress while it runs, the person's choice where it comes back.

The protocol has two ways to ask the person. Since 2026-07-28 the tool ends with what it needs and is called again with
the answer; before, it sends a request of its own and waits. A client that can do neither gets the question as a result.
"""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import anyio
import anyio.from_thread
from mcp.server.mcpserver import Context
from mcp_types import (
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)
from mcp_types.version import is_version_at_least

from pluto_duck_cli.asking import End, Question, end_of
from pluto_duck_cli.client import Client
from pluto_duck_cli.mcp_server import results
from pluto_duck_cli.mcp_server.calling import Threads

_CALLS_AGAIN = "2026-07-28"
_MOST_CHOICES = 5
_KEY = "choice"


async def ask(asked: Question, threads: Threads, context: Context[Any, Any]) -> CallToolResult | InputRequiredResult:
    """Ask, and go on with the person's choice while there is one to make. Raises PlutoDuckError."""
    asking = _Asking(threads, context)
    end = await (asking.resumed(asked) if context.request_state else asking.run(asked))
    while end.status == "needs_input" and asking.may_elicit:
        if is_version_at_least(context.protocol_version or "", _CALLS_AGAIN):
            return _call_again(end, asking.choices)
        end = await asking.elicited(asked, end)
    return results.of_end(end)


class _Asking:
    """The runs of one call of the tool."""

    def __init__(self, threads: Threads, context: Context[Any, Any]) -> None:
        self._threads = threads
        self._context = context
        self._told = 0
        self._run_id = ""
        self._is_over = False
        self._is_declined = False
        self.choices = 0

    @property
    def may_elicit(self) -> bool:
        """Whether the person can be asked, would answer, and was not asked often enough."""
        return _can_elicit(self._context) and not self._is_declined and self.choices < _MOST_CHOICES

    async def run(self, asked: Question) -> End:
        """One run to its end; a call that is cancelled cancels it."""
        try:
            return await self._threads.work(partial(self._follow, asked))
        except anyio.get_cancelled_exc_class():
            self._is_over = True
            if self._run_id:
                await self._threads.finish(lambda client: client.cancel_run(self._run_id))
            raise

    async def resumed(self, asked: Question) -> End:
        """The run that the answer belongs to; the state is sealed by the library, so it is as it was written."""
        state = json.loads(self._context.request_state or "")
        self.choices = state["choices"]
        given = (self._context.input_responses or {}).get(_KEY)
        choice = _chosen(given if isinstance(given, ElicitResult) else None)
        if choice:
            return await self.run(asked.reply(choice, state["conversation"]))
        return await self._declined(state["run_id"])

    async def elicited(self, asked: Question, end: End) -> End:
        """The next run, with what the person chose; the same end where they would not."""
        form = _form(end)
        self.choices += 1
        given = await self._context.session.elicit_form(
            form.message, form.requested_schema, related_request_id=self._context.request_id
        )
        choice = _chosen(given)
        if choice:
            return await self.run(asked.reply(choice, end.conversation_id))
        self._is_declined = True
        return end

    async def _declined(self, run_id: str) -> End:
        self._is_declined = True
        run = await self._threads.work(lambda client: client.run(run_id))
        return End(run["status"], run["final"], run["error"], run["conversation_id"], run_id)

    def _follow(self, asked: Question, client: Client) -> End:
        self._run_id = client.ask(**asked.__dict__)["run_id"]
        if self._is_over:  # cancelled before there was a run to cancel
            client.cancel_run(self._run_id)
        return end_of(self._tell(event) for event in client.events(self._run_id))

    def _tell(self, event: dict[str, Any]) -> dict[str, Any]:
        message = "" if self._is_over else progress(event)
        if message:
            self._told += 1
            anyio.from_thread.run(partial(self._context.report_progress, self._told, message=message))
        return event


def progress(event: dict[str, Any]) -> str:
    """What an event tells whoever waits; empty for those that tell nothing new."""
    kind, content = f"{event['type']}.{event['subtype']}", event["content"]
    if kind == "tool.end" and content.get("error"):
        return f"{content['tool']}: {content['error']['message']}"
    if kind == "tool.end" and content["tool"] == "sql":
        return f"sql: {content['sql']}"
    if kind == "tool.start":
        return str(content["tool"])
    return str(content["message"]) if kind in ("run.chunk", "reasoning.chunk") else ""


def _can_elicit(context: Context[Any, Any]) -> bool:
    """Forms; a client that names neither forms nor addresses means forms."""
    declared = context.client_capabilities.elicitation if context.client_capabilities else None
    return declared is not None and (declared.form is not None or declared.url is None)


def _call_again(end: End, choices: int) -> InputRequiredResult:
    state = {"run_id": end.run_id, "conversation": end.conversation_id, "choices": choices + 1}
    return InputRequiredResult(input_requests={_KEY: ElicitRequest(params=_form(end))}, request_state=json.dumps(state))


def _form(end: End) -> ElicitRequestFormParams:
    asked = (end.final or {})["clarification"]
    choice: dict[str, Any] = {"type": "string", "title": "Your choice"}
    if asked["options"]:
        choice["enum"] = asked["options"]
    schema = {"type": "object", "properties": {_KEY: choice}, "required": [_KEY]}
    return ElicitRequestFormParams(message=asked["question"], requested_schema=schema)


def _chosen(given: ElicitResult | None) -> str:
    """What was chosen; empty where the person would not."""
    accepted = given is not None and given.action == "accept" and given.content
    return str(accepted.get(_KEY) or "") if accepted else ""
