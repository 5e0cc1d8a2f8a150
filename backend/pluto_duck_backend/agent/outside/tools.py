"""A server's tool as an action: its name after the server's, its schema as the server gives it, its result as data.

What a server says is text of others. It is given as JSON on one line, never as a line of ours, and only so much of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from pluto_duck_backend.agent.actions.contract import Action, Call, Details, Result, told
from pluto_duck_backend.agent.outside.connection import Connection
from pluto_duck_backend.agent.outside.server import Approval

if TYPE_CHECKING:
    from mcp_types import CallToolResult, Tool

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,80}")
_MOST_TOOLS = 100
_LONGEST = 50_000
#   characters of a result, and of a schema
_LONGEST_DESCRIPTION = 1_000
_COMPARE = "Compare the arguments with what `actions list --agent NAME` says it takes."


@dataclass(frozen=True)
class ServerTool(Action):
    """An action that a server does. Its arguments are held to its schema by the server."""

    tool: Any = None

    @property
    def description(self) -> str:
        said = " ".join((self.tool.description or self.tool.name).split())
        return said[:_LONGEST_DESCRIPTION]

    @property
    def input_schema(self) -> Details:
        return dict(self.tool.input_schema)

    def taken(self, arguments: Mapping[str, Any]) -> Details:
        return dict(arguments)

    def do(self, call: Call, taken: Details) -> Result:
        done = self.work(call, taken)
        assert isinstance(done, Result)
        return done


def actions_of(server: str, connection: Connection, tools: Iterable[Tool]) -> Iterator[ServerTool]:
    """The tools that the agent's file allows; one whose name or schema is no such thing is left out."""
    usable = [tool for tool in tools if connection.server.allows(tool.name) and _is_usable(tool)]
    for tool in usable[:_MOST_TOOLS]:
        yield _action(f"{server}.{tool.name}", connection, tool)


def _is_usable(tool: Tool) -> bool:
    return bool(_NAME.fullmatch(tool.name)) and len(json.dumps(tool.input_schema)) <= _LONGEST


def _action(name: str, connection: Connection, tool: Tool) -> ServerTool:
    reads = bool(tool.annotations and tool.annotations.read_only_hint)
    return ServerTool(
        name=name,
        title=f"{tool.name} of the MCP server {name.partition('.')[0]}",
        role="viewer" if reads else "engineer",
        work=partial(_called, name, connection, again=reads),
        writes=not reads,
        timeout_s=connection.server.timeout_s,
        approval=_needs_approval(connection.server.approval, reads),
        tool=tool,
    )


def _needs_approval(asked: Approval, reads: bool) -> bool:
    """Whoever does not say that it only reads is taken to write."""
    return asked == "always" or (asked == "auto" and not reads)


def _called(name: str, connection: Connection, call: Call, taken: Details, *, again: bool) -> Result:
    tool = name.partition(".")[2]
    return shown(name, connection.call(tool, taken, call.token, call.tell, again=again))


def shown(name: str, found: CallToolResult) -> Result:
    """A tool's result; one that says it failed is an error, with the server's words quoted."""
    texts = [each.text for each in found.content if each.type == "text"]
    other = sorted({each.type for each in found.content if each.type != "text"})
    details = {"tool": name, "text": _cut("\n".join(texts)), "data": _small(found.structured_content)}
    if other:
        details["left_out"] = other
    if found.is_error:
        quoted = json.dumps(_cut("\n".join(texts), 1_000), ensure_ascii=False)
        error: Details = {"code": "tool_failed", "message": f"{name} failed: {quoted}", "hint": _COMPARE}
        error |= {"retryable": False, "refused": False}
        return Result(told(error), details, error)
    return Result(json.dumps(_brief(details), ensure_ascii=False, default=str), details)


def _brief(details: Details) -> Details:
    """For a reader: data alone where the text would say the same."""
    return {name: value for name, value in details.items() if value and not (name == "text" and details["data"])}


def _small(data: Any) -> Any:
    """Data that is not too large to hand on."""
    return data if data is None or len(json.dumps(data, default=str)) <= _LONGEST else None


def _cut(text: str, most: int = _LONGEST) -> str:
    return text if len(text) <= most else f"{text[:most]}… ({len(text):,} characters)"
