"""Agents through a client: in this process `Workspace.agents` itself, else the server's calls under the same names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from pluto_duck_cli.transport import part


class Agents(Protocol):
    """What commands do with agents."""

    def every(self) -> list[dict[str, Any]]: ...
    def show(self, name: str) -> dict[str, Any]: ...
    def deploy(self, name: str, files: Mapping[str, str], check: bool = False) -> dict[str, Any]: ...
    def remove(self, name: str) -> dict[str, Any]: ...


class HttpAgents:
    """`send(method, path, **more)` answers with JSON."""

    def __init__(self, send: Callable[..., dict[str, Any]]) -> None:
        self._send = send

    def every(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._send("GET", "/agents")["agents"]
        return found

    def show(self, name: str) -> dict[str, Any]:
        return self._send("GET", _path(name))

    def deploy(self, name: str, files: Mapping[str, str], check: bool = False) -> dict[str, Any]:
        return self._send("PUT", _path(name), json={"files": dict(files), "check": check})

    def remove(self, name: str) -> dict[str, Any]:
        return self._send("DELETE", _path(name))


def _path(name: str) -> str:
    return f"/agents/{part(name)}"
