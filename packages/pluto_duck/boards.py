"""Boards in Python: answers pinned side by side, run again, sent as one HTML file. `duck.boards` is the way in.

What a board holds is in its file; a `Board` here is how it stood when it was opened or last changed through it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pluto_duck.chart import Chart
from pluto_duck_backend.app.core.errors import NotFound, PlutoDuckError
from pluto_duck_cli.boards import Boards as Calls

if TYPE_CHECKING:
    from pluto_duck.frames import Frames

Reach = Callable[[], Calls]
_FRAME_PX = 640


class Boards:
    """All boards of a root, by id or title. Each method raises PlutoDuckError."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    def list(self) -> list[Board]:
        """Those that can be read; `broken` has the others."""
        return [self.open(each["board_id"]) for each in self._reach().every() if not each["error"]]

    def broken(self) -> dict[str, str]:
        """Of each board's file that cannot be read, what is wrong with it."""
        return {each["file"]: each["error"]["message"] for each in self._reach().every() if each["error"]}

    def open(self, board: str) -> Board:
        """The board of this id or title with its last results; nothing is run. Raises NotFound."""
        return Board(self._reach, self._reach().show(board))

    def create(self, title: str) -> Board:
        """An empty board."""
        return Board(self._reach, self._reach().create(title))

    def __iter__(self) -> Iterator[Board]:
        return iter(self.list())

    def __repr__(self) -> str:
        return f"<Boards: {', '.join(each['title'] for each in self._reach().every()) or 'none yet'}>"


@dataclass(frozen=True)
class Tile:
    """One query of a board, and what came of it last."""

    tile_id: str
    title: str
    question: str
    sql: str
    columns: list[str]
    rows: list[list[Any]]
    #   a preview of the last result
    row_count: int
    chart: Chart | None
    ran_at: str | None
    #   ISO-8601 UTC; None where it has not been run yet
    failure: str | None
    #   why the last run failed; the rows are those of the run before
    changed: str | None
    #   how the tables that it reads differ from those it was pinned over


def _tile(shown: dict[str, Any]) -> Tile:
    result = shown["result"] or {"columns": [], "rows": [], "row_count": 0, "chart": None, "ran_at": None}
    return Tile(
        tile_id=shown["tile_id"],
        title=shown["title"],
        question=shown["question"],
        sql=shown["sql"],
        columns=[column["name"] for column in result["columns"]],
        rows=result["rows"],
        row_count=result["row_count"],
        chart=Chart(result["chart"]) if result["chart"] else None,
        ran_at=result["ran_at"],
        failure=shown["failure"]["message"] if shown["failure"] else None,
        changed=shown["changed"],
    )


class Board:
    """Answers side by side; it shows itself in a notebook. Each method that changes it returns it as it then is."""

    def __init__(self, reach: Reach, shown: dict[str, Any]) -> None:
        self._reach = reach
        self._take(shown)

    def _take(self, shown: dict[str, Any]) -> Board:
        self.board_id: str = shown["board_id"]
        self.title: str = shown["title"]
        self.file: str = shown["file"]
        #   within the root
        self.tiles: list[Tile] = [_tile(each) for each in shown["tiles"]]
        return self

    def pin(self, answer: Frames, title: str | None = None) -> Board:
        """Put an answer, or what `duck.sql` brought, last. Raises InvalidInput for an answer without rows."""
        from pluto_duck.answer import Answer
        from pluto_duck_backend.agent.boards.pinning import Pin

        run_id = answer.run_id if isinstance(answer, Answer) else None
        return self._take(self._reach().pin(self.board_id, Pin(run_id, None if run_id else answer.job_id, title)))

    def unpin(self, tile: Tile | str) -> Board:
        """Take a tile off, by its id or title."""
        return self._take(self._reach().unpin(self.board_id, self._id_of(tile)))

    def refresh(self, tile: Tile | str | None = None) -> Board:
        """Run its queries again, or that of one tile; what failed says so in `failure`."""
        return self._take(self._reach().refresh(self.board_id, None if tile is None else self._id_of(tile)))

    async def arefresh(self, tile: Tile | str | None = None) -> Board:
        """As `refresh`, without holding up the event loop."""
        return await asyncio.to_thread(self.refresh, tile)

    def rename(self, title: str) -> Board:
        """Another title; its id and file stay."""
        return self._take(self._reach().change(self.board_id, title))

    def delete(self) -> None:
        """Remove it with its queries; what they read stays."""
        self._reach().delete(self.board_id)

    def export(self, path: str | os.PathLike[str]) -> None:
        """Write it, as it is, as one HTML file that loads nothing. Raises InvalidInput for another ending."""
        from pluto_duck_backend.app.core.whole_files import write_whole
        from pluto_duck_cli.files import form_of

        form_of(Path(path), ("html",))
        write_whole(Path(path), [self.html()])

    def html(self) -> bytes:
        """The page that `export` writes."""
        return self._reach().export(self.board_id)[1]

    def _id_of(self, tile: Tile | str) -> str:
        if isinstance(tile, Tile):
            return tile.tile_id
        found = [each.tile_id for each in self.tiles if tile in (each.tile_id, each.title)]
        if len(found) == 1:
            return found[0]
        raise NotFound(
            f"{len(found) or 'No'} tiles of {self.title!r} are called {tile!r}.",
            code="tile_not_found",
            hint=f"Its tiles: {', '.join(f'{each.title} ({each.tile_id})' for each in self.tiles) or 'none'}.",
        )

    def _repr_html_(self) -> str:
        """Its page in a frame of its own; after the connection was closed or it was deleted, what it is called."""
        try:
            page = self.html().decode()
        except PlutoDuckError as error:
            return f"<p>{escape(repr(self))}: {escape(error.message)}</p>"
        return (
            f'<iframe title="{escape(self.title)}" srcdoc="{escape(page)}" sandbox'
            f' style="width: 100%; height: {_FRAME_PX}px; border: 1px solid #8884"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<Board {self.title!r}: {len(self.tiles)} {'tile' if len(self.tiles) == 1 else 'tiles'}, {self.file}>"
