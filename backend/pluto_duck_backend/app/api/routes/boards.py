"""Boards: answers side by side, run again on demand."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from pluto_duck_backend.agent.boards.service import BoardService, Pin
from pluto_duck_backend.agent.charting.themes import Theme
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.api.answers.board_answers import Board, BoardId, Boards
from pluto_duck_backend.app.api.models import BoardBody, BoardChange, PinBody, TileChange
from pluto_duck_backend.app.api.openapi import bytes_of, documented
from pluto_duck_backend.app.api.responses import as_json
from pluto_duck_backend.app.api.safety import Who
from pluto_duck_backend.app.api.waiting import Waiter

_SHOWN = documented(404, model=Board)
_EXPORT = documented(404) | {200: bytes_of("text/html")}

TileId = Annotated[str | None, Query(max_length=100, description="This tile alone.")]


def router(workspace: Workspace) -> APIRouter:
    """All calls of boards."""
    routes = APIRouter(prefix="/boards", tags=["boards"])
    _whole(routes, workspace.boards)
    _tiles(routes, workspace.boards)
    _refreshed(routes, workspace.boards)
    return routes


def _whole(routes: APIRouter, boards: BoardService) -> None:
    """Boards as a whole."""

    @routes.get("", responses=documented(model=Boards))
    def every(who: Who) -> Response:
        """All boards; one whose file is broken has an `error`."""
        return as_json({"boards": boards.every(who)})

    @routes.post("", status_code=201, responses=documented(status=201, model=Board))
    def create(body: BoardBody, who: Who) -> Response:
        """An empty board."""
        return as_json(boards.create(body.title, who), 201)

    @routes.get("/{board_id}", responses=_SHOWN)
    def one(board_id: str, who: Who, theme: Theme = "light") -> Response:
        """A board with the last result of each of its queries; nothing is run."""
        return as_json(boards.show(board_id, who, theme))

    @routes.patch("/{board_id}", responses=_SHOWN)
    def change(board_id: str, body: BoardChange, who: Who) -> Response:
        """Rename a board, or put its tiles in another order."""
        return as_json(boards.change(board_id, body.title, body.order, who))

    @routes.delete("/{board_id}", responses=documented(404, model=BoardId))
    def delete(board_id: str, who: Who) -> Response:
        """Remove a board."""
        return as_json({"board_id": boards.delete(board_id, who)})

    @routes.get("/{board_id}/export", response_class=Response, responses=_EXPORT)
    def export(board_id: str, who: Who) -> Response:
        """The board as it is, as one HTML file that loads nothing."""
        name, page = boards.export(board_id, who)
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(page, media_type="text/html; charset=utf-8", headers=headers)


def _tiles(routes: APIRouter, boards: BoardService) -> None:
    """What is pinned to a board."""

    @routes.post("/{board_id}/tiles", status_code=201, responses=documented(404, 409, status=201, model=Board))
    def pin(board_id: str, body: PinBody, who: Who) -> Response:
        """Pin a run's answer, or a query's result."""
        return as_json(boards.pin(board_id, Pin(**body.model_dump()), who), 201)

    @routes.patch("/{board_id}/tiles/{tile_id}", responses=_SHOWN)
    def change_tile(board_id: str, tile_id: str, body: TileChange, who: Who) -> Response:
        """Rename a tile, or show it in another way."""
        return as_json(boards.change_tile(board_id, tile_id, body.title, body.display, who))

    @routes.delete("/{board_id}/tiles/{tile_id}", responses=_SHOWN)
    def unpin(board_id: str, tile_id: str, who: Who) -> Response:
        """Take a tile off a board."""
        return as_json(boards.unpin(board_id, tile_id, who))


def _refreshed(routes: APIRouter, boards: BoardService) -> None:
    """A board's queries, run again."""
    waiter = Waiter()

    @routes.post("/{board_id}/refresh", responses=_SHOWN)
    async def refresh(
        request: Request, board_id: str, who: Who, tile: TileId = None, theme: Theme = "light"
    ) -> Response:
        """Run the queries again and answer when all have ended; going away cancels them."""
        refreshing = await run_in_threadpool(boards.refreshing, board_id, tile, who)
        await waiter.long(request, refreshing.run, abandoned=refreshing.cancel)
        return as_json(await run_in_threadpool(boards.show, board_id, who, theme))
