"""`pluto-duck boards list|show|pin|unpin|rename|delete|refresh|export`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.errors import Conflict
from pluto_duck_backend.app.core.whole_files import write_whole
from pluto_duck_cli import exit_codes, render
from pluto_duck_cli.boards import Boards
from pluto_duck_cli.client import connect
from pluto_duck_cli.files import form_of
from pluto_duck_cli.options import Json, Root, command_line

if TYPE_CHECKING:
    from pluto_duck_backend.agent.boards.pinning import Pin

app = command_line("Pin answers side by side, run them again, write them as one HTML file.")

_FIRST = "My board"
Board = Annotated[str, typer.Argument(help="The board's id or title.")]


@app.command("list")
def every(root: Root = None, json: Json = False) -> int:
    """All boards; of a broken file, what is wrong with it."""
    with connect(load_settings(root)) as client:
        boards = client.boards.every()
    if json:
        render.json_line({"boards": boards})
        return exit_codes.DONE
    render.table(
        ["board", "title", "tiles", "file"],
        [[each["board_id"], each["title"], each["tile_count"], each["file"]] for each in boards if not each["error"]],
    )
    for each in boards:
        if each["error"]:
            render.error(each["error"]["message"], each["error"]["hint"])
    return exit_codes.DONE


@app.command()
def show(board: Board, root: Root = None, json: Json = False) -> int:
    """A board with the last result of each of its queries; nothing is run."""
    with connect(load_settings(root)) as client:
        shown = client.boards.show(board)
    _print(shown, json)
    return exit_codes.DONE


@app.command()
def pin(
    run_id: Annotated[str, typer.Argument(help="The run whose answer is pinned, or a query's id.")],
    board: Annotated[str, typer.Option("--board", help="A board's id or title; one that is not there is made.")] = "",
    title: Annotated[str | None, typer.Option("--title", help="The tile's title; else the question.")] = None,
    root: Root = None,
    json: Json = False,
) -> int:
    """Pin an answer to a board: it keeps the query, and runs it again on refresh."""
    from pluto_duck_backend.agent.boards.pinning import Pin

    is_query = run_id.startswith("query-")
    with connect(load_settings(root)) as client:
        what = Pin(None if is_query else run_id, run_id if is_query else None, title)
        pinned = _pinned(client.boards, board or _only(client.boards), what)
    if json:
        render.json_line(pinned)
    else:
        tile = pinned["tiles"][-1]
        render.talk(f"{tile['title']!r} is on {pinned['title']!r} as {tile['tile_id']} ({pinned['file']})")
    return exit_codes.DONE


@app.command()
def unpin(
    board: Board,
    tile: Annotated[str, typer.Argument(help="The tile's id.")],
    root: Root = None,
    json: Json = False,
) -> int:
    """Take a tile off a board."""
    with connect(load_settings(root)) as client:
        left = client.boards.unpin(board, tile)
    if json:
        render.json_line(left)
    else:
        render.talk(f"{tile} is off {left['title']!r}; tiles left: {left['tile_count']}")
    return exit_codes.DONE


@app.command()
def rename(
    board: Board,
    title: Annotated[str, typer.Argument(help="Its new title.")],
    root: Root = None,
    json: Json = False,
) -> int:
    """Give a board another title; its id and file stay."""
    with connect(load_settings(root)) as client:
        renamed = client.boards.change(board, title)
    if json:
        render.json_line(renamed)
    else:
        render.talk(f"{board!r} is now {renamed['title']!r} ({renamed['file']})")
    return exit_codes.DONE


@app.command()
def delete(board: Board, root: Root = None, json: Json = False) -> int:
    """Remove a board with its queries; what it reads stays."""
    with connect(load_settings(root)) as client:
        board_id = client.boards.delete(board)
    if json:
        render.json_line({"board_id": board_id})
    else:
        render.talk(f"{board_id!r} is deleted")
    return exit_codes.DONE


@app.command()
def refresh(
    board: Board,
    tile: Annotated[str | None, typer.Option("--tile", help="This tile alone.")] = None,
    root: Root = None,
    json: Json = False,
) -> int:
    """Run a board's queries again and show it; exits 1 where one failed."""
    with connect(load_settings(root)) as client:
        shown = client.boards.refresh(board, tile)
    _print(shown, json)
    failed = any(each["failure"] for each in shown["tiles"] if tile in (None, each["tile_id"]))
    return exit_codes.FAILED if failed else exit_codes.DONE


@app.command()
def export(
    board: Board,
    to: Annotated[Path, typer.Option("--to", help="The file to write, FILE.html.")],
    root: Root = None,
    json: Json = False,
) -> int:
    """Write a board, as it is, as one HTML file that loads nothing."""
    form_of(to, ("html",))
    with connect(load_settings(root)) as client:
        write_whole(to, [client.boards.export(board)[1]])
    if json:
        render.json_line({"board": board, "file": str(to)})
    else:
        render.talk(f"{board!r} is in {to}")
    return exit_codes.DONE


def _only(boards: Boards) -> str:
    """The board that is meant where none is named."""
    found = [each for each in boards.every() if not each["error"]]
    if len(found) > 1:
        names = ", ".join(each["board_id"] for each in found[:20])
        raise Conflict(f"There are {len(found)} boards: {names}.", code="which_board", hint="Name one with --board.")
    return found[0]["board_id"] if found else _FIRST


def _pinned(boards: Boards, name: str, what: Pin) -> dict[str, Any]:
    """The board of that id or title with a tile more; one that is not there is made, unless nothing can be pinned."""
    for each in boards.every():
        if name == each["board_id"] or name.casefold() == each["title"].casefold():
            return boards.pin(each["board_id"], what)
    made = boards.create(name)
    try:
        pinned = boards.pin(made["board_id"], what)
    except BaseException:
        boards.delete(made["board_id"])
        raise
    render.talk(f"made the board {made['title']!r} ({made['file']})")
    return pinned


def _print(board: dict[str, Any], as_json: bool) -> None:
    if as_json:
        render.json_line(board)
        return
    render.data(f"{board['title']}  ({board['file']})")
    for tile in board["tiles"]:
        render.tile(tile)
    if not board["tiles"]:
        render.talk("Nothing is pinned to it: pluto-duck boards pin RUN")
