"""The MCP servers of all agents: connected when a tool is first wanted, a few at once, the longest unused let go."""

from __future__ import annotations

import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec

from pluto_duck_backend.agent.agents.files import AgentFiles
from pluto_duck_backend.agent.cancel import CancelToken
from pluto_duck_backend.agent.ending import ending
from pluto_duck_backend.agent.outside.connection import Connection
from pluto_duck_backend.agent.outside.server import Server
from pluto_duck_backend.agent.outside.tools import ServerTool, actions_of
from pluto_duck_backend.app.core.errors import EnvironmentFault, NotFound, PlutoDuckError, did_you_mean

_OPEN = 16
_AT_ONCE = 4


@dataclass(frozen=True)
class Offered:
    """The tools of an agent's servers, and of each server that is away why."""

    tools: dict[str, ServerTool]
    away: dict[str, PlutoDuckError]


class OutsideTools:
    """Thread-safe. Connections are an agent's own: two agents never share a server's session."""

    def __init__(self, files: AgentFiles) -> None:
        self._files = files
        self._open: OrderedDict[tuple[str, str], Connection] = OrderedDict()
        self._lock = threading.Lock()
        self._is_closed = False

    def servers_of(self, agent: str) -> dict[str, Server]:
        """What an agent's file names. Raises NotFound, InvalidInput for a broken file."""
        return self._files.get(agent).definition.servers if agent else {}

    def offered(self, agent: str, token: CancelToken | None = None) -> Offered:
        """All tools of an agent's servers, asked side by side; one that is away takes nothing from the others."""
        names = [*self.servers_of(agent)]
        if not names:
            return Offered({}, {})
        with ThreadPoolExecutor(min(_AT_ONCE, len(names))) as pool:
            found = [*pool.map(lambda name: self._tried(agent, name, token or CancelToken()), names)]
        tools = {tool.name: tool for each in found if isinstance(each, list) for tool in each}
        away = {name: each for name, each in zip(names, found, strict=True) if isinstance(each, PlutoDuckError)}
        return Offered(tools, away)

    def get(self, agent: str, name: str) -> ServerTool:
        """The tool `server.tool` of an agent. Raises NotFound, EnvironmentFault where its server is away."""
        server = name.partition(".")[0]
        if server not in self.servers_of(agent):
            raise _no_tool(agent, name, [f"{each}.…" for each in self.servers_of(agent)])
        tools = {each.name: each for each in self._tools(agent, server, CancelToken())}
        if name not in tools:
            raise _no_tool(agent, name, list(tools))
        return tools[name]

    def close(self) -> None:
        """Let go of all; their programs end, and no other is started."""
        with self._lock:
            self._is_closed = True
            left = [*self._open.values()]
            self._open.clear()
        _let_go(left)

    def _tried(self, agent: str, server: str, token: CancelToken) -> list[ServerTool] | PlutoDuckError:
        try:
            return self._tools(agent, server, token)
        except PlutoDuckError as error:
            return error

    def _tools(self, agent: str, server: str, token: CancelToken) -> list[ServerTool]:
        connection = self._connection(agent, server)
        return [*actions_of(server, connection, connection.tools(token))]

    def _connection(self, agent: str, server: str) -> Connection:
        """As the file says now: one that says otherwise than before is connected anew."""
        _check_library()
        declared, key, gone = self.servers_of(agent)[server], (agent, server), list[Connection]()
        with self._lock:
            if self._is_closed:
                raise ending()
            kept = self._open.pop(key, None)
            if kept is None or kept.server != declared:
                gone += [kept] if kept else []
                kept = Connection(server, declared)
            self._open[key] = kept
            while len(self._open) > _OPEN:
                gone.append(self._open.popitem(last=False)[1])
        _let_go(gone)
        return kept


def _let_go(connections: list[Connection]) -> None:
    if connections:
        with ThreadPoolExecutor(len(connections)) as pool:
            list(pool.map(Connection.close, connections))


def _no_tool(agent: str, name: str, known: list[str]) -> NotFound:
    return NotFound(
        f"The agent {agent} has no tool {name[:100]!r}. {did_you_mean(name, known)}".rstrip(),
        code="action_not_found",
        hint=f"There are: {', '.join(known) or 'none'}.",
    )


def _check_library() -> None:
    if find_spec("mcp") is None:
        raise EnvironmentFault(
            "MCP servers are spoken to by the library mcp, which is not installed.",
            code="not_installed",
            hint="pip install 'pluto-duck[mcp]'",
        )
