"""The boards of one data root: `configs/boards/*.toml`, a file a board, its name the board's id.

What must stay true: a file is written whole or not at all; a broken one is told with its path and what is wrong with
it, and disturbs no other; a change begins with what the file holds now, since people edit them.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pluto_duck_backend.agent.boards.board import Board, read, write
from pluto_duck_backend.app.core.errors import InvalidInput, NotFound, PlutoDuckError, did_you_mean
from pluto_duck_backend.app.core.principal import Principal
from pluto_duck_backend.app.core.whole_files import write_whole

_LARGEST = 5_000_000
_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,79}")


@dataclass(frozen=True)
class Broken:
    """A file that is no board, and why."""

    board_id: str
    error: PlutoDuckError


class BoardFiles:
    """Thread-safe. `root`: what paths in messages start below."""

    def __init__(self, folder: Path, root: Path) -> None:
        self._folder = folder
        self._root = root
        self._lock = threading.RLock()

    def every(self, who: Principal) -> list[Board | Broken]:
        """The boards that `who` may see, by title; what is broken is told to who may see everything."""
        found = [self._loaded(path) for path in sorted(self._folder.glob("*.toml"))]
        seen = [each for each in found if _may_see(each, who)]
        return sorted(seen, key=lambda each: each.title.casefold() if isinstance(each, Board) else each.board_id)

    def get(self, board_id: str, who: Principal) -> Board:
        """One board, by its id or its title. Raises NotFound, InvalidInput for a broken file."""
        every = self.every(who)
        found = next((each for each in every if board_id == each.board_id), None) or next(
            (each for each in every if isinstance(each, Board) and each.title.casefold() == board_id.casefold()), None
        )
        if isinstance(found, Broken):
            raise found.error
        if found is None:
            raise _not_found(board_id, [each.board_id for each in every])
        return found

    def create(self, title: str, who: Principal) -> Board:
        """An empty board under a name that is free."""
        with self._lock:
            board = Board(next(each for each in _names(title) if not self.path(each).exists()), title, who.rights)
            self._save(board)
        return board

    def change(self, board_id: str, edit: Callable[[Board], Board], who: Principal) -> Board:
        """Put `edit` of a board in its place. Raises as `get` does, and what `edit` raises."""
        with self._lock:
            changed = edit(self.get(board_id, who))
            self._save(changed)
        return changed

    def delete(self, board_id: str, who: Principal) -> Board:
        """Remove a board's file; returns what it held."""
        with self._lock:
            board = self.get(board_id, who)
            self.path(board.board_id).unlink(missing_ok=True)
        return board

    def path(self, board_id: str) -> Path:
        return self._folder / f"{board_id}.toml"

    def shown(self, board_id: str) -> str:
        """Its file as people name it: below the root."""
        return self.path(board_id).relative_to(self._root).as_posix()

    def _loaded(self, path: Path) -> Board | Broken:
        try:
            if not _ID.fullmatch(path.stem):
                raise ValueError("its name may hold lower-case letters, digits, - and _ only")
            with path.open("rb") as file:
                return read(path.stem, file.read(_LARGEST).decode())
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            return Broken(path.stem, _unreadable(path, reason or str(error)))

    def _save(self, board: Board) -> None:
        write_whole(self.path(board.board_id), [write(board).encode()], private=True)


def _may_see(found: Board | Broken, who: Principal) -> bool:
    return not who.is_confined if isinstance(found, Broken) else found.rights == who.rights


def _names(title: str) -> Iterator[str]:
    """`sales`, then `sales-2` and so on."""
    stem = re.sub(r"[^a-z0-9]+", "-", title.casefold()).strip("-")[:60].strip("-") or "board"
    yield stem
    number = 2
    while True:
        yield f"{stem}-{number}"
        number += 1


def _unreadable(path: Path, reason: str) -> InvalidInput:
    return InvalidInput(
        f"{path} is no board: {reason}.", code="bad_board", hint="Mend the file, or move it out of the folder."
    )


def _not_found(board_id: str, names: list[str]) -> NotFound:
    near = did_you_mean(board_id, names)
    there = f"Boards: {', '.join(names[:20])}." if names else "There are none yet: `pluto-duck boards pin RUN`."
    return NotFound(f"There is no board {board_id!r}. {near}".rstrip(), code="board_not_found", hint=there)
