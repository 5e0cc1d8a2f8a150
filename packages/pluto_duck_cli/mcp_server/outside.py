"""Tools of the MCP servers that an agent's file names, offered on under the same names.

To a token that is bound to the agent, or over stdio for the agent that `--agent` names. Each is a call of its action:
role, audit and time are the same as by every other door. What a person must approve is put to the person.
"""

from __future__ import annotations

import json
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import (
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
    ToolAnnotations,
)
from mcp_types import Tool as Listed

from pluto_duck_backend.app.core.errors import Conflict, PlutoDuckError
from pluto_duck_cli.mcp_server import results
from pluto_duck_cli.mcp_server.calling import Calling, Threads
from pluto_duck_cli.mcp_server.questions import calls_again, can_elicit

_KEY = "approval"
_APPROVE, _DECLINE = "Yes, call it", "No"
Given = CallToolResult | InputRequiredResult


class WithOutsideTools(MCPServer[Any]):
    """The library's server, with tools that depend on who asks; theirs have a point in the name, ours none."""

    threads: Threads
    agent: str | None = None
    writes: bool = False
    asks_each: bool = False
    #   whether who calls decides, as over HTTP; else only `agent` has such tools

    async def list_tools(self) -> list[Listed]:
        return [*await super().list_tools(), *await self._outside()]

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None) -> Given:
        if "." not in name or context is None or not (self.agent or self.asks_each):
            return await super().call_tool(name, arguments, context)
        request = {"name": name, "arguments": arguments, **({"agent": self.agent} if self.agent else {})}
        try:
            return await _called(request, Calling(self.threads, context))
        except PlutoDuckError as fault:
            return results.of_fault(fault)

    async def _outside(self) -> list[Listed]:
        if not (self.agent or self.asks_each):
            return []
        found = await self.threads.work(lambda client: client.actions(self.agent))
        tools = [each for each in found["actions"] if "." in each["name"]]
        return [_listed(each) for each in tools if self.writes or not each["writes"]]


def _listed(action: dict[str, Any]) -> Listed:
    hints = ToolAnnotations(read_only_hint=not action["writes"], open_world_hint=True)
    named = {name: action[name] for name in ("name", "title", "description", "input_schema")}
    return Listed(**named, annotations=hints)


async def _called(request: dict[str, Any], calling: Calling) -> Given:
    """The call; where a person must approve it, with the person's word. Raises PlutoDuckError."""
    context = calling.context
    if context.request_state:  # sealed by the library: it is the very call that the person was shown
        answer = (context.input_responses or {}).get(_KEY)
        request = {**json.loads(context.request_state), "approved": _is_approved(answer)}
    try:
        return results.shown(await calling.act(request))
    except Conflict as fault:
        if fault.code != "approval_needed" or "approved" in request or not can_elicit(context):
            raise
        form = _form(fault.message)
    if calls_again(context):
        asked = {_KEY: ElicitRequest(params=form)}
        return InputRequiredResult(input_requests=asked, request_state=json.dumps(request))
    answer = await context.session.elicit_form(
        form.message, form.requested_schema, related_request_id=context.request_id
    )
    return results.shown(await calling.act({**request, "approved": _is_approved(answer)}))


def _form(message: str) -> ElicitRequestFormParams:
    choice = {"type": "string", "title": "May it be called?", "enum": [_APPROVE, _DECLINE]}
    schema: dict[str, Any] = {"type": "object", "properties": {_KEY: choice}, "required": [_KEY]}
    return ElicitRequestFormParams(message=message, requested_schema=schema)


def _is_approved(answer: Any) -> bool:
    """Only the very word; a person who closes the form has not said it."""
    accepted = isinstance(answer, ElicitResult) and answer.action == "accept" and answer.content
    return bool(accepted) and (answer.content or {}).get(_KEY) == _APPROVE
