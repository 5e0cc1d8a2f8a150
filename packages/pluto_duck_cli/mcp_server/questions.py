"""Asking a question for a client of the protocol: the person's choice where it comes back.

The protocol has two ways to ask the person. Since 2026-07-28 the tool ends with what it needs and is called again with
the answer; before, it sends a request of its own and waits. A client that can do neither gets the question as a result.
"""

from __future__ import annotations

import json
from typing import Any

from mcp.server.mcpserver import Context
from mcp_types import (
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)
from mcp_types.version import is_version_at_least

from pluto_duck_cli.mcp_server import results
from pluto_duck_cli.mcp_server.calling import Calling

_CALLS_AGAIN = "2026-07-28"
_MOST_CHOICES = 5
_KEY = "choice"
Found = dict[str, Any]
#   an action's {content, details, error}


async def ask(asked: dict[str, Any], calling: Calling) -> CallToolResult | InputRequiredResult:
    """Ask, and go on with the person's choice while there is one to make. Raises PlutoDuckError."""
    asking = _Asking(asked, calling)
    found = await (asking.resumed() if calling.context.request_state else asking.run())
    while found["details"].get("status") == "needs_input" and asking.may_elicit:
        if calls_again(calling.context):
            return _call_again(found, asking.choices)
        found = await asking.elicited(found)
    return results.shown(found)


class _Asking:
    """The runs of one call of the tool."""

    def __init__(self, asked: dict[str, Any], calling: Calling) -> None:
        self._asked = asked
        self._calling = calling
        self._context = calling.context
        self._is_declined = False
        self.choices = 0

    @property
    def may_elicit(self) -> bool:
        """Whether the person can be asked, would answer, and was not asked often enough."""
        return can_elicit(self._context) and not self._is_declined and self.choices < _MOST_CHOICES

    async def run(self) -> Found:
        return await self._calling.call("ask", self._asked)

    async def resumed(self) -> Found:
        """The run that the answer belongs to; the state is sealed by the library, so it is as it was written."""
        state = json.loads(self._context.request_state or "")
        self.choices = state["choices"]
        given = (self._context.input_responses or {}).get(_KEY)
        return await self._gone_on(state["found"], given if isinstance(given, ElicitResult) else None)

    async def elicited(self, found: Found) -> Found:
        """The next run, with what the person chose; the same end where they would not."""
        form = _form(found)
        self.choices += 1
        given = await self._context.session.elicit_form(
            form.message, form.requested_schema, related_request_id=self._context.request_id
        )
        return await self._gone_on(found, given)

    async def _gone_on(self, found: Found, given: ElicitResult | None) -> Found:
        choice = _chosen(given)
        if not choice:
            self._is_declined = True
            return found
        reply = {"question": choice, "conversation": found["details"]["conversation"]}
        return await self._calling.call("ask", {**self._asked, **reply})


def can_elicit(context: Context[Any, Any]) -> bool:
    """Forms; a client that names neither forms nor addresses means forms."""
    declared = context.client_capabilities.elicitation if context.client_capabilities else None
    return declared is not None and (declared.form is not None or declared.url is None)


def calls_again(context: Context[Any, Any]) -> bool:
    """Whether the client calls the tool again with the answer, as the protocol has it since 2026-07-28."""
    return is_version_at_least(context.protocol_version or "", _CALLS_AGAIN)


def _call_again(found: Found, choices: int) -> InputRequiredResult:
    state = {"found": found, "choices": choices + 1}
    request = ElicitRequest(params=_form(found))
    return InputRequiredResult(input_requests={_KEY: request}, request_state=json.dumps(state))


def _form(found: Found) -> ElicitRequestFormParams:
    asked = found["details"]["clarification"]
    choice: dict[str, Any] = {"type": "string", "title": "Your choice"}
    if asked["options"]:
        choice["enum"] = asked["options"]
    schema = {"type": "object", "properties": {_KEY: choice}, "required": [_KEY]}
    return ElicitRequestFormParams(message=asked["question"], requested_schema=schema)


def _chosen(given: ElicitResult | None) -> str:
    """What was chosen; empty where the person would not."""
    accepted = given is not None and given.action == "accept" and given.content
    return str(accepted.get(_KEY) or "") if accepted else ""
