"""Files that are written whole or not at all: beside themselves first, then put in place at once; of several writers at
once, each beside itself, one is there at the end. What is no file (a pipe, `/dev/stdout`) is written into as it is."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterable
from pathlib import Path

from pluto_duck_backend.app.core.errors import EnvironmentFault


def write_whole(path: Path, chunks: Iterable[bytes], *, private: bool = False) -> None:
    """Replace `path`, or what it leads to; a reader never meets half of it, and a failure leaves what was there.

    Where `private`, file and folders made for it are readable by their user only. Raises EnvironmentFault.
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            _written_into(path, chunks)
        else:
            _replaced(Path(os.path.realpath(path)), chunks, private)
    except OSError as error:
        raise EnvironmentFault(f"{path} cannot be written: {error.strerror or error}", code="cannot_write") from error


def _written_into(path: Path, chunks: Iterable[bytes]) -> None:
    with path.open("wb") as file:
        file.writelines(chunks)


def _replaced(path: Path, chunks: Iterable[bytes], private: bool) -> None:
    part = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident():x}.part")
    if private:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600 if private else 0o666)
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(chunks)
        part.replace(path)
    finally:
        with contextlib.suppress(OSError):
            part.unlink()
