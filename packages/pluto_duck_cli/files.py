"""Files that commands write, whose format is told by their ending; text that comes through standard input."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from pluto_duck_backend.app.core.errors import InvalidInput


def form_of(path: Path, forms: Sequence[str]) -> str:
    """The format that a file's ending names. Raises InvalidInput for another."""
    form = path.suffix.lower().removeprefix(".")
    if form not in forms:
        raise InvalidInput(
            f"{path.name!r} names no format that can be written. Endings: {', '.join(f'.{each}' for each in forms)}.",
            code="unknown_format",
        )
    return form


def said() -> str:
    """All of standard input. Raises InvalidInput where it is no text."""
    return "".join(said_lines())


def said_lines() -> Iterator[str]:
    """Standard input, line by line as it comes. Raises InvalidInput where it is no text."""
    if isinstance(sys.stdin, io.TextIOWrapper):  # without a locale it lets bytes through that no file or log takes
        sys.stdin.reconfigure(errors="strict")
    try:
        yield from sys.stdin
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"What came through standard input is no text in {error.encoding}: byte {error.object[error.start]:#04x}.",
            code="not_text",
            hint="Convert it first: iconv -f WINDOWS-1252 -t UTF-8 FILE.",
        ) from error
