"""Lines of delimited text that are written in another manner than usual, turned into the usual one.

`csv_files` asks before anything else. What must stay true: each line becomes one line, so that numbers of lines stay
those of the file, and a manner is undone only where all of the first lines agree on it; it is told in a note.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from pluto_duck_backend.app.services.ingestion.connectors import csv_pairs
from pluto_duck_backend.app.services.ingestion.connectors.csv_aligned import Cells, cells_of_lines

_LINES = 200  # looked at
_NEAR = 10  # lines among which a ruler stands, if there are any
_RULER = re.compile(r"[\s|+,;:]*([-=_─━]{3,}[\s|+,;:┼]*)+")  # ----+----, |:---|---:|
_FRAMED = re.compile(r"\s*\|[^|]*\|.*\|\s*")  # two cells at least
_COMMENT = re.compile(r"\s*#")
_IN_QUOTES = re.compile(r'"(?:[^"]|"")*"')
_OPENS = re.compile(r"(?:^|[,;\t|])\s*'")
_CLOSES = re.compile(r"'\s*(?:$|[,;\t|])")
_ESCAPED = re.compile(r'\\(["\\])')
_SURELY_ESCAPED = re.compile(r'[^\\,;\t|]\\"[^",;\t|]')


@dataclass(frozen=True)
class Manner:
    """`undo` gives the line as it would usually be written; an empty one for a line that only draws.

    `names` are those of the columns, with commas between the cells, where each line says them and none stands above.
    """

    note: str
    undo: Callable[[str], str]
    names: tuple[str, ...] = ()


def manner_of(head: str) -> Manner | None:
    """The manner of text that starts with `head`; None for the usual one."""
    first = head.removeprefix("\ufeff").splitlines()[:_LINES]
    lines = [line for line in first if line.strip()]
    if _is_drawn(lines):
        return _DRAWN
    if names := csv_pairs.names_of(lines):
        return Manner("each line names its values", partial(csv_pairs.row_of, names), names)
    return aligned(first) or next((manner for holds, manner in _MANNERS if holds(lines)), None)


def aligned(lines: Sequence[str]) -> Manner | None:
    """The manner of columns that blanks keep apart, where these lines are written so."""
    blocks = [list(block) for is_filled, block in groupby(lines, lambda line: bool(line.strip())) if is_filled]
    cells_of = cells_of_lines(blocks)
    return Manner("columns are kept apart by blanks", partial(_with_tabs, cells_of)) if cells_of else None


def _with_tabs(cells_of: Cells, line: str) -> str:
    return "\t".join(cells_of(line)) if _without_ruler(line).strip() else ""


def _has_rulers(lines: Sequence[str]) -> bool:
    return any(map(_RULER.fullmatch, lines[:_NEAR]))


def _is_drawn(lines: Sequence[str]) -> bool:
    """A table with bars between the cells, as terminals and Markdown show it, or around every line."""
    is_framed = len(lines) > 1 and all(map(_FRAMED.fullmatch, lines))
    return is_framed or (_has_rulers(lines) and sum("|" in line for line in lines) * 2 > len(lines))


def _without_ruler(line: str) -> str:
    return "" if _RULER.fullmatch(line) else line


def _without_drawing(line: str) -> str:
    if "|" not in line or _RULER.fullmatch(line):
        return _without_ruler(line)
    inner = line.strip()
    if inner.startswith("|") and inner.endswith("|"):
        inner = inner[1:-1]
    return "|".join(cell.strip() for cell in inner.split("|"))


def _has_comments(lines: Sequence[str]) -> bool:
    """Lines that begin with a number sign, the first among them, say less than the others and hold no open quote."""
    comments = [line for line in lines if _COMMENT.match(line)]
    others = [line for line in lines if not _COMMENT.match(line)]
    if not others or lines[0] not in comments[:1] or any(line.count('"') % 2 for line in comments):
        return False
    is_table = any(min(line.count(each) for line in others) > 0 for each in ",;\t|")
    return is_table and not any(_may_name(comments[-1], others[0], each) for each in ",;\t|")


def _may_name(comment: str, line: str, delimiter: str) -> bool:
    """Whether a comment has as many cells as a row: `#id,name` is a header."""
    return comment.count(delimiter) == line.count(delimiter) > 0


def _without_comment(line: str) -> str:
    return "" if _COMMENT.match(line) else line


def _is_quoted_whole(lines: Sequence[str]) -> bool:
    """Each line is one quoted value, which holds as many cells as the others do and as many as the names above."""
    if len(lines) < 2 or not all(map(_IN_QUOTES.fullmatch, lines)):
        return False
    inner = [_unquoted(line) for line in lines]
    return any(_width(inner[0], each) > 1 and _are_alike(inner, each) for each in ",;\t|" if f"{each} " not in inner[0])


def _are_alike(lines: Sequence[str], delimiter: str) -> bool:
    return len({_width(line, delimiter) for line in lines}) == 1


def _width(line: str, delimiter: str) -> int:
    return len(next(csv.reader([line], delimiter=delimiter), []))


def _unquoted(line: str) -> str:
    return line[1:-1].replace('""', '"') if _IN_QUOTES.fullmatch(line) else line


def _has_single_quotes(lines: Sequence[str]) -> bool:
    """As many quotes open cells as close them, one or more in a line, and there are no double ones."""
    opening = [len(_OPENS.findall(line)) for line in lines]
    closing = [len(_CLOSES.findall(line)) for line in lines]
    return len(lines) > 1 and all(opening) and opening == closing and not any('"' in line for line in lines)


def _doubly_quoted(line: str) -> str:
    return re.sub(r"'((?:[^']|'')*)'", lambda found: '"' + found[1].replace("''", "'") + '"', line)


def _has_backslashes(lines: Sequence[str]) -> bool:
    """A backslash stands before a quote in the middle of a value."""
    return any(map(_SURELY_ESCAPED.search, lines))


def _without_backslashes(line: str) -> str:
    return _ESCAPED.sub(lambda found: '""' if found[1] == '"' else "\\", line)


_DRAWN = Manner("read as a table that is drawn with bars and rulers", _without_drawing)
_MANNERS: tuple[tuple[Callable[[Sequence[str]], bool], Manner], ...] = (
    (_has_comments, Manner("left out lines that begin with #", _without_comment)),
    (_has_rulers, Manner("left out lines that only draw a ruler", _without_ruler)),
    (_is_quoted_whole, Manner("each line stands in quotes as a whole; read what is in them", _unquoted)),
    (_has_single_quotes, Manner("values stand in single quotes", _doubly_quoted)),
    (_has_backslashes, Manner("quotes within values are written with a backslash", _without_backslashes)),
)
