"""Files that commands write: whole or not at all, their format told by their ending."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput


def write_file(path: Path, chunks: Iterable[bytes]) -> None:
    """Write `path` beside itself first, so that a failure leaves what was there. Raises EnvironmentFault."""
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            file.writelines(chunks)
        part.replace(path)
    except OSError as error:
        raise EnvironmentFault(f"{path} cannot be written: {error.strerror or error}", code="cannot_write") from error
    finally:
        part.unlink(missing_ok=True)


def form_of(path: Path, forms: Sequence[str]) -> str:
    """The format that a file's ending names. Raises InvalidInput for another."""
    form = path.suffix.lower().removeprefix(".")
    if form not in forms:
        raise InvalidInput(
            f"{path.name!r} names no format that can be written. Endings: {', '.join(f'.{each}' for each in forms)}.",
            code="unknown_format",
        )
    return form
