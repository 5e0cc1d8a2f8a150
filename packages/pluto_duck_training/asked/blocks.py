"""The files of questions: their blocks, and the words of a line over a catalog.

    ? who was hired in the last two years
    = staff.name where staff.hired during <last two years>

A column is `table.column`, a table's rows are `table.*`, a value stands in `<…>`, words that values hold in `<%…%>`; a
name with a space in it stands in double quotes. All other words are the grammar's. A line that is the id of a training
question is its SQL's; `= nothing` says that the database holds no answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.learned.grammar import WORDS
from pluto_duck_text2sql.learned.line import Val, Word
from pluto_duck_text2sql.tree import Col, Holding, Rows

NOTHING = "nothing"
"""The line of questions that their database does not answer."""
FOLDER = Path(__file__).with_name("questions")
_NAME = r'(?:"[^"]+"|[^\s."<>]+)'
_PIECE = re.compile(rf"<(?P<value>[^<> =][^<>]*)>|(?P<table>{_NAME})\.(?P<column>{_NAME})|(?P<word>\S+)")


_HELD = re.compile(r"%(.+)%")


class Unread(ValueError):
    """What is written is no block, or names what is not there."""


@dataclass(frozen=True)
class Block:
    """Questions that ask the same, the line that answers them, and where it stands in its file, from 1."""

    questions: tuple[str, ...]
    line: str
    at: int


def files() -> dict[str, Path]:
    """The files by the names of their databases."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.txt"))}


def blocks(path: Path) -> Iterator[Block]:
    """The blocks of a file. Raises Unread."""
    asked: list[str] = []
    for at, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        mark, rest = text[:2], text[2:].strip()
        if mark == "? " and rest:
            asked.append(rest)
        elif mark == "= " and rest and asked:
            yield Block(tuple(asked), rest, at)
            asked = []
        elif text.strip() and not text.startswith("#"):
            raise Unread(f"{path.name}:{at}: {text!r} is neither a question (?) nor the line (=) of one above.")
    if asked:
        raise Unread(f"{path.name}: the last question, {asked[-1]!r}, has no line (=).")


def line_of(text: str, catalog: Catalog) -> list[Word]:
    """The words of a line. Raises Unread for names that the catalog has not."""
    return [_word(match, catalog) for match in _PIECE.finditer(text)]


def _word(match: re.Match[str], catalog: Catalog) -> Word:
    if match["value"]:
        held = _HELD.fullmatch(match["value"])
        return Val(Holding(held[1]) if held else match["value"])
    if match["table"]:
        return _named(match["table"].strip('"'), match["column"].strip('"'), catalog)
    if match["word"] not in WORDS:
        raise Unread(f"{match['word']!r} is no word of the grammar, no table.column and no <value>.")
    return match["word"]


def _named(table: str, column: str, catalog: Catalog) -> Word:
    found = _table(table, catalog)
    if column == "*":
        return Rows(found.key)
    known = found.column(column)
    if known is None:
        raise Unread(f"{found.name} has no column {column!r}; it has {', '.join(each.name for each in found.columns)}.")
    return Col(found.key, known.name)


def _table(name: str, catalog: Catalog) -> Table:
    found = next((each for each in catalog.tables if each.name.casefold() == name.casefold()), None)
    if found is None:
        raise Unread(f"No table {name!r}; there are {', '.join(each.name for each in catalog.tables)}.")
    return found
