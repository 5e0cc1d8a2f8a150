"""JSON-RPC 2.0 around the methods: what is no request, and errors with the protocol's codes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from pluto_duck_backend.app.core.errors import InvalidInput, NotFound, PlutoDuckError, Refused, TooManyCalls

PARSE, REQUEST, METHOD, PARAMS, INTERNAL = -32700, -32600, -32601, -32602, -32603
TASK_NOT_FOUND, NOT_CANCELABLE, NO_PUSH, UNSUPPORTED, CONTENT_TYPE, NO_EXTENDED_CARD, VERSION = (
    *(-32001, -32002, -32003, -32004, -32005),
    *(-32007, -32009),
)
_TOLD = {
    PARSE: ("PARSE_ERROR", "Send one request of JSON-RPC 2.0 as JSON."),
    REQUEST: ("INVALID_REQUEST", "Send one request of JSON-RPC 2.0: jsonrpc, id, method, params."),
    METHOD: ("METHOD_NOT_FOUND", "Methods are named as in version 1.0: SendMessage, GetTask, ListTasks and so on."),
    PARAMS: ("INVALID_PARAMS", "Change what the message names; docs/a2a.md has the methods."),
    TASK_NOT_FOUND: ("TASK_NOT_FOUND", "ListTasks shows the tasks there are."),
    NOT_CANCELABLE: ("TASK_NOT_CANCELABLE", "GetTask tells how it ended, or what it asks."),
    NO_PUSH: ("PUSH_NOTIFICATION_NOT_SUPPORTED", "Follow the task with SubscribeToTask."),
    UNSUPPORTED: ("UNSUPPORTED_OPERATION", "Send a message with its contextId alone, for the next question."),
    CONTENT_TYPE: ("CONTENT_TYPE_NOT_SUPPORTED", "Send the question as a part with text."),
    NO_EXTENDED_CARD: ("EXTENDED_AGENT_CARD_NOT_CONFIGURED", "The card is at /.well-known/agent-card.json."),
    VERSION: ("VERSION_NOT_SUPPORTED", "Send A2A-Version: 1.0."),
}
"""Why, in the protocol's word, and the next step."""
AS_HTTP = (Refused, TooManyCalls)
"""Errors that the transport tells, as the protocol wants of who may not call."""


class RpcError(Exception):
    """An error of the protocol."""

    def __init__(self, code: int, message: str, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data or {}


@dataclass(frozen=True)
class Rpc:
    """A request."""

    id: str | int | None
    method: str
    params: dict[str, Any]


def read(body: bytes) -> Rpc:
    """Raises RpcError for what is no request."""
    try:
        said = orjson.loads(body)
    except ValueError as error:
        raise RpcError(PARSE, f"The body is no JSON: {error}") from error
    if not isinstance(said, dict) or said.get("jsonrpc") != "2.0" or not isinstance(said.get("method"), str):
        raise RpcError(REQUEST, 'A request is an object with "jsonrpc": "2.0" and a method; batches are not taken.')
    named, params = said.get("id"), said.get("params", {})
    if isinstance(named, bool) or not isinstance(named, str | int | None):
        raise RpcError(REQUEST, "An id is text, an integer or null.")
    if not isinstance(params, dict):
        raise RpcError(REQUEST, "The params are an object.")
    return Rpc(named, said["method"], params)


def answered(rpc: Rpc, result: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": rpc.id, "result": result}


def failed(named: str | int | None, error: RpcError) -> dict[str, Any]:
    """Details as the protocol wants them: an ErrorInfo; an error of ours has its code as reason."""
    reason, hint = _TOLD.get(error.code, ("", ""))
    info: dict[str, Any] = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "domain": "pluto-duck"}
    info |= {"reason": reason, "metadata": {"hint": hint}, **error.data}
    return {"jsonrpc": "2.0", "id": named, "error": {"code": error.code, "message": error.message, "data": [info]}}


def of_ours(error: PlutoDuckError) -> RpcError:
    """An error of ours by its kind."""
    code = TASK_NOT_FOUND if isinstance(error, NotFound) else PARAMS if isinstance(error, InvalidInput) else INTERNAL
    data = {"reason": error.code, "metadata": {"hint": error.hint, "retryable": str(error.retryable).lower()}}
    return RpcError(code, error.message, data)
