"""Boards through a client: in this process `Workspace.boards` itself, else the server's calls under the same names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol
from urllib.parse import quote

from pluto_duck_backend.agent.boards.pinning import Pin


class Boards(Protocol):
    """What commands do with boards; a board is named by its id or its title."""

    def every(self) -> list[dict[str, Any]]: ...
    def show(self, board_id: str) -> dict[str, Any]: ...
    def create(self, title: str) -> dict[str, Any]: ...
    def change(self, board_id: str, title: str | None = None, order: Sequence[str] | None = None) -> dict[str, Any]: ...
    def delete(self, board_id: str) -> str: ...
    def pin(self, board_id: str, pin: Pin) -> dict[str, Any]: ...
    def unpin(self, board_id: str, tile_id: str) -> dict[str, Any]: ...
    def refresh(self, board_id: str, tile_id: str | None = None) -> dict[str, Any]: ...
    def export(self, board_id: str) -> tuple[str, bytes]: ...


class HttpBoards:
    """`send(method, path, **more)` answers with JSON, `read(path)` with a file's bytes."""

    def __init__(self, send: Callable[..., dict[str, Any]], read: Callable[[str], bytes]) -> None:
        self._send = send
        self._read = read

    def every(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._send("GET", "/boards")["boards"]
        return found

    def show(self, board_id: str) -> dict[str, Any]:
        return self._send("GET", _path(board_id))

    def create(self, title: str) -> dict[str, Any]:
        return self._send("POST", "/boards", json={"title": title})

    def change(self, board_id: str, title: str | None = None, order: Sequence[str] | None = None) -> dict[str, Any]:
        return self._send("PATCH", _path(board_id), json={"title": title, "order": order})

    def delete(self, board_id: str) -> str:
        return str(self._send("DELETE", _path(board_id))["board_id"])

    def pin(self, board_id: str, pin: Pin) -> dict[str, Any]:
        return self._send("POST", f"{_path(board_id)}/tiles", json=vars(pin))

    def unpin(self, board_id: str, tile_id: str) -> dict[str, Any]:
        return self._send("DELETE", f"{_path(board_id)}/tiles/{quote(tile_id, safe='')}")

    def refresh(self, board_id: str, tile_id: str | None = None) -> dict[str, Any]:
        return self._send("POST", f"{_path(board_id)}/refresh", params={"tile": tile_id} if tile_id else {})

    def export(self, board_id: str) -> tuple[str, bytes]:
        return f"{self.show(board_id)['board_id']}.html", self._read(f"{_path(board_id)}/export")


def _path(board_id: str) -> str:
    return f"/boards/{quote(board_id, safe='')}"
