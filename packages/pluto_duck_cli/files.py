"""Files that commands write: their format is told by their ending."""

from __future__ import annotations

from collections.abc import Sequence
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
