"""Boards through a client: in this process `Workspace.boards` itself, else the server's calls under the same names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from pluto_duck_backend.agent.boards.pinning import Pin
from pluto_duck_cli.transport import part


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
        return self._send("GET", self._path(board_id))

    def create(self, title: str) -> dict[str, Any]:
        return self._send("POST", "/boards", json={"title": title})

    def change(self, board_id: str, title: str | None = None, order: Sequence[str] | None = None) -> dict[str, Any]:
        return self._send("PATCH", self._path(board_id), json={"title": title, "order": order})

    def delete(self, board_id: str) -> str:
        return str(self._send("DELETE", self._path(board_id))["board_id"])

    def pin(self, board_id: str, pin: Pin) -> dict[str, Any]:
        return self._send("POST", f"{self._path(board_id)}/tiles", json=vars(pin))

    def unpin(self, board_id: str, tile_id: str) -> dict[str, Any]:
        return self._send("DELETE", f"{self._path(board_id)}/tiles/{part(tile_id)}")

    def refresh(self, board_id: str, tile_id: str | None = None) -> dict[str, Any]:
        return self._send("POST", f"{self._path(board_id)}/refresh", params={"tile": tile_id} if tile_id else {})

    def export(self, board_id: str) -> tuple[str, bytes]:
        named = str(self.show(board_id)["board_id"])
        return f"{named}.html", self._read(f"{self._path(named)}/export")

    def _path(self, name: str) -> str:
        return f"/boards/{part(self._id_of(name) if '/' in name else name)}"

    def _id_of(self, title: str) -> str:
        """A title may hold a slash, which no address does."""
        found = (each["board_id"] for each in self.every() if each["title"].casefold() == title.casefold())
        return next(found, title)
