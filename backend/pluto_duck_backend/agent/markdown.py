"""Markdown of what others wrote: cells, names, a model's words.

Whatever is put into an answer, a report or a tool's result passes here. What must stay true: text stays text. A cell
`![x](http://…)` is no picture that a reader's program fetches, which would tell its server that, and what, was read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_OPENING = re.compile(r"[\\\[<]")
#   what a link, a picture or a tag begins with; each alone, so that text may come in pieces
_ESCAPED = re.compile(r"\\([\\\[<|])")
_TICKS = re.compile(r"`+")


def escaped(text: str) -> str:
    """The text as it stands, without links, pictures and tags."""
    return _OPENING.sub(r"\\\g<0>", text)


def plain(markdown: str) -> str:
    """An answer's words for whom shows no Markdown."""
    return _ESCAPED.sub(r"\1", markdown.replace("**", ""))


def on_one_line(text: str) -> str:
    """Text of the data begins no line of an answer, which a reader would take for ours."""
    return " ".join(text.splitlines())


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A pipe table of texts."""
    return "\n".join([_row(heads), _row(["---"] * len(heads)), *map(_row, rows)])


def _row(told: Sequence[str]) -> str:
    return "| " + " | ".join(escaped(on_one_line(cell)).replace("|", "\\|") for cell in told) + " |"


def fenced(code: str, language: str) -> str:
    """A block of code, whose fence is longer than any in it."""
    longest = max((len(ticks) for ticks in _TICKS.findall(code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{code}\n{fence}"
