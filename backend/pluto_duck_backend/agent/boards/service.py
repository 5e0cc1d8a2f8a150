"""What can be done with boards: look, pin, change, refresh, send. The API and the command line call this."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from pluto_duck_backend.agent.boards.board import MAX_TILES, Board, Display, Tile, usable_title
from pluto_duck_backend.agent.boards.document import document
from pluto_duck_backend.agent.boards.files import BoardFiles, Broken
from pluto_duck_backend.agent.boards.outcome import Outcome, Outcomes, result_of
from pluto_duck_backend.agent.boards.pinning import Pin, Pinning
from pluto_duck_backend.agent.boards.refreshing import Refreshing
from pluto_duck_backend.agent.boards.showing import shown
from pluto_duck_backend.agent.charting.themes import Theme
from pluto_duck_backend.agent.runs import RunManager
from pluto_duck_backend.app.core.errors import Conflict, InvalidInput, NotFound
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.core.principal import OWNER, Principal
from pluto_duck_backend.app.core.state import ArtifactService
from pluto_duck_backend.app.services.execution.executor import QueryService
from pluto_duck_text2sql.data.catalog import Catalog

__all__ = ["BoardService", "Pin"]


class BoardService:
    """All boards of one data root. Thread-safe."""

    def __init__(
        self,
        paths: Paths,
        artifacts: ArtifactService,
        queries: QueryService,
        runs: RunManager,
        catalog_for: Callable[[Principal], Catalog],
    ) -> None:
        self._files = BoardFiles(paths.boards, paths.root)
        self._outcomes = Outcomes(artifacts)
        self._queries = queries
        self._pinning = Pinning(queries, runs, catalog_for)
        self._catalog_for = catalog_for

    def every(self, who: Principal = OWNER) -> list[dict[str, Any]]:
        """`[{board_id, title, tiles, file, error}]`: those that `who` may see, broken ones with their error."""
        return [self._listed(each) for each in self._files.every(who)]

    def show(self, board_id: str, who: Principal = OWNER, theme: Theme = "light") -> dict[str, Any]:
        """A board with what came of each of its queries. Raises NotFound, InvalidInput for a broken file."""
        board = self._files.get(board_id, who)
        catalog = self._catalog_for(who) if board.tiles else Catalog(())
        tiles = [shown(tile, self._outcomes.read(board, tile), catalog, theme) for tile in board.tiles]
        return {**self._listed(board), "tiles": tiles}

    def create(self, title: str, who: Principal = OWNER) -> dict[str, Any]:
        """An empty board."""
        return self.show(self._files.create(usable_title(title), who).board_id, who)

    def change(
        self, board_id: str, title: str | None = None, order: Sequence[str] | None = None, who: Principal = OWNER
    ) -> dict[str, Any]:
        """Rename a board, or put its tiles in the `order` of these ids. Raises NotFound, InvalidInput."""

        def edit(board: Board) -> Board:
            tiles = board.tiles if order is None else _in_order(board, order)
            return replace(board, title=board.title if title is None else usable_title(title), tiles=tiles)

        return self.show(self._files.change(board_id, edit, who).board_id, who)

    def delete(self, board_id: str, who: Principal = OWNER) -> str:
        """Remove a board; returns its id."""
        board = self._files.delete(board_id, who)
        self._outcomes.forget(board)
        return board.board_id

    def pin(self, board_id: str, pin: Pin, who: Principal = OWNER) -> dict[str, Any]:
        """Put an answer last on a board. Raises NotFound, InvalidInput for what has no answer, Conflict where full."""
        tile, job = self._pinning.tile(pin, who)

        def edit(board: Board) -> Board:
            if len(board.tiles) >= MAX_TILES:
                raise Conflict(
                    f"{board.title!r} has {MAX_TILES} tiles, which is as many as a board holds.",
                    code="board_full",
                    hint="Unpin one, or pin to another board.",
                )
            return replace(board, tiles=(*board.tiles, tile))

        board = self._files.change(board_id, edit, who)
        with contextlib.suppress(NotFound):  # its result was deleted with age: the tile waits for a refresh
            self._outcomes.write(board, tile, Outcome(result_of(job, self._queries, who)))
        return self.show(board.board_id, who)

    def unpin(self, board_id: str, tile_id: str, who: Principal = OWNER) -> dict[str, Any]:
        """Take a tile off a board."""
        tile = _tile_of(self._files.get(board_id, who), tile_id)
        board = self._files.change(
            board_id, lambda board: replace(board, tiles=tuple(each for each in board.tiles if each.id != tile_id)), who
        )
        self._outcomes.forget(board, tile)
        return self.show(board.board_id, who)

    def change_tile(
        self,
        board_id: str,
        tile_id: str,
        title: str | None = None,
        display: Display | None = None,
        who: Principal = OWNER,
    ) -> dict[str, Any]:
        """Rename a tile, or show it in another way."""
        given: dict[str, Any] = {"title": usable_title(title)} if title is not None else {}
        given |= {"display": display} if display is not None else {}

        def edit(board: Board) -> Board:
            _tile_of(board, tile_id)
            tiles = (each.model_copy(update=given) if each.id == tile_id else each for each in board.tiles)
            return replace(board, tiles=tuple(tiles))

        return self.show(self._files.change(board_id, edit, who).board_id, who)

    def refreshing(self, board_id: str, tile_id: str | None = None, who: Principal = OWNER) -> Refreshing:
        """What runs a board's queries again, or one of them. Raises NotFound, InvalidInput for a broken file."""
        board = self._files.get(board_id, who)
        tiles = [_tile_of(board, tile_id)] if tile_id else board.tiles
        return Refreshing(self._queries, self._outcomes, board, tiles, who)

    def refresh(self, board_id: str, tile_id: str | None = None, who: Principal = OWNER) -> dict[str, Any]:
        """Run a board's queries again, and show it."""
        self.refreshing(board_id, tile_id, who).run()
        return self.show(board_id, who)

    def export(self, board_id: str, who: Principal = OWNER) -> tuple[str, bytes]:
        """`(file name, file)`: the board as it is, as one HTML file that loads nothing."""
        board = self.show(board_id, who)
        return f"{board['board_id']}.html", document(board).encode()

    def _listed(self, board: Board | Broken) -> dict[str, Any]:
        place = {"board_id": board.board_id, "file": self._files.shown(board.board_id)}
        if isinstance(board, Broken):
            return {**place, "title": board.board_id, "tile_count": 0, "error": board.error.to_dict()}
        return {**place, "title": board.title, "tile_count": len(board.tiles), "error": None}


def _in_order(board: Board, order: Sequence[str]) -> tuple[Tile, ...]:
    by_id = {tile.id: tile for tile in board.tiles}
    if sorted(order) != sorted(by_id):
        raise InvalidInput(
            f"An order of {board.title!r} names each of its {len(by_id)} tiles once.",
            code="bad_order",
            hint=f"Its tiles: {', '.join(by_id) or 'none'}.",
        )
    return tuple(by_id[each] for each in order)


def _tile_of(board: Board, tile_id: str) -> Tile:
    found = next((each for each in board.tiles if each.id == tile_id), None)
    if found is None:
        raise NotFound(
            f"There is no tile {tile_id!r} on {board.title!r}.",
            code="tile_not_found",
            hint=f"Its tiles: {', '.join(each.id for each in board.tiles) or 'none'}.",
        )
    return found
