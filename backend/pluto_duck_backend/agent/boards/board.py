"""A board and the file it stands in.

version = 1
title = "Sales"

[[tiles]]
title = "Revenue by month"
sql = '''
SELECT …
'''
"""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from pluto_duck_backend.agent.charting.asked import Kind
from pluto_duck_backend.agent.memory.example import Reads
from pluto_duck_backend.app.core.errors import InvalidInput

VERSION = 1
MAX_TILES = 100
MAX_TITLE = 200
Display = Literal["auto", "table"] | Kind
Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_TITLE)]
_SQL = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class Tile(BaseModel):
    """One query of a board; all but its title and SQL may be left out of a file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{0,40}$")] = ""
    title: Title
    display: Display = "auto"
    #   auto: the chart that fits best
    question: str = ""
    reading: list[str] = []
    caveats: list[str] = []
    run_id: str = ""
    pinned_at: str = ""
    sql: _SQL
    reads: dict[str, list[str]] = {}
    #   by table: the columns with their types, as they were when it was pinned

    @property
    def read_then(self) -> Reads:
        return tuple((table, tuple(columns)) for table, columns in self.reads.items())


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    version: Literal[1]
    title: Title
    rights: str = ""
    tiles: list[Tile] = Field([], max_length=MAX_TILES)

    @model_validator(mode="after")
    def _tiles_have_ids(self) -> _File:
        self.tiles = [each if each.id else each.model_copy(update={"id": _id_for(each)}) for each in self.tiles]
        ids = [each.id for each in self.tiles]
        twice = next((each for each in ids if ids.count(each) > 1), None)
        if twice:
            raise ValueError(f"two tiles are the same, or have the same id {twice!r}")
        return self


@dataclass(frozen=True)
class Board:
    """`board_id` is the file's name; `rights` are those of who made it, and only who has the same sees it."""

    board_id: str
    title: str
    rights: str = ""
    tiles: tuple[Tile, ...] = ()


def usable_title(text: str) -> str:
    """The title without blanks around it. Raises InvalidInput for one that is empty or too long."""
    title = " ".join(text.split())
    if not 1 <= len(title) <= MAX_TITLE:
        raise InvalidInput(f"The title {title[:40]!r} must have 1 to {MAX_TITLE} characters.", code="bad_title")
    return title


def read(board_id: str, text: str) -> Board:
    """The board of a file's text. Raises ValueError that says what is wrong, and where."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"it is no TOML: {error}") from error
    version = found.get("version")
    if isinstance(version, int) and version > VERSION:
        raise ValueError(f"it is of version {version}, and this Pluto-Duck reads version {VERSION}")
    try:
        file = _File.model_validate(found)
    except ValidationError as error:
        raise ValueError("; ".join(f"{_place(each['loc'])}: {each['msg']}" for each in error.errors()[:3])) from error
    return Board(board_id, file.title, file.rights, tuple(file.tiles))


def write(board: Board) -> str:
    """The file's text."""
    import tomlkit

    document = tomlkit.document()
    document.add("version", tomlkit.item(VERSION))
    document.add("title", tomlkit.item(board.title))
    if board.rights:
        document.add("rights", tomlkit.item(board.rights))
    tiles = tomlkit.aot()
    for tile in board.tiles:
        tiles.append(_table(tile))
    if board.tiles:
        document.add("tiles", tiles)
    # tomlkit doubles the line break that a string begins with, since TOML leaves out the first.
    return str(tomlkit.dumps(document).replace('\nsql = """\n\n', '\nsql = """\n'))


def _table(tile: Tile) -> Any:
    import tomlkit

    table = tomlkit.table()
    for name, value in tile.model_dump(exclude_defaults=True).items():
        is_sql = name == "sql"
        table.add(name, tomlkit.string(f"\n{value}\n", multiline=True) if is_sql else tomlkit.item(value))
    return table


def _id_for(tile: Tile) -> str:
    """The same for the same tile, so that one written by hand keeps its result."""
    return "tile-" + hashlib.sha256(f"{tile.title}\0{tile.sql}".encode()).hexdigest()[:8]


def _place(loc: tuple[int | str, ...]) -> str:
    """`tiles 2 sql` for ("tiles", 1, "sql"): people count from one."""
    return " ".join(str(each + 1) if isinstance(each, int) else each for each in loc) or "board"
