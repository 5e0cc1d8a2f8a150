"""The tools: every action of the registry, as the protocol's client sees it. Called, shown and cancelled alike."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolResult, InputRequiredResult, ToolAnnotations

from pluto_duck_backend.agent.actions import registry
from pluto_duck_backend.agent.actions.contract import Action
from pluto_duck_backend.app.core.errors import PlutoDuckError
from pluto_duck_cli.mcp_server import questions, results
from pluto_duck_cli.mcp_server.arguments import KnownArguments
from pluto_duck_cli.mcp_server.calling import Calling, Threads

_ASK = "ask"
_CONTEXT = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=Context[Any, Any])


def add(server: MCPServer[Any], threads: Threads, said: Mapping[str, Any], *, writes: bool) -> None:
    """The tools on `server`; with `writes` also those that change the warehouse. `said`: of `ask`, beforehand."""
    offered = [each for each in registry.installed().values() if writes or not each.writes]
    for action in offered:
        server.add_tool(_tool(action, threads, said), title=action.title, annotations=_annotations(action))
    server.middleware.append(KnownArguments({each.name: _taken(each, said) for each in offered}))


def _tool(action: Action, threads: Threads, said: Mapping[str, Any]) -> Callable[..., Any]:
    """A function whose signature says to the library what the action takes."""
    asks = action.name == _ASK

    async def tool(context: Context[Any, Any], **given: Any) -> CallToolResult | InputRequiredResult:
        calling = Calling(threads, context)
        try:
            if asks:
                return await questions.ask({**given, **said}, calling)
            return results.shown(await calling.call(action.name, given))
        except PlutoDuckError as fault:
            return results.of_fault(fault)

    taken = [action.parameters[name] for name in _taken(action, said)]
    tool.__name__, tool.__doc__ = action.name, action.description
    tool.__signature__ = inspect.Signature([_CONTEXT, *taken], return_annotation=CallToolResult)  # type: ignore[attr-defined]
    tool.__annotations__ = {each.name: each.annotation for each in [_CONTEXT, *taken]}
    return tool


def _taken(action: Action, said: Mapping[str, Any]) -> list[str]:
    """The names of what a client may say."""
    return [name for name in action.parameters if action.name != _ASK or name not in said]


def _annotations(action: Action) -> ToolAnnotations:
    """A question may go to a model elsewhere; loads and dbt reach files, addresses and other databases."""
    if action.writes:
        return ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=True)
    return ToolAnnotations(read_only_hint=True, open_world_hint=action.name == _ASK)
